// What lies behind the markers: meridians and parallels, and the borders of the tiles.

const graticuleSteps = [60, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

function degreesText(value, step, positive, negative) {
  const digits = step >= 1 ? 0 : Math.ceil(-Math.log10(step) - 1e-9);
  const text = Math.abs(value).toFixed(digits);
  return Number(text) % 180 === 0 ? `${text}°` : `${text}° ${value > 0 ? positive : negative}`;
}

const latitudeOf = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;

/** Draws meridians and parallels, and gives their labels: `[text, x, y, align]` at the edges of the window or the world. */
function drawGraticule(context, { left, top, size, from, to }, width, height, foot, theme) {
  const step = graticuleSteps.findLast((step) => step / 360 * size >= 130) ?? graticuleSteps[0];
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.beginPath();
  const labels = [], west = Math.max(left, from), east = Math.min(left + width / size, to);
  const right = (east - left) * size, bottom = Math.min((1 - top) * size, height - foot);
  for (let index = Math.ceil((west - 0.5) * 360 / step); index <= Math.floor((east - 0.5) * 360 / step); index++) {
    const x = Math.round((index * step / 360 + 0.5 - left) * size) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, height);
    const longitude = index * step - 360 * Math.round(index * step / 360);
    if (x < right - 40) labels.push([degreesText(longitude, step, "E", "W"), x + 4, bottom - 4, "left"]);
  }
  const south = Math.max(latitudeOf(Math.min(top + height / size, 1)), -85), north = Math.min(latitudeOf(Math.max(top, 0)), 85);
  for (let index = Math.ceil(south / step); index <= Math.floor(north / step); index++) {
    const y = Math.round((toWorld(0, index * step)[1] - top) * size) + 0.5;
    context.moveTo(0, y);
    context.lineTo(width, y);
    labels.push([degreesText(index * step, step, "N", "S"), right - 6, y - 2, "right"]);
  }
  context.stroke();
  // A world that small has no room for words.
  return size < 512 ? [] : labels;
}

/** Draws the labels of the graticule that have room. */
function drawGraticuleLabels(context, labels, theme, space) {
  context.fillStyle = theme.faint;
  context.font = '10.5px system-ui, "DejaVu Sans", sans-serif';
  context.textBaseline = "bottom";
  context.textAlign = "left";
  for (const [text, x, y, align] of labels) {
    const textWidth = context.measureText(text).width, start = align === "right" ? x - textWidth : x;
    if (!space.isFree(start - 1, y - 12, textWidth + 2, 11)) continue;
    space.take(start - 6, y - 14, textWidth + 12, 16);
    drawLabel(context, text, start, y, theme);
    space.labels.push({ text, x: start, y: y - 12, width: textWidth, height: 11 });
  }
}

const byteText = (count) => (count < 1000 ? `${count} B` : count < 1e6 ? `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)} kB` : `${(count / 1e6).toFixed(1)} MB`);

/** @param tiles with the copy of the world that each is seen in */
function drawTiles(context, { left, top, size }, tiles, theme) {
  context.strokeStyle = theme.tile;
  context.fillStyle = theme.tile;
  context.textBaseline = "top";
  context.textAlign = "left";
  context.lineWidth = 1;
  for (const { tile, copy } of tiles) {
    const side = size / 2 ** tile.z;
    const x = (copy - left) * size + tile.x * side, y = tile.y * side - top * size;
    context.setLineDash(tile.isMissing ? [2, 5] : []);
    context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(side), Math.round(side));
    context.setLineDash([]);
    context.font = '600 11px system-ui, "DejaVu Sans", sans-serif';
    context.fillText(`${tile.z}/${tile.x}/${tile.y}`, x + 6, y + 6);
    context.font = '10.5px system-ui, "DejaVu Sans", sans-serif';
    const text = { loading: "…", failed: "failed" }[tile.state] ?? (tile.isMissing ? "no tile" : `${tile.markers.length.toLocaleString("en")} · ${byteText(tile.byteCount)}`);
    context.fillText(text, x + 6, y + 21);
  }
}
