// Pictures of markers.

/** @typedef {import("./appearance.js").Look} Look */
/** @typedef {{ canvas: HTMLCanvasElement, half: number, ratio: number }} Sprite the marker's place is in the middle of the canvas; `half`
 *   the pixels of its width and height */

/** Smaller circles have no line around them, which would hide them. */
const leastRadiusWithOutline = 4;
const outlineWidth = 1.5;
/** As wide as leaves room for three digits. */
const ringWidth = 3.25;
/** Smaller rings have no middle. */
const leastRadiusWithMiddle = 6;
/** The sizes of labels in pixels: smaller ones are hard to read. */
const largestLabel = 12.5,
  smallestLabel = 11;
/** How much narrower than its font a label may be. If that isn't enough, it is smaller than the smallest size. */
const leastWidth = 0.8;
/** Half of the height of digits in the smallest size, in pixels. */
const halfHeight = 4;
/** The pixels of a label's width that stay free. */
const gap = 1;

/** Down to quarters: circles must not become larger than they may.
 * @param {number} radius */
const rounded = (radius) => Math.floor(radius * 4) / 4;

/** Numbers for pictures. */
const numbers = new WeakMap();
let lastNumber = 0;

/** @param {any} icon a picture */
function iconName(icon) {
  if (!numbers.has(icon)) numbers.set(icon, ++lastNumber);
  return numbers.get(icon);
}

/** A key that is the same for looks that are drawn the same.
 * @param {Look} look */
export function nameOf({ radius, color, textColor, ringColor, label, slices = [], icon, iconSize, iconAnchor }) {
  if (icon) return ["icon", iconName(icon), iconSize, iconAnchor, textColor, label].join("|");
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  const ring = slices.map(({ color, count }) => color + (count / total).toFixed(2)).join();
  return [rounded(radius), color, textColor, ringColor, ring, label].join("|");
}

/** How far a place is outside a circle or an icon, in pixels; at most 0 if it is inside.
 * @param {Look} look @param {number} east pixels from the marker @param {number} south */
export function pixelsOutside({ radius, icon, iconSize: [width, height] = [0, 0], iconAnchor: [x, y] = [0, 0] }, east, south) {
  if (!icon) return Math.hypot(east, south) - radius;
  return Math.max(Math.abs(east + x - width / 2) - width / 2, Math.abs(south + y - height / 2) - height / 2);
}

/** How far a circle or an icon reaches up from its place, in pixels.
 * @param {Look} look */
export const heightOf = ({ radius, icon, iconAnchor }) => (icon && iconAnchor ? Math.max(iconAnchor[1], 0) : radius);

/** How far a circle or an icon reaches from its place in any direction, in pixels.
 * @param {Look} look */
export const halfOf = ({ radius, icon, iconSize: [width, height] = [0, 0], iconAnchor: [x, y] = [0, 0] }) =>
  Math.ceil(icon ? Math.max(x, width - x, y, height - y) : rounded(radius) + 1);

/** @param {Look} look @param {number} ratio device pixels per CSS pixel @returns {Sprite} */
export function painted(look, ratio) {
  const half = halfOf(look),
    canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.ceil(2 * half * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(ratio, ratio);
  context.translate(half, half);
  paint(context, look);
  return { canvas, half, ratio };
}

/** Draws a marker at 0, 0. It may move the origin: save and restore the context.
 * @param {CanvasRenderingContext2D} context @param {Look} look */
export function paint(context, look) {
  const { color, ringColor, slices, icon, iconSize: [width, height] = [0, 0], iconAnchor: [x, y] = [0, 0] } = look;
  if (icon) {
    // By now the icon is a loaded picture, see `Icons`.
    context.drawImage(/** @type {import("./appearance.js").Picture} */ (icon), -x, -y, width, height);
    context.translate(width / 2 - x, height / 2 - y);
    return drawLabel(context, look, Math.max(width, height) / 2);
  }
  const radius = rounded(look.radius),
    hasOutline = radius >= leastRadiusWithOutline,
    inside = hasOutline ? radius - outlineWidth : radius;
  const fill = (/** @type {number} */ radius, /** @type {string} */ color, from = 0, angle = 2 * Math.PI) => {
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(0, 0);
    context.arc(0, 0, radius, from, from + angle);
    context.fill();
  };
  if (hasOutline) fill(radius, ringColor);
  if (!slices) {
    fill(inside, color);
    return drawLabel(context, look, inside);
  }
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  let from = -Math.PI / 2;
  for (const { color, count } of slices) {
    fill(inside, color, from, (2 * Math.PI * count) / total);
    from += (2 * Math.PI * count) / total;
  }
  const middle = inside < leastRadiusWithMiddle ? inside : inside - ringWidth;
  if (middle < inside) fill(middle, color);
  drawLabel(context, look, middle);
}

/** @param {CanvasRenderingContext2D} context @param {number} size */
function setSize(context, size) {
  context.font = `600 ${size}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
}

/** @type {CanvasRenderingContext2D | undefined} */
let measuring;

/** The width of a label in the smallest size, in pixels; 0 outside of pages, where nothing is drawn.
 * @param {string} label */
function widthOf(label) {
  if (!globalThis.document) return 0;
  measuring ??= /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  setSize(measuring, smallestLabel);
  return measuring.measureText(label).width;
}

/** The radius of the smallest circle with room for a label, in pixels.
 * @param {Pick<Look, "label" | "slices">} look */
export function radiusFor({ label, slices }) {
  const inside = Math.hypot((leastWidth * widthOf(label) + gap) / 2, halfHeight);
  return Math.ceil((inside + outlineWidth + (slices ? ringWidth : 0)) * 4) / 4;
}

/** Draws a label centred at 0, 0, as large as fits into the circle.
 * @param {CanvasRenderingContext2D} context @param {{ label: string, textColor: string }} look @param {number} radius */
function drawLabel(context, { label, textColor }, radius) {
  const width = label ? widthOf(label) : 0;
  if (!width) return;
  // The width that there is, as a share of what the smallest size needs.
  const share = (2 * Math.sqrt(Math.max(radius ** 2 - halfHeight ** 2, 0)) - gap) / width,
    stretch = Math.min(Math.max(share, leastWidth), 1);
  const shrinking = Math.max(radius - gap / 2, 0) / Math.hypot((leastWidth * width) / 2, halfHeight);
  const size = smallestLabel * (share < leastWidth ? Math.min(shrinking, 1) : Math.min(Math.max(share, 1), largestLabel / smallestLabel));
  setSize(context, size);
  [context.fillStyle, context.textAlign, context.textBaseline] = [textColor, "center", "middle"];
  context.scale(stretch, 1);
  context.fillText(label, 0, size * 0.05);
}
