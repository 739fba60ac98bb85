// Input by pointer, touch and keyboard.

import { titleOf } from "../../PyramidWeb/details.js";
import { toDegrees } from "../../PyramidWeb/geometry.js";
import { hitAt } from "../../PyramidWeb/leaflet.js";
import { element, number } from "./panel.js";

export class Controls {
  constructor(preview) {
    this.preview = preview;
    this.map = preview.map;
    this.listenToMap();
    this.listenToDock();
    this.listenToKeys();
  }

  listenToMap() {
    const { map, preview } = this;
    map.on("click", (event) => { if (!hitAt(preview.markers, event)) preview.close(); });
    // A lifted finger doesn't hover.
    map.on("mousemove", (event) => this.hover(matchMedia("(hover: hover)").matches ? hitAt(preview.markers, event)?.key ?? null : null));
    map.on("mouseout dragstart", () => this.hover(null));
    map.on("moveend", () => { element("zoom").value = Math.round(map.getZoom()); });
  }

  listenToDock() {
    const { map, preview } = this, slider = element("zoom");
    [slider.min, slider.max, slider.value] = [map.getMinZoom(), map.getMaxZoom(), map.getZoom()];
    slider.addEventListener("input", () => map.setZoom(Number(slider.value)));
    element("zoom-in").addEventListener("click", () => map.zoomIn());
    element("zoom-out").addEventListener("click", () => map.zoomOut());
    element("fit").addEventListener("click", () => preview.fit());
    element("tiles").addEventListener("click", () => {
      preview.showsTiles = !preview.showsTiles;
      element("tiles").setAttribute("aria-pressed", preview.showsTiles);
      preview.requestFrame();
    });
    element("theme").addEventListener("click", () => preview.changeTheme(preview.theme.name === "dark" ? "light" : "dark"));
  }

  listenToKeys() {
    const leave = () => {
      this.preview.close();
      element("map").focus();
    };
    element("close").addEventListener("click", leave);
    // Leaflet focuses the map at every click; the focus ring should show only for keyboard users.
    addEventListener("keydown", () => this.useKeyboard(true), true);
    addEventListener("pointerdown", () => this.useKeyboard(false), true);
    addEventListener("keydown", (event) => { if (event.key === "Escape") leave(); });
    element("map").addEventListener("keydown", (event) => this.press(event));
  }

  useKeyboard(isUsed) {
    document.body.classList.toggle("keyboard", isUsed);
    this.preview.movesFocus = isUsed;
  }

  hover(key) {
    if (this.preview.hovered === key) return;
    this.preview.hovered = key;
    this.preview.requestFrame();
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { preview } = this, key = event.key.toLowerCase();
    if (key === "n" || key === "p") {
      const around = preview.visible().sort((a, b) => a.y - b.y || a.x - b.x), count = around.length;
      if (!count) return;
      const index = around.findIndex((item) => item.key === preview.chosen);
      const next = index < 0 ? (key === "n" ? 0 : count - 1) : (index + (key === "n" ? 1 : count - 1)) % count;
      const { key: chosen, marker } = around[next];
      preview.chosen = chosen;
      const name = marker.isCluster ? `Cluster of ${number(marker.count)} points` : marker.points ? `${number(marker.count)} points at one place` : titleOf(marker.feature);
      element("announcement").textContent = `${name}, ${next + 1} of ${count}`;
    } else if (key === "enter" && preview.chosen) {
      const shown = preview.markers.shown.find((item) => item.key === preview.chosen && !item.isLeaving);
      if (shown) preview.markers.click(shown, this.longitudeNear(shown));
    } else if (key === "t") {
      element("tiles").click();
    } else if (key === "f") {
      preview.fit();
    } else {
      return;
    }
    event.preventDefault();
    preview.requestFrame();
  }

  /** The longitude of a drawn marker, in the copy of the world at the centre. */
  longitudeNear({ x }) {
    const [longitude] = toDegrees(x, 0);
    return longitude + 360 * Math.round((this.map.getCenter().lng - longitude) / 360);
  }
}
