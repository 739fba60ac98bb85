// A column to filter by in a legend: a switch for each value, and a slider for ranges and dates.

import { made } from "../markers/elements.js";

/** @typedef {import("../tileset/facets.js").Facet} Facet */
/** @typedef {import("../tileset/facets.js").Value} Value */
/** @typedef {import("../tileset/tileset.js").ValueCounts} ValueCounts */
/** @typedef {{ row: HTMLElement, box: HTMLInputElement, dot: HTMLElement, counts: HTMLElement }} Row */
/** @typedef {object} ColumnState
 * @property {Map<Value, ValueCounts>} counts
 * @property {Set<Value>} chosen
 * @property {(value: Value) => string | undefined} color undefined if the column doesn't give the colours */

/** More values than this are behind a button. */
const shortLength = 12;
/** Longer lists can be searched. */
const searchedLength = 24;

export class LegendColumn {
  /** @type {Map<Value, Row>} */ #rows = new Map();
  #list = made("ul");
  #all;
  #more = made("button", { type: "button", className: "more" });
  #search;
  #isLong = false;
  /** @type {import("./legend-slider.js").Slider | undefined} */ #slider;
  /** The values with rows. */ #values;
  /** @type {ColumnState | null} */ #state = null;

  /** @param {Facet} facet @param {string} title @param {import("./legend-slider.js").Words} texts
   * @param {(value: Exclude<Value, null>) => string | undefined} format the text of a value, or of an edge
   * @param {(chosen: Set<Value>) => void} choose @param {import("./legend.js").Load} load */
  constructor(facet, title, texts, format, choose, load) {
    this.facet = facet;
    this.title = title;
    this.texts = texts;
    this.format = format;
    this.choose = choose;
    const hasSlider = (facet.edges || facet.dates) && facet.values.some((value) => value !== null);
    this.#values = hasSlider ? facet.values.filter((value) => value === null) : facet.values;
    this.#all = made("button", { type: "button", className: "all", "aria-label": texts.allOf(title) }, texts.all);
    this.#search = made("input", { type: "search", placeholder: texts.find, "aria-label": texts.findIn(title) });
    this.#all.addEventListener("click", () => {
      choose(new Set(facet.values));
      this.node.querySelector("input")?.focus();
    });
    this.#more.addEventListener("click", () => {
      this.#isLong = !this.#isLong;
      this.#search.value = "";
      this.#show();
    });
    this.#search.addEventListener("input", () => this.#show());
    this.node = made("fieldset", {}, made("legend", {}, title), this.#all, this.#search, this.#list, this.#more);
    if (!hasSlider) return;
    const chooseWindow = (/** @type {Value[]} */ window) =>
      choose(new Set([...window, ...this.#values.filter((value) => this.#state?.chosen.has(value))]));
    load(async () => {
      const loadRanges = () => import("./legend-slider.js"),
        loadDates = () => import("./legend-timeline.js");
      const { sliderOf } = await (facet.edges ? loadRanges : loadDates)();
      return sliderOf(facet, title, texts, format, chooseWindow);
    }).then((slider) => {
      if (!slider) return;
      this.#slider = slider;
      this.#search.before(slider.node);
      this.#show();
    });
  }

  /** @param {ColumnState} state */
  update(state) {
    this.#state = state;
    this.#show();
  }

  /** Ends what moves a slider by itself. */
  stop() {
    this.#slider?.stop();
  }

  #show() {
    if (!this.#state) return;
    if (this.#slider) {
      const { counts, chosen, color } = this.#state,
        [inView, filtered] = this.#slider.update(counts, chosen, color);
      showCounts(this.#slider.counts, this.texts, inView, filtered, counts.values().next().value?.isAbout);
    }
    const { chosen } = this.#state,
      count = this.#values.length,
      isFiltered = chosen.size < this.facet.values.length;
    const wanted = this.#search.value.trim().toLocaleLowerCase(this.texts.locale);
    // Values that were chosen in the long list stay in the short one.
    const isShown = (/** @type {Value} */ value, /** @type {number} */ index) =>
      wanted
        ? this.#textOf(value).toLocaleLowerCase(this.texts.locale).includes(wanted)
        : this.#isLong || index < shortLength || (isFiltered && chosen.size <= shortLength && chosen.has(value));
    const shown = this.#values.filter(isShown),
      rows = shown.map((value) => this.#row(value).row);
    if (rows.length !== this.#list.children.length || rows.some((row, index) => row !== this.#list.children[index]))
      this.#list.replaceChildren(...rows);
    for (const value of shown) this.#update(value);
    this.#all.hidden = !isFiltered;
    this.#search.hidden = count <= searchedLength;
    this.#more.hidden = count <= shortLength || (!this.#isLong && shown.length === count);
    this.#more.setAttribute("aria-expanded", String(this.#isLong));
    this.#more.textContent = this.#isLong ? this.texts.fewer : this.texts.moreValues(this.texts.countText(count - shown.length));
  }

  /** @param {Value} value */
  #textOf(value) {
    if (value === null) return this.texts.noValue;
    const own = this.format(value);
    if (own !== undefined) return own;
    if (typeof value === "boolean") return value ? this.texts.yes : this.texts.no;
    return typeof value === "number" ? this.texts.numberText(value) : value || this.texts.empty;
  }

  /** @param {Value} value @returns {Row} */
  #row(value) {
    const known = this.#rows.get(value);
    if (known) return known;
    const text = this.#textOf(value),
      dot = made("span", { className: "dot" }),
      counts = made("span", { className: "counts" });
    const box = made("input", { type: "checkbox", autocomplete: "off" });
    const only = made("button", { type: "button", className: "only", "aria-label": this.texts.onlyValue(text) }, this.texts.only);
    box.addEventListener("change", () => {
      const chosen = new Set(this.#state?.chosen);
      if (box.checked) chosen.add(value);
      else chosen.delete(value);
      this.choose(chosen);
    });
    only.addEventListener("click", () => this.choose(new Set([value])));
    const row = made("li", {}, made("label", {}, box, dot, made("span", { className: "text", title: text }, made("bdi", {}, text)), counts), only);
    const result = { row, box, dot, counts };
    this.#rows.set(value, result);
    return result;
  }

  /** @param {Value} value */
  #update(value) {
    const { counts, chosen, color } = /** @type {ColumnState} */ (this.#state),
      { box, dot, counts: node } = this.#row(value),
      background = color(value);
    box.checked = chosen.has(value);
    dot.hidden = background === undefined;
    dot.style.background = background ?? "";
    const { inView, filtered, isAbout } = counts.get(value) ?? {};
    showCounts(node, this.texts, inView, filtered, isAbout);
  }
}

/** Shows two numbers, for the eye and for screen readers; unknown ones are left out.
 * @param {HTMLElement} node @param {import("./legend-slider.js").Words} texts @param {number | undefined} inView @param {number | undefined} filtered
 * @param {boolean} [isAbout] whether `inView` is inexact */
function showCounts(node, texts, inView, filtered, isAbout = false) {
  const known = /** @type {const} */ ([
    [inView, (/** @type {string} */ count) => texts.inView(isAbout ? texts.about(count) : count), isAbout && inView ? "~" : ""],
    [filtered, texts.inAll, ""],
  ]).flatMap(([count, words, sign]) => (typeof count === "number" && !Number.isNaN(count) ? [{ count: texts.countText(count), words, sign }] : []));
  const text = known.map(({ count, sign }) => sign + count).join(" / ");
  if (!node.children.length) node.append(made("bdi", { "aria-hidden": "true" }), made("span", { className: "unseen" }));
  if (node.children[0].textContent === text) return;
  node.children[0].textContent = text;
  node.children[1].textContent = known.map(({ count, words }) => words(count)).join(", ");
}
