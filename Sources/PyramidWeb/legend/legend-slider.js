// A slider for a column in a legend: bars, and two handles that choose a window of neighbouring values. Loaded for the first such column.
// In a page from right to left, texts in <bdi> keep their own direction.

import { made } from "../markers/elements.js";

/** @typedef {import("../markers/texts.js").Words & import("../markers/texts.js").LegendTexts} Words */
/** @typedef {import("../tileset/facets.js").Facet} Facet */
/** @typedef {import("../tileset/facets.js").Value} Value */
/** @typedef {import("../tileset/tileset.js").ValueCounts} ValueCounts */
/** @typedef {object} Steps what the handles go through. A place is the number of values before it
 * @property {Value[]} values
 * @property {(place: number) => string | undefined} from the text of the lower handle, undefined without a limit
 * @property {(place: number) => string | undefined} to the same of the upper one
 * @property {(first: number, end: number) => string} between the text of a window
 * @property {HTMLElement} scale below the bars */
/** @typedef {(value: string | number) => string | undefined} Format a page's own text of an edge or a bucket */

/** More edges would overlap. */
const shownEdges = 6;
/** More bars would be thinner than a pixel, or than their gaps. */
const mostBars = 120,
  mostGaps = 60;

/** @param {Facet} facet with edges @param {string} title @param {Words} texts @param {Format} format @param {(values: Value[]) => void} choose */
export function sliderOf({ edges = [], values }, title, texts, format, choose) {
  const text = (/** @type {number | undefined} */ edge) => (edge === undefined ? undefined : (format(edge) ?? texts.numberText(edge, edges))),
    limit = (/** @type {number} */ place) => text(edges[place - 1]),
    scale = made("div", { className: "edges", "aria-hidden": "true" });
  // As many edges as there is room for.
  for (let index = 0; index < edges.length; index += Math.ceil(edges.length / shownEdges)) {
    const insetInlineStart = `${(100 * (index + 1)) / (edges.length + 1)}%`;
    scale.append(made("span", { style: { insetInlineStart } }, text(edges[index]) ?? ""));
  }
  const between = (/** @type {number} */ first, /** @type {number} */ end) => {
    const [from, to] = [limit(first), limit(end)];
    if (from === undefined) return to === undefined ? texts.all : texts.lessThan(to);
    return to === undefined ? texts.orMore(from) : texts.between(from, to);
  };
  return new Slider({ values: values.slice(0, edges.length + 1), from: limit, to: limit, between, scale }, title, texts, choose);
}

export class Slider {
  /** @type {HTMLInputElement[]} */ #handles;
  #bars = made("div", { className: "bars", "aria-hidden": "true" });
  #fill = made("i");
  #range = made("bdi");
  #frame = 0;
  /** How many neighbours share a bar. */ #perBar;
  counts = made("span", { className: "counts" });
  row = made("div", { className: "range" }, this.#range, this.counts);
  /** Ends what moves the handles by itself. */
  stop = () => {};

  /** @param {Steps} steps @param {string} title @param {Words} texts
   * @param {(values: Value[]) => void} choose called with the chosen values, while a handle is dragged at most once per frame */
  constructor(steps, title, texts, choose) {
    this.steps = steps;
    this.texts = texts;
    this.choose = choose;
    const { length } = steps.values;
    this.#perBar = Math.ceil(length / mostBars);
    this.#handles = [texts.lowerLimit(title), texts.upperLimit(title)].map((name) =>
      made("input", { type: "range", min: "0", max: String(length), step: "1", "aria-label": name, autocomplete: "off" }),
    );
    for (let first = 0; first < length; first += this.#perBar)
      this.#bars.append(made("i", { style: { flexGrow: Math.min(this.#perBar, length - first) } }));
    if (this.#bars.children.length > mostGaps) this.#bars.style.gap = "0";
    for (const handle of this.#handles) {
      handle.addEventListener("pointerdown", () => this.stop());
      handle.addEventListener("input", () => {
        this.stop();
        this.#separate(handle);
        this.#show();
        this.#frame ||= requestAnimationFrame(() => {
          this.#frame = 0;
          choose(steps.values.slice(...this.limits));
        });
      });
    }
    this.node = made("div", {}, this.#bars, made("div", { className: "slider" }, this.#fill, ...this.#handles), steps.scale, this.row);
  }

  /** The places of the handles. */
  get limits() {
    return this.#handles.map(({ value }) => Number(value));
  }

  /** Keeps a value between the handles.
   * @param {HTMLInputElement} moved */
  #separate(moved) {
    const [first, end] = this.limits;
    if (first < end) return;
    moved.value = String(moved === this.#handles[0] ? end - 1 : first + 1);
  }

  /** @param {Map<Value, ValueCounts>} counts @param {Set<Value>} chosen @param {(value: Value) => string | undefined} color of a bar
   * @returns {number[]} the numbers of points in view and in all that the chosen values have; NaN if unknown */
  update(counts, chosen, color) {
    const { values } = this.steps,
      indices = values.flatMap((value, index) => (chosen.has(value) ? [index] : [])),
      [from, to] = this.#handles;
    if (!this.#frame) [from.value, to.value] = [String(indices[0] ?? 0), String((indices.at(-1) ?? values.length - 1) + 1)];
    const bars = [...this.#bars.children].map((bar, index) => {
      const own = values.slice(index * this.#perBar, (index + 1) * this.#perBar),
        heights = own.map((value) => counts.get(value)?.filtered ?? counts.get(value)?.all ?? 0);
      return { bar, own, height: heights.reduce((sum, height) => sum + height, 0) };
    });
    const highest = bars.reduce((most, { height }) => Math.max(most, height), 1);
    for (const { bar, own, height } of bars) {
      const { style } = /** @type {HTMLElement} */ (bar),
        isChosen = own.some((value) => chosen.has(value));
      bar.className = isChosen ? "" : "off";
      style.height = height ? `${Math.max((100 * height) / highest, 6)}%` : "0";
      style.background = isChosen ? (color(own[0]) ?? "") : "";
    }
    this.#show(indices.length);
    const sum = (/** @type {"filtered" | "inView"} */ name) => indices.reduce((sum, index) => sum + (counts.get(values[index])?.[name] ?? NaN), 0);
    return [sum("inView"), sum("filtered")];
  }

  /** @param {number} [count] of chosen values */
  #show(count) {
    const { steps, texts } = this,
      [first, end] = this.limits,
      last = steps.values.length;
    const isWindow = count === undefined || count === end - first;
    this.#range.textContent = isWindow ? steps.between(first, end) : count ? texts.some : texts.none;
    this.#handles[0].setAttribute("aria-valuetext", steps.from(first) ?? texts.unlimited);
    this.#handles[1].setAttribute("aria-valuetext", steps.to(end) ?? texts.unlimited);
    const place = (/** @type {number} */ index) => `calc(var(--legend-thumb) / 2 + (100% - var(--legend-thumb)) * ${index / last})`;
    [this.#fill.style.insetInlineStart, this.#fill.style.insetInlineEnd] = [place(first), place(last - end)];
  }

  /** Moves the window, and chooses it.
   * @param {number} first @param {number} end */
  move(first, end) {
    [this.#handles[0].value, this.#handles[1].value] = [String(first), String(end)];
    this.#show();
    this.choose(this.steps.values.slice(first, end));
  }
}
