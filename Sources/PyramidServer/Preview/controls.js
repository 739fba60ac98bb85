// Input by pointer, touch and keyboard.

import { tolerancePixels } from "../../PyramidWeb/markers/map-adapter.js";
import { element } from "./panel.js";

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
    map.on("click", ({ latlng: { lng, lat }, originalEvent }) => {
      if (!preview.markers.at([lng, lat], tolerancePixels(originalEvent))) preview.close();
    });
    preview.markers.addEventListener("hover", ({ detail: { marker } }) => {
      preview.hovered = marker?.key ?? null;
      preview.requestFrame();
    });
    map.on("moveend", () => {
      element("zoom").value = Math.round(map.getZoom());
    });
  }

  listenToDock() {
    const { map, preview } = this,
      slider = element("zoom");
    [slider.min, slider.max, slider.value] = [Math.floor(map.getMinZoom()), map.getMaxZoom(), map.getZoom()];
    slider.addEventListener("input", () => map.setZoom(Number(slider.value)));
    element("zoom-in").addEventListener("click", () => map.setZoom(Math.floor(map.getZoom() + 1.001)));
    element("zoom-out").addEventListener("click", () => map.setZoom(Math.ceil(map.getZoom() - 1.001)));
    element("fit").addEventListener("click", () => preview.fit());
    element("show-all").addEventListener("click", () => {
      if (preview.markers.matching.count === 0) preview.markers.filter(null);
      preview.fit();
      map.getContainer().focus();
    });
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
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") leave();
    });
    element("map").addEventListener("keydown", (event) => this.press(event));
  }

  useKeyboard(isUsed) {
    document.body.classList.toggle("keyboard", isUsed);
    this.preview.movesFocus = isUsed;
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "t") {
      element("tiles").click();
    } else if (key === "f") {
      this.preview.fit();
    } else {
      return;
    }
    event.preventDefault();
  }
}
