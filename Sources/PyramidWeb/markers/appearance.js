// How markers look, on all maps.

import { colorSchemes, textOnOther } from "./color-schemes.js";
import { Icons } from "./icons.js";
import { abbreviated } from "../tileset/marker.js";
import { facetCounts } from "../tileset/records.js";
import { nameOf, painted, radiusFor } from "./sprite.js";

/** @typedef {import("../tileset/marker.js").Marker} Marker */
/** @typedef {import("./color-schemes.js").Color} Color */
/** @typedef {{ color: string, count: number }} Slice a part of a ring, and the points that it stands for */
/** @typedef {HTMLImageElement | HTMLCanvasElement} Picture */
/** @typedef {object} Look
 * @property {number} radius the radius in pixels, including the line around it; for an icon, half of its longer side
 * @property {string} color the colour of the circle, or of the disc inside a ring
 * @property {string} label
 * @property {string} textColor
 * @property {string} ringColor the colour of the thin line around it
 * @property {Slice[]} [slices] the parts of the ring around the label, clockwise from the top (default: a plain circle)
 * @property {string | Picture} [icon] drawn instead of the circle, below the label: the URL of a picture, an image or a canvas. The circle
 *   is drawn until it is loaded, or if it can't be loaded
 * @property {[width: number, height: number]} [iconSize] the icon's size in pixels (default: the picture's)
 * @property {[x: number, y: number]} [iconAnchor] the pixels from the icon's upper left corner to the marker's place (default: the icon's centre) */
/** @typedef {[value: string | number | boolean, color: Color][]} ColorPairs */
/** @typedef {object} AppearanceOptions
 * @property {string} [colorBy] the property whose values decide the colours, such as the column of `--group-by`. Clusters
 *   become rings, with a slice for each value that they count (`--count-by` or `--filter-by`)
 * @property {Record<string, Color> | ColorPairs | Map<string | number | boolean, Color>} [colors] colours by value,
 *   in the order of a ring's slices; `""` stands for no value. Objects sort integer keys first: use pairs or a Map for these
 * @property {Color} [otherColor] the colour of all other values (default: one of ten colours, chosen by the value's name, so two values may
 *   share one)
 * @property {import("./color-schemes.js").ColorScheme} [colorScheme] whether the map is light or dark (default: "light")
 * @property {string} [ringColor] the colour of the thin line around circles (default: the scheme's)
 * @property {(marker: Marker) => Partial<Look> | undefined} [look] changes the look of a marker, also of a legend's samples (`marker.isSample`) */

/** Where a tileset doesn't tell the pixels between its markers. */
const defaultDistance = 40;
/** The radii of the smallest clusters and of those with 100,000 points or more, in pixels, if there is room. */
const leastRadius = 11,
  mostRadius = 28;

/** The minimum distance between the markers of a zoom, in pixels.
 * @param {{ cluster_distances?: number[], minzoom?: number }} tileJSON @param {number} zoom */
export const distanceAt = ({ cluster_distances: distances, minzoom = 0 }, zoom) => distances?.[zoom - minzoom] ?? defaultDistance;

