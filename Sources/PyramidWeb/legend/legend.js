// A legend: what sizes and colours mean, and switches for the columns to filter by.

import { colorSchemes, noValueColor, otherColor, paletteColor, rampColor } from "../markers/color-schemes.js";
import { LegendColumn } from "./legend-column.js";
import { plainValues } from "./legend-plain.js";
import { addStyle } from "./legend-style.js";
import { english } from "./legend-texts.js";
import { made } from "../markers/elements.js";
import { markerOf } from "../tileset/marker.js";
import { loaded } from "../tileset/requests.js";

/** @typedef {import("../markers/marker-map.js").MarkerMap} MarkerMap */
/** @typedef {import("../tileset/facets.js").Facet} Facet */
/** @typedef {import("../tileset/facets.js").Value} Value */
/** @typedef {import("../markers/appearance.js").ColorPairs} Colors in the order of a ring */
/** @typedef {<Part>(load: () => Promise<Part>) => Promise<Part | undefined>} Load loads a part of the legend; undefined if it can't, which is reported */
/** @typedef {object} LegendOptions
 * @property {Record<string, string>} [titles] the titles of columns (default: their names)
 * @property {(value: string | number | boolean, column: string) => string | undefined} [format] the text for a value, for an edge of a column
 *   with ranges, or for a bucket of one with dates (default: the value, or the date in the language of the texts)
 * @property {string | false} [colorBy] the column that gives the colours at first; `""` for colours by the number of points
 *   (default: the map's `colorBy`, else the first column whose ten most frequent values cover most points). `false`: the legend leaves the colours alone, and offers no choice
 * @property {boolean | string} [hash] whether the URL's hash holds the filter, beside other parts (default: false), or the word with which its
 *   parts begin (default: "filter"), for several legends with the same columns. With MapLibre's own hash, give that one a name: `hash: "map"`
 * @property {boolean} [isOpen] whether the legend is open at first (default: except on small screens) */

/** How many values of a column have colours of their own. */
const colorCount = colorSchemes.light.palette.length;
const sampleCounts = [1, 2, 10, 100, 1000, 10000];
/** How long a filter must stay before it is announced and written to the hash: not while a handle is dragged, or moves by itself. Safari
 * allows three changes of the hash per second. */
const pauseMilliseconds = 600;

/** Fills an element with a legend for the markers of a map. The columns of `--filter-by` have switches.
 * @param {MarkerMap} markers made by `addMarkers`
 * @param {HTMLElement | null} element gets the class `pyramid-legend`; throws a TypeError if the page has no such element
 * @param {LegendOptions} [options] */
export function addLegend(markers, element, options) {
  if (!element) throw new TypeError("addLegend needs an element, found none; is its id right?");
  return new Legend(markers, element, options);
}

export class Legend {
  #markers;
  #element;
  #options;
  #end = new AbortController();
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #pause;
  /** The tileset's facets as text: they change if it is rebuilt. */
  #facetsText = "";
  /** @type {typeof import("./legend-hash.js") | null} null without the option, and until it is loaded */ #hash = null;
  /** The filters in the hash, as they were last read or written; null before. */
  /** @type {string | null} */ #hashText = null;
  /** @type {LegendColumn[]} */ #columns = [];
  /** @type {import("../markers/appearance.js").AppearanceOptions | null} how the page wants markers to look */ #own = null;
  /** The column with switches that gives the colours. */
  /** @type {Facet | undefined} */ #colored;
  /** The column that gives the colours; "" if there is none. */ #column = "";
  #plain = new AbortController();
  #drawPlain = () => {};
  /** @type {import("../markers/appearance.js").AppearanceOptions | null} what was drawn last */ #drawn = null;
  #drawnDistance = 0;

  #texts;
  #total = made("p", { className: "total" });
  #showAll;
  #toggle;
  #announcement = made("p", { className: "unseen", role: "status" });
  #choice = made("select");
  #choiceLabel;
  #sizes;
  #plainList = made("ul", { className: "plain" });
  #fieldsets = made("div");
  #explanation;
  #content;

