// The page: the map, its controls, and what is loaded and shown when.

const themes = () => {
  const style = getComputedStyle(document.documentElement), value = (name) => style.getPropertyValue(name).trim();
  return {
    name: document.documentElement.dataset.theme, background: value("--background"), line: value("--line"), faint: value("--faint"),
    point: value("--point"), ring: value("--ring"), tile: value("--tile"), accent: value("--accent"),
  };
};

function setTheme(name) {
  document.documentElement.dataset.theme = name;
}

function notice(text) {
  element("notice").textContent = text;
  element("notice").hidden = !text;
}

const number = (value) => value.toLocaleString("en");

class Preview {
  constructor(tileJSON) {
    this.tileJSON = tileJSON;
    this.zooms = { min: tileJSON.minzoom, max: tileJSON.maxzoom };
    this.store = new TileStore(tileJSON);
    this.scene = new Scene(element("canvas"), tileJSON);
    this.theme = themes();
    const farEast = 360 * 50;
    this.map = L.map("map", {
      zoomControl: false, attributionControl: false, minZoom: this.zooms.min, maxZoom: Math.min(this.zooms.max + 3, 22),
      maxBounds: [[-85.06, -farEast], [85.06, farEast]], maxBoundsViscosity: 0.9, inertiaDeceleration: 4000,
    });
    this.waiting = false;
    this.listen();
    this.scene.resize();
    if (!this.readHash()) this.fit(false);
  }

  // What to show

  get bounds() {
    const [west, south, east, north] = this.tileJSON.bounds ?? [-180, -60, 180, 75];
    return [[south, west], [north, east]];
  }

  fit(animate = true) {
    const isPhone = innerWidth <= 640;
    this.map.fitBounds(this.bounds, {
      animate, paddingTopLeft: [24, isPhone ? 96 : 24], paddingBottomRight: [24, 84], maxZoom: this.zooms.max,
    });
  }

  readHash() {
    const parts = location.hash.slice(1).split("/").map(Number);
    if (parts.length !== 3 || parts.some(Number.isNaN)) return false;
    this.map.setView([parts[1], parts[2]], parts[0], { animate: false });
    return true;
  }

  writeHash() {
    const { lat, lng } = this.map.getCenter().wrap(), zoom = this.map.getZoom();
    history.replaceState(null, "", `#${+zoom.toFixed(2)}/${lat.toFixed(5)}/${lng.toFixed(5)}`);
  }

  /** The view of this moment, also in the middle of Leaflet's animation of a zoom. */
  view(now) {
    const size = (zoom) => 256 * 2 ** zoom;
    const viewOf = (center, zoom) => {
      const y = toWorld(0, center.lat)[1];
      return { x: center.lng / 360 + 0.5, y, size: size(zoom) };
    };
    const current = viewOf(this.map.getCenter(), this.map.getZoom());
    if (!this.zooming) return current;
    // The transform of the screen changes in step with Leaflet's own: cubic-bezier(0, 0, 0.25, 1).
    const { from, to, start } = this.zooming;
    const target = viewOf(to.center, to.zoom), t = eased(Math.min((now - start) / 250, 1));
    const mix = (a, b) => a + (b - a) * t, scale = mix(from.size, target.size);
    return { x: mix(from.x * from.size, target.x * target.size) / scale, y: mix(from.y * from.size, target.y * target.size) / scale, size: scale };
  }

  /** Where the map is going, or is. */
  get target() {
    const center = this.zooming?.to.center ?? this.map.getCenter(), zoom = this.zooming?.to.zoom ?? this.map.getZoom();
    const level = Math.min(Math.max(Math.floor(zoom + 1e-6), this.zooms.min), this.zooms.max);
    return { x: center.lng / 360 + 0.5, y: toWorld(0, center.lat)[1], size: 256 * 2 ** zoom, level };
  }

