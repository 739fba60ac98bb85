// Everything behind the markers: land, graticule, labels, borders of the files, and the selected marker.

import { eastward, toWorld } from "../../PyramidWeb/tileset/geometry.js";
import { LeafletCanvas } from "../../PyramidWeb/maps/leaflet-canvas.js";
import { Geography, LabelSpace } from "./geography.js";
import { drawGraticule, drawGraticuleLabels } from "./graticule.js";

export const byteText = (count) =>
  count < 1000 ? `${count} B` : count < 1e6 ? `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)} kB` : `${(count / 1e6).toFixed(1)} MB`;

/** The margin in pixels drawn around the window, for motion until the next frame. */
const margin = 60;

export class Backdrop {
  /** @param limits see LeafletCanvas */
  constructor(map, limits, hasBasemap) {
    this.canvas = new LeafletCanvas(map, L, { pane: "backdrop", zIndex: 300, margin, limits });
    this.canvas.add();
    this.hasBasemap = hasBasemap;
    this.geography = new Geography();
    this.labels = [];
  }

  /**
   * Draws one frame on the canvas, which must have begun it.
   * @param theme colours
   * @param visible the markers in the window
   * @param files the files that hold them; null to draw no borders
   * @param panels the rectangles of the window that the page covers
   * @param foot the height of the covered strip at the page's lower edge
   * @param hovered the key of the marker to circle, or null
   * @param chosen the key of a marker that has a circle already
   */
  draw({ theme, visible, files, panels, foot, hovered, chosen }) {
    const { area, context } = this.canvas,
      { left, top, size, from, to, width, height } = area;
    const west = Math.max((from - left) * size, -margin),
      east = Math.min((to - left) * size, width + margin);
    const north = Math.max(-top * size, -margin),
      south = Math.min((1 - top) * size, height + margin);
    context.fillStyle = theme.background;
    context.fillRect(-margin, -margin, width + 2 * margin, height + 2 * margin);
    context.save();
    context.beginPath();
    context.rect(west, north, east - west, south - north);
    context.clip();
    let lines = [];
    if (this.hasBasemap) {
      context.clearRect(west, north, east - west, south - north);
    } else {
      context.fillStyle = theme.sea;
      context.fillRect(west, north, east - west, south - north);
      this.geography.drawLand(context, area, margin, theme);
      lines = drawGraticule(context, area, foot, margin, theme);
    }
    if (files) this.drawFiles(context, files, theme);
    context.restore();
    if (!this.hasBasemap) this.drawLabels(context, area, lines, { theme, visible, panels, hasNames: !files });
    for (const item of visible) {
      if (item.key === hovered) this.drawRing(context, item, theme);
      if (item.key === hovered || item.key === chosen) this.drawBox(context, item, theme);
    }
  }

  /** Draws labels where there are no markers. */
  drawLabels(context, area, lines, { theme, visible, panels, hasNames }) {
    const { width, height } = area,
      space = new LabelSpace(width, height);
    for (const { left, top, width, height } of panels) space.take(left, top, width, height);
    for (const { x, y, radius } of visible) space.take(x - radius, y - radius, 2 * radius, 2 * radius);
    drawGraticuleLabels(context, lines, theme, space);
    if (hasNames) {
      this.geography.drawCountries(context, area, theme, space);
      this.geography.drawCities(context, area, theme, space);
    }
    this.labels = space.labels;
  }

  /** @param files of the shown zoom, with their known sizes */
  drawFiles(context, files, theme) {
    const { top, size } = this.canvas.area;
    Object.assign(context, { strokeStyle: theme.tile, fillStyle: theme.tile, textBaseline: "top", textAlign: "left", lineWidth: 1 });
    for (const { z, x, y, isBundle, byteCount, markers, hasFailed } of files) {
      const side = size / 2 ** z,
        up = (y / 2 ** z) * size - top * size;
      const sizeText = byteCount == null ? "" : ` · ${byteText(byteCount)}`;
      const text = hasFailed ? "failed" : byteCount === null ? "no tile" : byteCount === undefined ? "…" : `${markers ?? "…"}${sizeText}`;
      this.canvas.copies((x + 0.5) / 2 ** z, side / 2, (middle) => {
        const across = middle - side / 2;
        context.setLineDash(byteCount === null ? [2, 5] : []);
        context.strokeRect(Math.round(across) + 0.5, Math.round(up) + 0.5, Math.round(side), Math.round(side));
        context.setLineDash([]);
        context.font = '600 11px system-ui, "DejaVu Sans", sans-serif';
        context.fillText(`${isBundle ? "bundle " : ""}${z}/${x}/${y}`, across + 6, up + 6);
        context.font = '10.5px system-ui, "DejaVu Sans", sans-serif';
        context.fillText(text, across + 6, up + 21);
      });
    }
  }

  drawRing(context, { x, y, radius }, theme) {
    context.strokeStyle = theme.accent;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, radius + 2.5, 0, 2 * Math.PI);
    context.stroke();
  }

  /** The box of a cluster's members. */
  drawBox(context, { marker, x, y }, theme) {
    const { size } = this.canvas.area,
      box = marker.feature.bbox;
    if (!marker.isCluster || !box) return;
    const [westX, northY] = toWorld(box[0], box[3]),
      [eastX, southY] = toWorld(box[2], box[1]);
    const boxWidth = (eastX - westX + (box[0] > box[2] ? 1 : 0)) * size;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1;
    context.setLineDash([4, 4]);
    context.strokeRect(x - eastward(westX, marker.x) * size, y - (marker.y - northY) * size, boxWidth, (southY - northY) * size);
    context.setLineDash([]);
  }
}