  /** @param {MarkerMap} markers @param {HTMLElement} element @param {LegendOptions} [options] */
  constructor(markers, element, options = {}) {
    this.#markers = markers;
    this.#element = element;
    this.#options = options;
    const texts = (this.#texts = { ...english, ...markers.texts });
    this.#showAll = made("button", { type: "button" }, texts.showAll);
    this.#toggle = made("button", { type: "button", className: "toggle" }, texts.legend);
    this.#choiceLabel = made("label", { className: "colors" }, made("span", {}, texts.colorsBy), this.#choice);
    this.#sizes = made("div", { className: "sizes", role: "img", "aria-label": texts.sizes });
    this.#explanation = made("p", { className: "soft" }, texts.counts);
    this.#content = made("div", { className: "content" }, this.#choiceLabel, this.#sizes, this.#plainList, this.#explanation, this.#fieldsets);
    addStyle(element);
    element.classList.add("pyramid-legend");
    element.hidden = true;
    element.replaceChildren(made("div", { className: "head" }, this.#toggle, this.#total, this.#showAll), this.#announcement, this.#content);
    this.#fold(!(options.isOpen ?? !matchMedia("(max-width: 640px)").matches));
    const { signal } = this.#end,
      on = (/** @type {any} */ target, /** @type {string} */ type, /** @type {() => void} */ act) => target.addEventListener(type, act, { signal });
    on(markers, "open", () => this.#open());
    on(markers, "visible", () => this.#requestUpdate());
    // `restyle` changes the options.
    on(markers, "draw", () => this.#facetsText && this.#drawn !== markers.appearance.options && this.#draw());
    on(markers, "filter", () => {
      for (const column of this.#columns) column.stop();
      this.#requestUpdate();
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => this.#tell(), pauseMilliseconds);
    });
    if (options.hash)
      this.#load(() => import("./legend-hash.js")).then((hash) => {
        if (!hash) return;
        this.#hash = hash;
        on(globalThis, "hashchange", () => this.#readHash());
        this.#readFirstHash();
      });
    on(this.#toggle, "click", () => {
      this.#fold(!this.#content.hidden);
      this.#requestUpdate();
    });
    on(this.#choice, "change", () => this.#colorBy(this.#choice.value));
    on(this.#showAll, "click", () => {
      markers.filter(null);
      this.#toggle.focus();
    });
    if (markers.view.tileset) this.#open();
  }

  /** @type {Load} */
  #load = (load) => {
    const { view } = this.#markers;
    return loaded(String(view.source), load).catch((error) => void view.report([error]));
  };

  /** Empties the element, and leaves the filter as it is. */
  remove() {
    for (const column of this.#columns) column.stop();
    this.#end.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#pause);
    this.#plain.abort();
    this.#element.replaceChildren();
    this.#element.classList.remove("pyramid-legend", "dark");
  }

  #draw() {
    this.#drawn = this.#markers.appearance.options;
    this.#element.classList.toggle("dark", this.#markers.appearance.options.colorScheme === "dark");
    this.#drawSizes();
    this.#drawPlain();
    this.#requestUpdate();
  }

  /** @param {boolean} isFolded */
  #fold(isFolded) {
    this.#content.hidden = isFolded;
    this.#toggle.setAttribute("aria-expanded", String(!isFolded));
  }

  // Columns

  #open() {
    const { tileset } = this.#markers.view,
      facets = this.#markers.facets,
      text = JSON.stringify(facets);
    if (!tileset || text === this.#facetsText) return;
    this.#facetsText = text;
    const { titles = {}, format } = this.#options,
      titleOf = (/** @type {string} */ name) => titles[name] ?? name;
    for (const column of this.#columns) column.stop();
    this.#columns = facets.map(
      (facet) =>
        new LegendColumn(
          facet,
          titleOf(facet.name),
          this.#texts,
          (value) => format?.(value, facet.name),
          (chosen) => this.#choose(facet, chosen),
          this.#load,
        ),
    );
    this.#fieldsets.replaceChildren(...this.#columns.map(({ node }) => node));
    this.#total.hidden = this.#explanation.hidden = !facets.length;
    const { group_by: groupBy, count_by: counted = [], point_count: pointCount } = tileset.tileJSON;
    const countBy = /** @type {{ name: string }[]} */ (counted);
    const known = facets.filter(({ dates }) => !dates),
      names = [...new Set([...(groupBy === undefined ? [] : [groupBy]), ...[...countBy, ...known].map(({ name }) => name)])];
    this.#choice.replaceChildren(new Option(this.#texts.numberOfPoints, ""), ...names.map((name) => new Option(titleOf(name), name)));
    this.#choiceLabel.hidden = !names.length || this.#options.colorBy === false;
    this.#element.hidden = !pointCount;
    this.#readFirstHash();
    this.#own ??= this.#markers.appearance.options;
    const { colorBy = names.find((name) => this.#isTold(name)) ?? "" } = this.#own,
      first = this.#options.colorBy ?? colorBy;
    if (first === false || !names.length || (first && !names.includes(first)))
      this.#showColors(this.#own.colorBy !== undefined && names.includes(colorBy) ? colorBy : "");
    else this.#colorBy(first);
  }

  /** The chosen values of a column: all without a filter, or under a function.
   * @param {Facet} facet @returns {Set<Value>} */
  #chosen({ name, values, edges }) {
    const filter = this.#markers.currentFilter,
      wanted = filter && typeof filter === "object" ? filter[name] : undefined;
    const test = wanted && this.#markers.view.tileset?.checked({ [name]: wanted })?.columns[0].test;
    if (!test) return new Set(values);
    const limits = [-Infinity, ...(edges ?? []), Infinity],
      statedAt = (/** @type {number} */ index) => (edges && values[index] !== null ? limits.slice(index, index + 2) : values[index]);
    // Also values of which some points match.
    return new Set(values.filter((_, index) => test.stated(statedAt(index)) !== false));
  }

  /** The filter for the chosen values of a column.
   * @param {Facet} facet @param {Set<Value>} chosen @returns {[name: string, Value[] | { from: Value, to?: Value }]} */
  #filterOf({ name, dates, values }, chosen) {
    const list = values.filter((value) => chosen.has(value)),
      first = values.indexOf(list[0]),
      end = first + list.length;
    const isWindow = dates && list.length && !list.includes(null) && values[end - 1] === list.at(-1);
    return [name, isWindow ? { from: list[0], to: values[end] } : list];
  }

  /** @param {Facet} facet @param {Set<Value>} chosen */
  #choose(facet, chosen) {
    const filter = this.#markers.currentFilter,
      before = filter && typeof filter === "object" ? Object.entries(filter) : [];
    const others = before.filter(([column]) => column !== facet.name);
    const own = chosen.size < facet.values.length ? [this.#filterOf(facet, chosen)] : [];
    this.#filter([...others, ...own]);
  }

  /** @param {any[][]} columns each with its filter */
  #filter(columns) {
    this.#markers.filter(columns.length ? Object.fromEntries(columns) : null);
  }

  // Colours

  /** Colours by the values of a column, or by the number of points.
   * @param {string} column */
  #colorBy(column) {
    const own = this.#own?.colors && this.#own.colorBy === column ? this.#own : null;
    if (own) this.#markers.restyle({ colorBy: column, colors: own.colors, otherColor: own.otherColor });
    this.#showColors(column, own ? undefined : (colors) => this.#markers.restyle({ colorBy: column || undefined, colors, otherColor }));
  }

  /** Whether most points have one of the values of a column that can have colours: others would be grey.
   * @param {string} column to group, to count or to filter by */
  #isTold(column) {
    const { tileJSON } = /** @type {import("../tileset/tileset.js").Tileset} */ (this.#markers.view.tileset),
      total = tileJSON.point_count ?? 0;
    const facet = this.#markers.facets.find(({ name }) => name === column),
      counted = tileJSON.count_by?.find((/** @type {{ name: string }} */ { name }) => name === column);
    if (facet?.edges || (!facet && !counted)) return true;
    const counts = facet ? [...this.#markers.counts(column).values()].map(({ all }) => all) : Object.values(counted.values).map(Number);
    counts.sort((one, other) => other - one);
    return 2 * counts.slice(0, colorCount).reduce((sum, count) => sum + count, 0) >= total;
  }

  /** Shows the colours of a column's values.
   * @param {string} column @param {(colors: Colors) => void} [restyle] */
  #showColors(column, restyle) {
    const { tileset } = this.#markers.view,
      facet = this.#markers.facets.find(({ name }) => name === column);
    this.#column = this.#choice.value = column;
    this.#plain.abort();
    this.#colored = facet;
    this.#drawPlain = () => {};
    this.#plainList.replaceChildren();
    if (facet) {
      restyle?.(colorsOf(facet, this.#markers.counts(column)));
    } else if (column && tileset) {
      const { signal } = (this.#plain = new AbortController());
      plainValues(this.#markers, column, signal).then(
        (values) => {
          if (signal.aborted) return;
          const named = values.filter(({ value }) => value).slice(0, colorCount);
          const colors = named.map(({ value }, index) => /** @type {Colors[0]} */ ([value, paletteColor(index)]));
          restyle?.(values.some(({ value }) => value === "") ? [...colors, ["", noValueColor]] : colors);
          const texts = named.map(({ value }) => value);
          this.#drawPlain = () => this.#plainList.replaceChildren(...this.#plainRows(column, values, texts));
          this.#draw();
        },
        () => {},
      );
    } else {
      restyle?.([]);
    }
    this.#draw();
  }

  /** @param {string} column @param {import("./legend-plain.js").PlainValue[]} values @param {(string | null)[]} named those with a colour */
  #plainRows(column, values, named) {
    const { appearance } = this.#markers,
      isNamed = (/** @type {string | null} */ value) => value === "" || named.includes(value);
    const rest = values.filter(({ value }) => !isNamed(value)),
      sum = rest.reduce((sum, { count }) => sum + (count ?? NaN), 0);
    const shown = values
      .filter(({ value }) => isNamed(value))
      .map(({ value, count }) => ({
        text: value ? (this.#options.format?.(value, column) ?? value) : this.#texts.noValue,
        color: appearance.color(value),
        count,
      }));
    if (rest.length) shown.push({ text: this.#texts.other, color: appearance.scheme.other, count: sum });
    return shown.map(({ text, color, count }) => {
      return made(
        "li",
        {},
        made("span", { className: "dot", style: { background: color } }),
        made("span", { className: "text" }, made("bdi", {}, text)),
        made("span", { className: "counts" }, count ? this.#texts.countText(count) : ""),
      );
    });
  }

  #drawSizes() {
    const total = this.#markers.view.tileset?.tileJSON.point_count ?? 0,
      isByNumber = !this.#column;
    this.#drawnDistance = this.#markers.appearance.distance;
    this.#sizes.replaceChildren(...sampleCounts.filter((count) => count <= total).map((count) => this.#sample(count, isByNumber)));
  }

  /** A circle as the map draws it for a cluster.
   * @param {number} count of points @param {boolean} isByNumber whether numbers of points have colours */
  #sample(count, isByNumber) {
    const properties =
      count > 1 ? { cluster: true, cluster_id: 0, point_count: count, point_count_abbreviated: count < 1000 ? count : `${count / 1000}k` } : {};
    const { appearance } = this.#markers,
      marker = { ...markerOf({ geometry: { type: "Point", coordinates: [0, 0] }, properties }), isSample: true };
    const { slices, ...look } = appearance.look(marker),
      { middle, text, other } = appearance.scheme;
    const own = isByNumber ? {} : count > 1 ? { color: middle, textColor: text, slices: [{ color: other, count }] } : { color: other };
    const { canvas, half } = appearance.sprite({ ...look, ...own }, Math.min(devicePixelRatio || 1, 2));
    const copy = made("canvas", { width: canvas.width, height: canvas.height, style: { width: `${2 * half}px`, height: `${2 * half}px` } });
    copy.getContext("2d")?.drawImage(canvas, 0, 0);
    return copy;
  }

  // What changes with the filter and the view

  #requestUpdate() {
    this.#frame ||= requestAnimationFrame(() => this.#update());
  }

  #update() {
    this.#frame = 0;
    const { count, total } = this.#markers.matching,
      isFiltered = this.#markers.currentFilter !== null;
    const texts = this.#texts,
      number = this.#numberOf(count),
      all = total === undefined ? "" : texts.countText(total);
    const text = isFiltered ? texts.part(number, all) : texts.pointsText(total ?? 0),
      strong = isFiltered ? number : all,
      [before, ...after] = text.split(strong);
    this.#total.replaceChildren(made("bdi", {}, before, made("b", {}, strong), after.join(strong)));
    this.#showAll.hidden = !isFiltered;
    if (this.#content.hidden) return;
    const { appearance } = this.#markers;
    if (appearance.distance !== this.#drawnDistance) this.#drawSizes();
    for (const column of this.#columns) {
      const { facet } = column,
        isColored = facet.name === this.#colored?.name;
      column.update({
        counts: this.#markers.counts(facet.name),
        chosen: this.#chosen(facet),
        color: (value) => (isColored ? appearance.color(value) : undefined),
      });
    }
  }

  /** @param {number | undefined} count of points that match, undefined if unknown */
  #numberOf(count) {
    return count === undefined ? this.#texts.some : this.#texts.countText(count);
  }

  /** Tells screen readers how many points match, and keeps the filter in the URL. */
  #tell() {
    const { count, total } = this.#markers.matching;
    if (total !== undefined) this.#announcement.textContent = this.#texts.part(this.#numberOf(count), this.#texts.pointsText(total));
    const hash = this.#hash;
    if (!hash || !this.#facetsText) return;
    const { facets } = this.#markers,
      parts = hash.partsOf(this.#word, facets, (facet) => this.#chosen(facet));
    this.#hashText = parts.join("&");
    hash.replaceInHash(hash.isOf(this.#word, facets), parts);
  }

  // The URL's hash

  /** With which the parts begin. */
  get #word() {
    const { hash } = this.#options;
    return typeof hash === "string" ? hash : "filter";
  }

  /** If the hash has no filter, the page's own stays. */
  #readFirstHash() {
    if (this.#facetsText && this.#hash?.hashParts().some(this.#hash.isOf(this.#word, this.#markers.facets))) this.#readHash();
  }

  #readHash() {
    const { hashParts, isOf, chosenIn } = /** @type {typeof import("./legend-hash.js")} */ (this.#hash),
      { facets } = this.#markers,
      text = hashParts().filter(isOf(this.#word, facets)).join("&");
    // Another part has changed, such as the map's place.
    if (text === this.#hashText) return;
    this.#hashText = text;
    const wanted = chosenIn(this.#word, hashParts(), facets);
    clearTimeout(this.#pause);
    if (!wanted.length && this.#markers.currentFilter === null) return;
    this.#filter(wanted.map(([facet, chosen]) => this.#filterOf(facet, chosen)));
  }
}

/** Colours for the most frequent values of a column, or for its ranges.
 * @param {Facet} facet @param {Map<Value, import("../tileset/tileset.js").ValueCounts>} counts @returns {Colors} */
function colorsOf({ edges, values }, counts) {
  const known = /** @type {Exclude<Value, null>[]} */ (values.filter((value) => value !== null));
  const count = (/** @type {Value} */ value) => counts.get(value)?.all ?? 0;
  const ranked = edges ? known : [...known].sort((one, other) => count(other) - count(one)).slice(0, colorCount);
  /** @type {Colors} */
  const colors = ranked.map((value, index) => [value, edges ? rampColor(index / (ranked.length - 1)) : paletteColor(index)]);
  return values.includes(null) ? [...colors, ["", noValueColor]] : colors;
}
