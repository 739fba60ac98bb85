// What the user does: with the pointer, with fingers and with the keyboard.

class Controls {
  constructor(preview) {
    this.preview = preview;
    this.map = preview.map;
    this.scene = preview.scene;
    this.listenToMap();
    this.listenToDock();
    this.listenToKeys();
  }

  listenToMap() {
    const { map, scene, preview } = this;
    map.on("click", ({ containerPoint, originalEvent }) => {
      const isTouch = originalEvent?.pointerType === "touch" || matchMedia("(pointer: coarse)").matches;
      const hit = scene.hit(containerPoint.x, containerPoint.y, isTouch ? 12 : 3);
      scene.chosen = hit && !hit.marker.isCluster ? hit.marker : null;
      if (hit) this.open(hit.marker, false); else closeDetails();
      preview.requestFrame();
    });
    map.on("mousemove", ({ containerPoint }) => this.hover(scene.hit(containerPoint.x, containerPoint.y, 2)?.marker ?? null));
    map.on("mouseout dragstart", () => this.hover(null));
    map.on("moveend", () => { element("zoom").value = Math.round(map.getZoom()); });
  }

  listenToDock() {
    const { map, scene, preview } = this, slider = element("zoom");
    [slider.min, slider.max, slider.value] = [map.getMinZoom(), map.getMaxZoom(), map.getZoom()];
    slider.addEventListener("input", () => map.setZoom(Number(slider.value)));
    element("zoom-in").addEventListener("click", () => map.zoomIn());
    element("zoom-out").addEventListener("click", () => map.zoomOut());
    element("fit").addEventListener("click", () => preview.fit());
    element("tiles").addEventListener("click", () => {
      scene.showsTiles = !scene.showsTiles;
      element("tiles").setAttribute("aria-pressed", scene.showsTiles);
      preview.requestFrame();
    });
    element("theme").addEventListener("click", () => preview.changeTheme(preview.theme.name === "dark" ? "light" : "dark"));
  }

  listenToKeys() {
    const leave = () => {
      closeDetails();
      this.scene.chosen = null;
      element("map").focus();
      this.preview.requestFrame();
    };
    element("close").addEventListener("click", leave);
    // Leaflet gives the map the focus at every click: its border shows only to who uses the keyboard.
    addEventListener("keydown", () => document.body.classList.add("keyboard"), true);
    addEventListener("pointerdown", () => document.body.classList.remove("keyboard"), true);
    addEventListener("keydown", (event) => { if (event.key === "Escape") leave(); });
    element("map").addEventListener("keydown", (event) => this.press(event));
  }

  hover(marker) {
    if (this.scene.hovered?.id === marker?.id) return;
    this.scene.hovered = marker;
    element("map").classList.toggle("over", Boolean(marker));
    this.preview.requestFrame();
  }

  /** Zooms to where a cluster comes apart, or tells what a point is. */
  open(marker, moveFocus) {
    if (!marker.isCluster) {
      const others = [...this.scene.markers.values()].filter(({ id, isCluster }) => !isCluster && id !== marker.id).map(({ feature }) => feature);
      return showPoints([marker.feature, ...others.filter((feature) => isAt(feature, marker.feature.geometry.coordinates))], moveFocus);
    }
    const { bbox, properties } = marker.feature;
    const [west, south, east, north] = bbox;
    // No zoom takes apart what has no zoom to expand at.
    if (properties.coincident || properties.expansion_zoom == null || (west === east && south === north)) return showMembers(marker, this.preview.store, moveFocus);
    closeDetails();
    // The second half of a double click must not zoom once more.
    this.map.doubleClickZoom.disable();
    setTimeout(() => this.map.doubleClickZoom.enable(), 400);
    const shift = 360 * Math.round((this.map.getCenter().lng - (west + east) / 2) / 360);
    const bounds = L.latLngBounds([south, west + shift], [north, (west > east ? east + 360 : east) + shift]);
    const fitting = this.map.getBoundsZoom(bounds, false, L.point(120, 160));
    const zoom = Math.min(Math.max(fitting, properties.expansion_zoom, this.map.getZoom() + 1), this.map.getMaxZoom());
    this.map.setView(bounds.getCenter(), zoom);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { scene } = this, key = event.key.toLowerCase();
    if (key === "n" || key === "p") {
      const around = scene.visible().sort((a, b) => a.y - b.y || a.x - b.x), count = around.length;
      if (!count) return;
      const index = around.findIndex(({ marker }) => marker.id === scene.chosen?.id);
      const next = index < 0 ? (key === "n" ? 0 : count - 1) : (index + (key === "n" ? 1 : count - 1)) % count;
      scene.chosen = around[next].marker;
      const { isCluster, count: points, feature } = scene.chosen;
      element("announcement").textContent = isCluster ? `Cluster of ${number(points)} points, ${next + 1} of ${count}` : `${titleOf(feature)}, ${next + 1} of ${count}`;
    } else if (key === "enter" && scene.chosen) {
      this.open(scene.chosen, true);
    } else if (key === "t") {
      element("tiles").click();
    } else if (key === "f") {
      this.preview.fit();
    } else {
      return;
    }
    event.preventDefault();
    this.preview.requestFrame();
  }
}