  /** The tiles in the window and so many pixels around it, each copy of the world by itself. */
  tilesAround({ x, y, size, level }, margin) {
    const n = 2 ** level, halfWidth = (innerWidth / 2 + margin) / size, halfHeight = (innerHeight / 2 + margin) / size;
    const tiles = [], rows = [Math.max(Math.floor((y - halfHeight) * n), 0), Math.min(Math.floor((y + halfHeight) * n), n - 1)];
    for (let column = Math.floor((x - halfWidth) * n); column <= Math.floor((x + halfWidth) * n); column++) {
      const copy = Math.floor(column / n);
      for (let row = rows[0]; row <= rows[1]; row++) {
        tiles.push({ copy, tile: this.store.tile(level, column - copy * n, row, () => this.refresh()) });
      }
    }
    return tiles;
  }

  /** Loads what the window needs, and shows it as soon as it is whole: markers of two zooms are never mixed. */
  refresh() {
    const target = this.target, now = performance.now();
    const around = this.tilesAround(target, 60);
    this.tiles = around;
    const wanted = new Map(around.map(({ tile }) => [tile.name, tile]));
    this.store.keepOnly(wanted);
    const tiles = [...wanted.values()];
    const isWhole = tiles.every((tile) => tile.state !== "loading");
    if (target.level !== this.scene.level && !isWhole) {
      this.patience ??= setTimeout(() => { this.patience = null; this.isImpatient = true; this.refresh(); }, 1500);
      if (!this.isImpatient) return;
    }
    clearTimeout(this.patience);
    this.patience = null;
    this.isImpatient = false;
    this.isSettled = isWhole;
    const contents = `${target.level} ${tiles.filter((tile) => tile.markers.length).map((tile) => tile.name).join()}`;
    if (contents !== this.contents) this.scene.show(target.level, tiles.flatMap((tile) => tile.markers), now);
    this.contents = contents;
    const failed = tiles.filter((tile) => tile.state === "failed");
    notice(failed.length ? `${failed.length === 1 ? "A tile" : `${failed.length} tiles`} could not be read (${failed[0].name}: ${failed[0].error.message}). Move the map to try again.` : "");
    this.requestFrame();
  }