export class Appearance {
  /** @type {WeakMap<Marker, Look>} */ #looks = new WeakMap();
  /** @type {AppearanceOptions} */ options = {};
  /** @type {Map<string, Color>} */ #colors = new Map();
  /** @type {Map<string, import("./sprite.js").Sprite>} */ #sprites = new Map();
  /** @type {WeakMap<Look, import("./sprite.js").Sprite>} */ #spritesOfLooks = new WeakMap();
  #icons = new Icons(() => {
    this.#looks = new WeakMap();
    this.#changed();
  });
  #changed;
  /** Whether points are drawn as dots, because there are many markers. */ isCrowded = false;
  /** The minimum distance between markers in pixels. Circles are no wider, so they don't overlap. */ distance = defaultDistance;

  /** @param {AppearanceOptions} [options] @param {() => void} [changed] called when a loaded icon has changed the look of markers
   * @param {(label: string) => string} [labelText] a short count in the language of the map */
  constructor(options = {}, changed = () => {}, labelText = String) {
    this.#changed = changed;
    this.labelText = labelText;
    this.restyle(options);
  }

  /** @param {AppearanceOptions} options instead of the previous ones */
  restyle(options) {
    this.options = options;
    this.#looks = new WeakMap();
    const colors = options.colors ?? {},
      pairs = isIterable(colors) ? colors : Object.entries(colors);
    this.#colors = new Map([...pairs].map(([value, color]) => [textOf(value), color]));
  }

  /** The colours that don't depend on values. */
  get scheme() {
    return colorSchemes[this.options.colorScheme ?? "light"];
  }

  /** Adapts the looks to the markers of a view.
   * @param {boolean} isCrowded @param {number} distance */
  suit(isCrowded, distance) {
    if (isCrowded !== this.isCrowded || distance !== this.distance) this.#looks = new WeakMap();
    [this.isCrowded, this.distance] = [isCrowded, distance];
  }

  /** @param {Marker} marker @returns {Look} */
  look(marker) {
    let look = this.#looks.get(marker);
    if (!look) {
      const own = this.options.look?.(marker),
        plain = this.#plainLook(marker);
      this.#looks.set(marker, (look = { ...plain, ...own }));
      // A label that doesn't fit makes the circle larger, up to its limit.
      if (look.label && own?.radius === undefined) look.radius = Math.max(look.radius, Math.min(this.distance / 2, radiusFor(look)));
      if (own?.icon) Object.assign(look, this.#icons.look(own));
    }
    return look;
  }

  /** The colour of a value of the property `colorBy`.
   * @param {unknown} value */
  color(value) {
    const text = textOf(value),
      known = this.#colors.get(text);
    if (known !== undefined) return this.#inScheme(known);
    if (text === "") return this.scheme.noValue;
    if (this.options.otherColor) return this.#inScheme(this.options.otherColor);
    // By the name alone: colours in order of appearance would differ from view to view.
    let hash = 2166136261;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
    return this.scheme.palette[(hash >>> 8) % this.scheme.palette.length];
  }

  /** @param {Color} color */
  #inScheme(color) {
    return typeof color === "string" ? color : color[this.options.colorScheme ?? "light"];
  }

  /** @param {Marker} marker @returns {Look} */
  #plainLook(marker) {
    const { scheme } = this,
      { properties } = marker.feature,
      ringColor = this.options.ringColor ?? scheme.outline;
    const largest = this.distance / 2,
      isOne = !marker.isCluster && !marker.points;
    // In a few pixels, tenfold counts differ best if few points are all small.
    const share = Math.min(Math.log10(marker.count) / 5, 1) ** 1.5,
      grown = Math.min(largest, leastRadius + (Math.min(largest, mostRadius) - leastRadius) * share),
      radius = isOne ? Math.min(this.isCrowded ? 2.5 : 6.5, largest / 2) : grown;
    const short = marker.isCluster ? (properties.point_count_abbreviated ?? marker.count) : abbreviated(marker.count),
      label = isOne ? "" : this.labelText(String(short));
    const filled = { radius, label, textColor: scheme.textOnColor, ringColor };
    if (!marker.isExact) return { ...filled, color: scheme.other, textColor: textOnOther, label: `~${label}` };
    const slices = this.#slices(marker);
    if (isOne && slices.length < 2) return { ...filled, color: slices[0]?.color ?? scheme.point };
    // Also of one value: a filled circle of a few points would outweigh the rings of many.
    if (slices.length) return { radius, color: scheme.middle, label, textColor: scheme.text, ringColor, slices };
    return { ...filled, color: String(scheme.counts.find(([count]) => marker.count >= count)?.[1]) };
  }

  /** @param {Marker} marker @returns {Slice[]} */
  #slices(marker) {
    const { colorBy } = this.options;
    if (!colorBy) return [];
    const counts = countsByValue([marker], colorBy),
      order = [...this.#colors.keys()];
    // A cluster without a value belongs to no group, or to the group without a value: only the page can tell.
    if (counts.size === 1 && counts.has("") && !this.#colors.has("")) return [];
    // Values without a colour of their own come last, by name, because the order in a tile depends on its counts.
    const rank = (/** @type {string} */ value) => order.indexOf(value) + 1 || order.length + 1;
    const byRank = (/** @type {[string, number]} */ [one], /** @type {[string, number]} */ [other]) =>
      rank(one) - rank(other) || (one < other ? -1 : 1);
    /** @type {Map<string, number>} */
    const byColor = new Map();
    for (const [value, count] of [...counts].sort(byRank)) {
      const color = this.color(value);
      byColor.set(color, (byColor.get(color) ?? 0) + count);
    }
    return [...byColor].map(([color, count]) => ({ color, count }));
  }

  /** A circle, a ring or an icon with its label, if it has been painted.
   * @param {Look} look @param {number} ratio device pixels per CSS pixel */
  known(look, ratio) {
    let sprite = this.#spritesOfLooks.get(look);
    if (sprite?.ratio !== ratio) {
      sprite = this.#sprites.get(`${nameOf(look)} ${ratio}`);
      if (sprite) this.#spritesOfLooks.set(look, sprite);
    }
    return sprite;
  }

  /** The same, painted once per look.
   * @param {Look} look @param {number} ratio */
  sprite(look, ratio) {
    let sprite = this.known(look, ratio);
    if (!sprite) {
      if (this.#sprites.size > 3000) this.#sprites.clear();
      this.#sprites.set(`${nameOf(look)} ${ratio}`, (sprite = painted(look, ratio)));
    }
    return sprite;
  }
}

/** The number of points with each value of a property, from points, clusters of `--group-by`, and clusters with counts
 * of `--count-by` or `--filter-by`. `""` stands for no value. Under a filter, counts the matching points, without
 * clusters for which their number is unknown.
 * @param {Iterable<Marker>} markers @param {string} property @returns {Map<string, number>} */
export function countsByValue(markers, property) {
  const counts = new Map(),
    add = (/** @type {string} */ text, /** @type {number} */ count) => counts.set(text, (counts.get(text) ?? 0) + count);
  for (const marker of markers) {
    for (const one of marker.points ?? [marker]) {
      const { isCluster, count, feature, isExact } = one,
        known = isExact ? facetCounts(one, property) : null,
        value = feature.properties[property];
      if (known) for (const [name, part] of known) add(textOf(name), part);
      else if (known === null) continue;
      else if (isCluster && typeof value === "object" && value && !Array.isArray(value))
        for (const [text, part] of Object.entries(value)) add(text, Number(part));
      else add(textOf(value), count);
    }
  }
  return counts;
}

/** @param {NonNullable<AppearanceOptions["colors"]>} colors
 * @returns {colors is Exclude<AppearanceOptions["colors"], Record<string, Color> | undefined>} */
const isIterable = (colors) => Symbol.iterator in colors;

/** @param {unknown} value */
const textOf = (value) => (value == null || typeof value === "object" ? "" : String(value));
