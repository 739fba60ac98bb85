// How markers look, on all maps.

import { abbreviated } from "./marker.js";
import { facetCounts } from "./records.js";

/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {{ color: string, count: number }} Slice a part of a ring, and the points that it stands for */
/**
 * @typedef {object} Look
 * @property {number} radius
 * @property {string} color of the circle, or of the disc inside a ring
 * @property {string} label
 * @property {string} textColor
 * @property {string} ringColor of the thin line around it
 * @property {Slice[]} [slices] of the ring around the label, clockwise from the top (default: a plain circle)
 */
/**
 * @typedef {object} AppearanceOptions
 * @property {string} [colorBy] the property whose values decide the colours, such as the column of `--group-by`. Clusters
 *   with counts of its values, as made by `--count-by` and `--filter-by`, become rings
 * @property {Record<string, string> | [value: string | number | boolean, color: string][] | Map<string | number | boolean, string>} [colors] colours by value,
 *   in the order of a ring's slices; `""` stands for no value. Objects sort integer keys first: use pairs or a Map for these
 * @property {string} [otherColor] of all other values (default: one of ten colours, chosen by the value's name, so that two values may
 *   share one)
 * @property {number} [distance] the pixels between markers, as in `--cluster-distance` (default: 40). Circles don't overlap
 * @property {string} [ringColor] of the thin line around circles (default: white)
 * @property {(marker: Marker) => Partial<Look> | undefined} [look] changes the look of a marker
 */

const clusterColors = [[10000, "#a8285e"], [1000, "#7a3cc0"], [100, "#4456cf"], [10, "#1f6fb0"], [0, "#14796a"]];
const pointColor = "#c2570c";
export const noValueColor = "#7d7468";
/** Of clusters of which a filter leaves an unknown number of points. */
const unknownColor = "#8b929c";
/** Distinguishable colours for light and dark maps. */
export const palette = ["#4456cf", "#c2570c", "#14796a", "#a8285e", "#7a3cc0", "#1f6fb0", "#8a6d00", "#3d7a1d", "#b3261e", "#c2408f"];
/** Smaller circles have no line around them, which would hide them. */
const leastRadiusWithRing = 4;

export class Appearance {
  /** @type {WeakMap<Marker, Look>} */ #looks = new WeakMap();
  /** @type {Map<string, string>} */ #colors;
  /** @type {Map<string, Sprite>} */ #sprites = new Map();
  /** @type {WeakMap<Look, Sprite>} */ #spritesOfLooks = new WeakMap();
  #isCrowded = false;

  /** @param {AppearanceOptions} [options] */
  constructor(options = {}) {
    this.options = options;
    const colors = options.colors ?? {}, pairs = isIterable(colors) ? colors : Object.entries(colors);
    this.#colors = new Map([...pairs].map(([value, color]) => [textOf(value), color]));
  }

