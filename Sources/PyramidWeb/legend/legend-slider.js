// The ranges of a column in a legend: bars, and a slider with two handles that snap to the edges.
// In a page from right to left, texts in <bdi> keep their own direction.

import { made } from "../markers/elements.js";

/** @typedef {import("../markers/texts.js").Words & import("../markers/texts.js").LegendTexts} Words */
/** @typedef {import("../tileset/facets.js").Facet} Facet */
/** @typedef {import("../tileset/facets.js").Value} Value */
/** @typedef {import("../tileset/tileset.js").ValueCounts} ValueCounts */

/** More edges would overlap. */
const shownEdges = 6;

export class RangeSlider {
  /** @type {HTMLInputElement[]} */ #handles;
  #bars = made("div", { className: "bars", "aria-hidden": "true" });
  #fill = made("i");
  #range = made("bdi");
  #counts = made("span", { className: "counts" });
  #frame = 0;
  /** @type {string[]} */ #ranges;
  /** @type {(edge: number) => string} */ #text;
  /** @type {number[]} */ #edges;

  /** @param {Facet} facet with edges @param {string} title @param {Words} texts @param {(edge: number) => string} text
   * @param {(ranges: string[]) => void} choose called with the chosen ranges, at most once per frame */
  constructor(facet, title, texts, text, choose) {
    this.texts = texts;
    this.#edges = /** @type {number[]} */ (facet.edges);
    this.#ranges = /** @type {string[]} */ (facet.values.slice(0, this.#edges.length + 1));
    this.#text = text;
    const last = String(this.#ranges.length);
    this.#handles = [texts.lowerLimit(title), texts.upperLimit(title)].map((name) =>
      made("input", { type: "range", min: "0", max: last, step: "1", "aria-label": name, autocomplete: "off" }),
    );
    this.#bars.append(...this.#ranges.map(() => made("i")));
    for (const handle of this.#handles) {
      handle.addEventListener("input", () => {
        this.#separate(handle);
        this.#show();
        this.#frame ||= requestAnimationFrame(() => {
          this.#frame = 0;
          const [first, end] = this.#limits;
          choose(this.#ranges.slice(first, end));
        });
      });
    }
    this.node = made(
      "div",
      {},
      this.#bars,
      made("div", { className: "slider" }, this.#fill, ...this.#handles),
      this.#scale(),
      made("div", { className: "range" }, this.#range, this.#counts),
    );
  }

  /** The edges below the slider, as many as there is room for. */
  #scale() {
    const step = Math.ceil(this.#edges.length / shownEdges),
      scale = made("div", { className: "edges", "aria-hidden": "true" });
    for (let index = 0; index < this.#edges.length; index += step) {
      const text = made("span", {}, this.#text(this.#edges[index]));
      text.style.insetInlineStart = `${(100 * (index + 1)) / this.#ranges.length}%`;
      scale.append(text);
    }
    return scale;
  }

  get #limits() {
    return this.#handles.map(({ value }) => Number(value));
  }

  /** Keeps a range between the handles.
   * @param {HTMLInputElement} moved */
  #separate(moved) {
    const [first, end] = this.#limits;
    if (first < end) return;
    moved.value = String(moved === this.#handles[0] ? end - 1 : first + 1);
  }

  /** @param {Map<Value, ValueCounts>} counts @param {Set<Value>} chosen @param {(value: Value) => string | undefined} color of a bar */
  update(counts, chosen, color) {
    const indices = this.#ranges.flatMap((range, index) => (chosen.has(range) ? [index] : []));
    const [from, to] = this.#handles,
      isDragged = this.#frame !== 0;
    if (!isDragged) [from.value, to.value] = [String(indices[0] ?? 0), String((indices.at(-1) ?? this.#ranges.length - 1) + 1)];
    const heights = this.#ranges.map((range) => counts.get(range)?.filtered ?? counts.get(range)?.all ?? 0),
      highest = Math.max(...heights, 1);
    this.#ranges.forEach((range, index) => {
      const bar = /** @type {HTMLElement} */ (this.#bars.children[index]),
        isChosen = chosen.has(range);
      bar.className = isChosen ? "" : "off";
      bar.style.height = heights[index] ? `${Math.max((100 * heights[index]) / highest, 6)}%` : "0";
      bar.style.background = isChosen ? (color(range) ?? "") : "";
    });
    const sum = (/** @type {"filtered" | "inView"} */ name) =>
      indices.reduce((sum, index) => sum + (counts.get(this.#ranges[index])?.[name] ?? NaN), 0);
    showCounts(this.#counts, this.texts, sum("inView"), sum("filtered"), counts.values().next().value?.isAbout);
    this.#show(indices.length);
  }

  /** @param {number} [count] of chosen ranges */
  #show(count) {
    const { texts } = this,
      [first, end] = this.#limits,
      last = this.#ranges.length,
      edges = this.#edges;
    const from = first > 0 ? this.#text(edges[first - 1]) : null,
      to = end < last ? this.#text(edges[end - 1]) : null;
    const isAll = count === undefined || count === end - first;
    const text = from === null ? (to === null ? texts.all : texts.lessThan(to)) : to === null ? texts.orMore(from) : texts.between(from, to);
    this.#range.textContent = isAll ? text : count ? texts.some : texts.none;
    this.#handles[0].setAttribute("aria-valuetext", from ?? texts.unlimited);
    this.#handles[1].setAttribute("aria-valuetext", to ?? texts.unlimited);
    const place = (/** @type {number} */ index) => `calc(var(--legend-thumb) / 2 + (100% - var(--legend-thumb)) * ${index / last})`;
    [this.#fill.style.insetInlineStart, this.#fill.style.insetInlineEnd] = [place(first), place(last - end)];
  }
}

/** Shows two numbers, for the eye and for screen readers; unknown ones are left out.
 * @param {HTMLElement} node @param {Words} texts @param {number | undefined} inView @param {number | undefined} filtered
 * @param {boolean} [isAbout] whether `inView` is inexact */
export function showCounts(node, texts, inView, filtered, isAbout = false) {
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
