// Meridians and parallels.

import { toDegrees, toWorld } from "../../PyramidWeb/tileset/geometry.js";
import { drawLabel } from "./geography.js";

const graticuleSteps = [60, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

function degreesText(value, step, positive, negative) {
  const digits = step >= 1 ? 0 : Math.ceil(-Math.log10(step) - 1e-9);
  const text = Math.abs(value).toFixed(digits);
  return Number(text) % 180 === 0 ? `${text}°` : `${text}° ${value > 0 ? positive : negative}`;
}

/** Draws meridians and parallels, and returns their labels, `[text, x, y, align]`, at the edges of window or world. */
export function drawGraticule(context, { left, top, size, from, to, width, height }, foot, margin, theme) {
  const step = graticuleSteps.findLast((step) => (step / 360) * size >= 130) ?? graticuleSteps[0];
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.beginPath();
  const labels = [],
    west = Math.max(left, from),
    east = Math.min(left + width / size, to);
  const right = (east - left) * size,
    bottom = Math.min((1 - top) * size, height - foot);
  for (let index = Math.ceil(((west - 0.5) * 360) / step); index <= Math.floor(((east - 0.5) * 360) / step); index++) {
    const x = Math.round(((index * step) / 360 + 0.5 - left) * size) + 0.5;
    context.moveTo(x, -margin);
    context.lineTo(x, height + margin);
    const longitude = index * step - 360 * Math.round((index * step) / 360);
    if (x < right - 40) labels.push([degreesText(longitude, step, "E", "W"), x + 4, bottom - 4, "left"]);
  }
  const south = Math.max(toDegrees(0, Math.min(top + height / size, 1))[1], -85),
    north = Math.min(toDegrees(0, Math.max(top, 0))[1], 85);
  for (let index = Math.ceil(south / step); index <= Math.floor(north / step); index++) {
    const y = Math.round((toWorld(0, index * step)[1] - top) * size) + 0.5;
    context.moveTo(-margin, y);
    context.lineTo(width + margin, y);
    labels.push([degreesText(index * step, step, "N", "S"), right - 6, y - 2, "right"]);
  }
  context.stroke();
  // The world is too small for labels.
  return size < 512 ? [] : labels;
}

/** Draws the labels of the graticule for which there is room. */
export function drawGraticuleLabels(context, labels, theme, space) {
  context.fillStyle = theme.faint;
  context.font = '10.5px system-ui, "DejaVu Sans", sans-serif';
  context.textBaseline = "bottom";
  context.textAlign = "left";
  for (const [text, x, y, align] of labels) {
    const textWidth = context.measureText(text).width,
      start = align === "right" ? x - textWidth : x;
    if (!space.isFree(start - 1, y - 12, textWidth + 2, 11)) continue;
    space.take(start - 6, y - 14, textWidth + 12, 16);
    drawLabel(context, text, start, y, theme);
    space.labels.push({ text, x: start, y: y - 12, width: textWidth, height: 11 });
  }
}