  requestFrame() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const now = performance.now();
      const isMoving = this.scene.draw(this.view(now), this.theme, now, this.tiles ?? []);
      this.isMoving = isMoving || Boolean(this.zooming);
      this.writeFigures();
      if (this.isMoving) this.requestFrame();
    });
  }

  /** The figures of what is in the window; tests read them too. */
  figures() {
    const visible = this.scene.visible(), level = this.scene.level;
    const inside = level === null ? [] : this.tilesAround({ ...this.target, level }, 0).map(({ tile }) => tile);
    const tiles = [...new Set(inside)].filter((tile) => !tile.isMissing);
    return {
      level, markers: visible.length, clusters: visible.filter(({ marker }) => marker.isCluster).length,
      points: visible.reduce((sum, { marker }) => sum + marker.count, 0), tiles: tiles.length,
      bytes: tiles.reduce((sum, tile) => sum + tile.byteCount, 0), isSettled: Boolean(this.isSettled && !this.isMoving),
    };
  }

  writeFigures() {
    const figures = this.figures();
    element("figure-zoom").textContent = figures.level ?? "–";
    element("figure-markers").textContent = number(figures.markers);
    element("figure-tiles").textContent = number(figures.tiles);
    element("figure-bytes").textContent = byteText(figures.bytes);
    element("figures").hidden = false;
  }

  // What the user does

  listen() {
    const { map, scene } = this;
    map.on("move zoom", () => { this.refresh(); this.requestFrame(); });
    map.on("zoomanim", ({ center, zoom }) => {
      this.zooming = { from: this.view(performance.now()), to: { center, zoom }, start: performance.now() };
      this.refresh();
      this.requestFrame();
    });
    map.on("zoomend viewreset", () => { this.zooming = null; });
    map.on("moveend", () => {
      element("zoom").value = Math.round(map.getZoom());
      this.writeHash();
      this.refresh();
    });
    map.on("click", ({ containerPoint, originalEvent }) => {
      const tolerance = originalEvent?.pointerType === "touch" || matchMedia("(pointer: coarse)").matches ? 12 : 3;
      const hit = scene.hit(containerPoint.x, containerPoint.y, tolerance);
      scene.chosen = null;
      if (hit) this.open(hit.marker, false); else closeDetails();
      this.requestFrame();
    });
    map.on("mousemove", ({ containerPoint }) => this.hover(scene.hit(containerPoint.x, containerPoint.y, 2)?.marker ?? null));
    map.on("mouseout dragstart", () => this.hover(null));
    addEventListener("resize", () => { scene.resize(); this.refresh(); });
    addEventListener("hashchange", () => this.readHash());
    this.listenToControls();
    element("map").addEventListener("keydown", (event) => this.press(event));
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      closeDetails();
      scene.chosen = null;
      element("map").focus();
      this.requestFrame();
    });
  }

  listenToControls() {
    const { map, scene } = this, slider = element("zoom");
    [slider.min, slider.max] = [map.getMinZoom(), map.getMaxZoom()];
    slider.addEventListener("input", () => map.setZoom(Number(slider.value)));
    element("zoom-in").addEventListener("click", () => map.zoomIn());
    element("zoom-out").addEventListener("click", () => map.zoomOut());
    element("fit").addEventListener("click", () => this.fit());
    element("close").addEventListener("click", () => { closeDetails(); element("map").focus(); });
    element("tiles").addEventListener("click", () => {
      scene.showsTiles = !scene.showsTiles;
      element("tiles").setAttribute("aria-pressed", scene.showsTiles);
      this.requestFrame();
    });
    element("theme").addEventListener("click", () => this.changeTheme(this.theme.name === "dark" ? "light" : "dark"));
  }

  changeTheme(name) {
    setTheme(name);
    this.theme = themes();
    this.requestFrame();
  }

  hover(marker) {
    if (this.scene.hovered?.id === marker?.id) return;
    this.scene.hovered = marker;
    element("map").classList.toggle("over", Boolean(marker));
    this.requestFrame();
  }

  /** Zooms to where a cluster comes apart, or tells what a point is. */
  open(marker, moveFocus) {
    if (!marker.isCluster) return showPoint(marker.feature, moveFocus);
    const { bbox, properties } = marker.feature;
    const [west, south, east, north] = bbox;
    if (properties.coincident || (west === east && south === north)) return showMembers(marker, this.store, moveFocus);
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
      this.fit();
    } else {
      return;
    }
    event.preventDefault();
    this.requestFrame();
  }
}

/** What the manifest adds: a line about the pyramid, and the distance between its markers. */
function describe(preview, manifest, tileJSON) {
  const points = manifest?.input?.rows_accepted;
  const zooms = `zoom ${tileJSON.minzoom} to ${tileJSON.maxzoom}`;
  element("summary").textContent = points ? `${number(points)} points, ${zooms}` : zooms;
  for (const { zoom, minimum_distance_units: units } of manifest?.zooms ?? []) {
    if (units) preview.scene.distances[zoom] = units / 2 ** 32 * 256 * 2 ** zoom;
  }
  preview.scene.painter.largest = points ?? 1000;
}

async function start() {
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  if (location.protocol === "file:") throw new Error("Browsers don't let a page read files beside it. Serve the directory: pyramid serve DIRECTORY");
  if (!window.L) throw new Error("Leaflet could not be loaded from unpkg.com.");
  const [tileJSON, manifest] = await Promise.all([readJSON("tilejson.json"), readJSON("manifest.json").catch(() => null)]);
  if (tileJSON.name) document.title = element("title").textContent = tileJSON.name;
  const preview = new Preview(tileJSON);
  describe(preview, manifest, tileJSON);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => preview.changeTheme(matches ? "dark" : "light"));
  preview.refresh();
  window.preview = preview;
}

start().catch((error) => {
  element("summary").textContent = "";
  notice(error.message);
});
