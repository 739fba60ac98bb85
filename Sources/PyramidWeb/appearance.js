// What markers look like, for all maps alike.

/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {{ radius: number, color: string, label: string, textColor: string }} Look */
/**
 * @typedef {object} AppearanceOptions
 * @property {string} [colorBy] the property whose values have colours, such as the column of `--group-by`
 * @property {Record<string, string>} [colors] colours of those values; others get one of ten
 * @property {number} [distance] the pixels between markers, as in `--cluster-distance`; 40 unless given. Circles don't overlap.
 * @property {(marker: Marker) => Partial<Look> | undefined} [look] what differs for a marker
 */

const clusterColors = [[10000, "#a8285e"], [1000, "#7a3cc0"], [100, "#4456cf"], [10, "#1f6fb0"], [0, "#14796a"]];
const pointColor = "#c2570c";
const palette = ["#4456cf", "#c2570c", "#14796a", "#a8285e", "#7a3cc0", "#1f6fb0", "#8a6d00", "#3d7a1d", "#b3261e", "#5c6370"];

export class Appearance {
  /** @type {WeakMap<Marker, Look>} */ #looks = new WeakMap();
  /** @type {Map<string, string>} */ #valueColors = new Map();
  /** @type {Map<string, { canvas: HTMLCanvasElement, half: number }>} */ #sprites = new Map();

  /** @param {AppearanceOptions} [options] */
  constructor(options = {}) {
    this.options = options;
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
    const text = String(value), chosen = this.options.colors;
    if (chosen && Object.hasOwn(chosen, text)) return chosen[text];
    const known = this.#valueColors.get(text);
    if (known) return known;
    let hash = 2166136261;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
    // The value says which colour, unless another one has it already.
    const first = (hash >>> 8) % palette.length, taken = new Set(this.#valueColors.values());
    const order = [...palette.slice(first), ...palette.slice(0, first)];
    const color = order.find((color) => !taken.has(color)) ?? order[0];
    this.#valueColors.set(text, color);
    return color;
  }

  /** @param {Marker} marker @returns {Look} */
  #plainLook(marker) {
    const { colorBy, distance = 40 } = this.options, { properties } = marker.feature;
    const largest = distance / 2 - 0.5, isOne = !marker.isCluster && !marker.points;
    const values = colorBy ? new Set((marker.points ?? [marker]).map(({ feature }) => feature.properties[colorBy])) : new Set();
    const [value] = values;
    const own = values.size === 1 && value !== undefined && typeof value !== "object" ? this.color(value) : undefined;
    const byCount = String(clusterColors.find(([count]) => marker.count >= Number(count))?.[1]);
    return {
      radius: isOne ? Math.min(6.5, largest / 2) : Math.min(largest, 11 + 1.7 * Math.log10(marker.count)),
      color: own ?? (isOne ? pointColor : byCount), textColor: "#fff",
      label: isOne ? "" : String(marker.isCluster ? properties.point_count_abbreviated ?? marker.count : abbreviated(marker.count)),
    };
  }

  /**
   * A circle with a ring and its label, painted once for each look.
   * @param {Look} look @param {number} ratio screen pixels of a pixel
   */
  sprite(look, ratio) {
    const radius = Math.round(look.radius * 4) / 4, key = `${radius} ${look.color} ${look.textColor} ${ratio} ${look.label}`;
    let sprite = this.#sprites.get(key);
    if (sprite) return sprite;
    if (this.#sprites.size > 3000) this.#sprites.clear();
    const half = Math.ceil(radius + 2), canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(2 * half * ratio);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.scale(ratio, ratio);
    context.translate(half, half);
    for (const [size, color] of /** @type {[number, string][]} */ ([[radius, "#fff"], [radius - 1.5, look.color]])) {
      context.fillStyle = color;
      context.beginPath();
      context.arc(0, 0, size, 0, 2 * Math.PI);
      context.fill();
    }
    drawLabel(context, look, radius);
    this.#sprites.set(key, (sprite = { canvas, half }));
    return sprite;
  }
}

/**
 * Draws a label around 0, 0, as large as a circle lets it be.
 * @param {CanvasRenderingContext2D} context @param {Look} look @param {number} radius
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

/** @param {number} count */
function abbreviated(count) {
  if (count < 1000) return String(count);
  const [value, unit] = count < 1e6 ? [count / 1e3, "k"] : [count / 1e6, "M"];
  return (value < 10 ? String(Math.floor(value * 10) / 10) : String(Math.floor(value))) + unit;
}