  /** Whether points are drawn as dots, because there are many markers. */
  get isCrowded() { return this.#isCrowded; }
  set isCrowded(isCrowded) {
    if (isCrowded !== this.#isCrowded) this.#looks = new WeakMap();
    this.#isCrowded = isCrowded;
  }

  /** @param {Marker} marker @returns {Look} */
  look(marker) {
    let look = this.#looks.get(marker);
    if (!look) this.#looks.set(marker, (look = { ...this.#plainLook(marker), ...this.options.look?.(marker) }));
    return look;
  }

  /**
   * The colour of a value of the property `colorBy`.
   * @param {unknown} value
   */
  color(value) {
    const text = textOf(value), known = this.#colors.get(text);
    if (known !== undefined) return known;
    if (text === "") return noValueColor;
    if (this.options.otherColor) return this.options.otherColor;
    // By the name alone: colours in order of appearance would differ from view to view.
    let hash = 2166136261;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
    return palette[(hash >>> 8) % palette.length];
  }

  /** @param {Marker} marker @returns {Look} */
  #plainLook(marker) {
    const { distance = 40, ringColor = "#fff" } = this.options, { properties } = marker.feature;
    const largest = distance / 2 - 0.5, isOne = !marker.isCluster && !marker.points;
    const byCount = String(clusterColors.find(([count]) => marker.count >= Number(count))?.[1]);
    const radius = isOne ? Math.min(this.#isCrowded ? 2.5 : 6.5, largest / 2) : Math.min(largest, 11 + 1.7 * Math.log10(marker.count));
    const label = isOne ? "" : String(marker.isCluster ? properties.point_count_abbreviated ?? marker.count : abbreviated(marker.count));
    if (!marker.isExact) return { radius, color: unknownColor, label: `~${label}`, textColor: "#fff", ringColor };
    const slices = this.#slices(marker);
    if (slices.length > 1) return { radius, color: "#fff", label, textColor: "#17202e", ringColor, slices };
    return { radius, color: slices[0]?.color ?? (isOne ? pointColor : byCount), label, textColor: "#fff", ringColor };
  }

  /** @param {Marker} marker @returns {Slice[]} */
  #slices(marker) {
    const { colorBy } = this.options;
    if (!colorBy) return [];
    const counts = countsByValue([marker], colorBy), order = [...this.#colors.keys()];
    // A cluster without a value belongs to no group, or to the group without a value: only the page can tell.
    if (counts.size === 1 && counts.has("") && !this.#colors.has("")) return [];
    // Values without a colour of their own come last, by name, because the order in a tile depends on its counts.
    const rank = (/** @type {string} */ value) => (order.includes(value) ? order.indexOf(value) : order.length);
    const byRank = (/** @type {[string, number]} */ [one], /** @type {[string, number]} */ [other]) => rank(one) - rank(other) || (one < other ? -1 : 1);
    /** @type {Map<string, number>} */
    const byColor = new Map();
    for (const [value, count] of [...counts].sort(byRank)) {
      const color = this.color(value);
      byColor.set(color, (byColor.get(color) ?? 0) + count);
    }
    return [...byColor].map(([color, count]) => ({ color, count }));
  }

  /**
   * A circle or ring with its label, painted once per look.
   * @param {Look} look @param {number} ratio device pixels per CSS pixel
   * @returns {Sprite}
   */
  sprite(look, ratio) {
    const own = this.#spritesOfLooks.get(look);
    if (own?.ratio === ratio) return own;
    const name = `${nameOf(look)} ${ratio}`;
    let sprite = this.#sprites.get(name);
    if (!sprite) {
      if (this.#sprites.size > 3000) this.#sprites.clear();
      this.#sprites.set(name, (sprite = painted(look, ratio)));
    }
    this.#spritesOfLooks.set(look, sprite);
    return sprite;
  }
}

/** @typedef {{ canvas: HTMLCanvasElement, half: number, ratio: number }} Sprite `half` the pixels of its width and height */

/** @param {number} radius */
const rounded = (radius) => Math.round(radius * 4) / 4;

/**
 * A key that is the same for looks that are drawn the same.
 * @param {Look} look
 */
export function nameOf({ radius, color, textColor, ringColor, label, slices = [] }) {
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  const ring = slices.map(({ color, count }) => color + (count / total).toFixed(2)).join();
  return [rounded(radius), color, textColor, ringColor, ring, label].join("|");
}

/** @param {Look} look @param {number} ratio @returns {Sprite} */
function painted(look, ratio) {
  const radius = rounded(look.radius), { color, ringColor, slices } = look;
  const half = Math.ceil(radius + 2), canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.ceil(2 * half * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(ratio, ratio);
  context.translate(half, half);
  const circle = (/** @type {number} */ radius, /** @type {string} */ color) => {
    context.fillStyle = color;
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.fill();
  };
  const hasRing = radius >= leastRadiusWithRing, inside = hasRing ? radius - 1.5 : radius;
  if (hasRing) circle(radius, ringColor);
  circle(inside, color);
  if (slices) drawSlices(context, slices, inside);
  const middle = slices ? inside * middleShare : inside;
  // A ring without room for a label has no disc inside.
  if (slices && inside >= 6) circle(middle, color);
  if (!slices || inside >= 6) drawLabel(context, look, middle);
  return { canvas, half, ratio };
}

/** The radius of the disc inside a ring. */
const middleShare = 0.77;

/** @param {CanvasRenderingContext2D} context @param {Slice[]} slices @param {number} radius */
function drawSlices(context, slices, radius) {
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  let angle = -Math.PI / 2;
  for (const { color, count } of slices) {
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(0, 0);
    context.arc(0, 0, radius, angle, (angle += 2 * Math.PI * count / total));
    context.fill();
  }
}

/**
 * Draws a label centred at 0, 0, as large as fits into the circle.
 * @param {CanvasRenderingContext2D} context @param {{ label: string, textColor: string }} look @param {number} radius
 */
export function drawLabel(context, { label, textColor }, radius) {
  if (!label) return;
  const setSize = (/** @type {number} */ size) => { context.font = `600 ${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`; };
  let size = Math.min(12.5, radius);
  setSize(size);
  const width = context.measureText(label).width;
  if (width > 1.7 * radius) setSize(size *= 1.7 * radius / width);
  [context.fillStyle, context.textAlign, context.textBaseline] = [textColor, "center", "middle"];
  context.fillText(label, 0, size * 0.05);
}

/**
 * The number of points with each value of a property, from points, clusters of `--group-by`, and clusters with counts
 * of `--count-by` or `--filter-by`. `""` stands for no value. Under a filter, the points that match count; clusters of which
 * that is unknown don't.
 * @param {Iterable<Marker>} markers @param {string} property
 * @returns {Map<string, number>}
 */
export function countsByValue(markers, property) {
  const counts = new Map(), add = (/** @type {string} */ text, /** @type {number} */ count) => counts.set(text, (counts.get(text) ?? 0) + count);
  for (const marker of markers) {
    for (const one of marker.points ?? [marker]) {
      const { isCluster, count, feature, isExact } = one, known = isExact ? facetCounts(one, property) : null, value = feature.properties[property];
      if (known) for (const [name, part] of known) add(textOf(name), part);
      else if (known === null) continue;
      else if (isCluster && typeof value === "object" && value && !Array.isArray(value)) for (const [text, part] of Object.entries(value)) add(text, Number(part));
      else add(textOf(value), count);
    }
  }
  return counts;
}

/**
 * @param {NonNullable<AppearanceOptions["colors"]>} colors
 * @returns {colors is Exclude<AppearanceOptions["colors"], Record<string, string> | undefined>}
 */
const isIterable = (colors) => Symbol.iterator in colors;

/** @param {unknown} value */
const textOf = (value) => (value == null || typeof value === "object" ? "" : String(value));
