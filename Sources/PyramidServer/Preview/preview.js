// The page: the map, its controls, and what is loaded and shown when.

const themes = () => {
  const style = getComputedStyle(document.documentElement), value = (name) => style.getPropertyValue(name).trim();
  return {
    name: document.documentElement.dataset.theme, background: value("--background"), line: value("--line"), faint: value("--faint"),
    sea: value("--sea"), land: value("--land"), coast: value("--coast"), border: value("--border"), city: value("--city"), halo: value("--halo"),
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
  constructor(tileJSON, store, extent, basemap) {
    this.extent = extent;
    this.store = store;
    this.zooms = { min: tileJSON.minzoom, max: tileJSON.maxzoom };
    this.scene = new Scene(element("canvas"), tileJSON);
    this.theme = themes();
    const [west, , east] = extent;
    // A world that is shown whole is cut at the antimeridian, unless the points are on both sides of it.
    if (east > 180) this.scene.seam = (west + east) / 720;
    const boundsAt = (center, zoom) => this.boundsAt(center, zoom);
    const WorldMap = L.Map.extend({
      _limitCenter(center, zoom) { return L.Map.prototype._limitCenter.call(this, center, zoom, boundsAt(center, zoom)); },
    });
    this.map = new WorldMap("map", {
      zoomControl: false, attributionControl: false, minZoom: this.zooms.min, maxZoom: Math.min(this.zooms.max + 3, 22),
      maxBounds: boundsAt({ lng: 0 }, 22), maxBoundsViscosity: 0.9, inertiaDeceleration: 4000,
    });
    if (basemap) this.addBasemap(basemap);
    this.waiting = false;
    this.isMoving = true;
    this.shown = [];
    this.listen();
    this.scene.resize();
    if (!this.readHash()) this.fit(false);
  }

  addBasemap({ template }) {
    this.scene.hasBasemap = true;
    L.tileLayer(template, { maxZoom: 22, maxNativeZoom: 19 }).addTo(this.map)
      .on("tileload", () => { this.basemapProblem = ""; })
      .on("tileerror", ({ tile }) => {
        this.basemapProblem = `The basemap could not be loaded from ${new URL(tile.src, page).host}.`;
        this.refresh();
      });
  }

  // What to show

  /** What the window may show: a world that is shown whole stays in its middle, others may be moved far. */
  boundsAt(center, zoom) {
    const size = 256 * 2 ** zoom, { from, to } = this.scene.worldAround(center.lng / 360 + 0.5, size);
    const [middle, half] = Number.isFinite(from) ? [(from + to) / 2, innerWidth / 2 / size] : [0.5, 50];
    return L.latLngBounds([-85.06, (middle - half - 0.5) * 360], [85.06, (middle + half - 0.5) * 360]);
  }

  fit(animate = true) {
    const isPhone = innerWidth <= 640;
    const [west, south, east, north] = this.extent;
    this.map.fitBounds([[south, west], [north, east]], {
      animate, paddingTopLeft: [24, isPhone ? 96 : 24], paddingBottomRight: [24, 84 + element("attribution").offsetHeight], maxZoom: this.zooms.max,
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
    const { from, to } = this.scene.worldAround(x, size);
    const columns = [Math.floor(Math.max(x - halfWidth, from) * n), Math.min(Math.floor((x + halfWidth) * n), Math.ceil(to * n) - 1)];
    for (let column = columns[0]; column <= columns[1]; column++) {
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
    this.shown = around;
    const contents = `${target.level} ${tiles.filter((tile) => tile.markers.length).map((tile) => tile.name).join()}`;
    if (contents !== this.contents) this.scene.show(target.level, tiles.flatMap((tile) => tile.markers), now);
    this.contents = contents;
    const failed = tiles.filter((tile) => tile.state === "failed");
    notice(failed.length ? `${failed.length === 1 ? "A tile" : `${failed.length} tiles`} could not be read (${failed[0].name}: ${failed[0].error.message}). Move the map to try again.` : this.basemapProblem ?? "");
    this.requestFrame();
  }

  requestFrame() {
    this.isMoving = true;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const now = performance.now();
      const panels = [...document.querySelectorAll(".glass")].map((panel) => panel.getBoundingClientRect());
      // Along the lower edge of a phone's screen is the dock.
      const foot = element("attribution").offsetHeight + (innerWidth <= 640 ? 72 : 0);
      const isMoving = this.scene.draw(this.view(now), this.theme, now, this.shown, panels, foot);
      this.isMoving = isMoving || Boolean(this.zooming);
      this.writeFigures();
      if (this.isMoving) this.requestFrame();
    });
  }

  /** The figures of what is in the window; tests read them too. */
  figures() {
    const visible = this.scene.visible(), level = this.scene.level, { left, top, size } = this.scene.screen;
    const side = size / 2 ** level, isInside = (from, length) => from < length && from + side > 0;
    const inside = this.shown.filter(({ tile, copy }) => !tile.isMissing
      && isInside((copy - left) * size + tile.x * side, innerWidth) && isInside(tile.y * side - top * size, innerHeight));
    const tiles = [...new Set(inside.map(({ tile }) => tile))];
    return {
      level, markers: visible.length, clusters: visible.filter(({ marker }) => marker.isCluster).length,
      points: visible.reduce((sum, { marker }) => sum + marker.count, 0), tiles: tiles.length,
      bytes: tiles.reduce((sum, tile) => sum + tile.byteCount, 0),
      isSettled: Boolean(this.isSettled && !this.isMoving && level === this.target.level),
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

  listen() {
    const { map } = this;
    map.on("move zoom", () => { this.refresh(); this.requestFrame(); });
    map.on("zoomanim", ({ center, zoom }) => {
      this.zooming = { from: this.view(performance.now()), to: { center, zoom }, start: performance.now() };
      this.refresh();
      this.requestFrame();
    });
    map.on("zoomend viewreset", () => { this.zooming = null; });
    // Leaflet asks for these bounds at the start of a drag.
    const limit = () => { map.options.maxBounds = this.boundsAt(map.getCenter(), map.getZoom()); };
    map.on("moveend", () => { limit(); this.writeHash(); this.refresh(); });
    addEventListener("resize", () => { limit(); this.scene.resize(); this.refresh(); this.requestFrame(); });
    addEventListener("hashchange", () => this.readHash());
  }

  changeTheme(name) {
    setTheme(name);
    this.theme = themes();
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

/** The name of the page's directory, else that of its host. */
function directoryName() {
  const name = page.pathname.split("/").filter(Boolean).at(-1) ?? location.hostname;
  try { return decodeURIComponent(name); } catch { return name; }
}

const naturalEarth = '<a href="https://www.naturalearthdata.com">Natural Earth</a>';

/** Shows who made what is on the map; the dock stays above it. */
function showAttribution(texts) {
  const foot = element("attribution");
  texts.filter(Boolean).forEach((text, index) => foot.append(...(index ? [" · "] : []), textAndLinks(text)));
  const lift = () => document.documentElement.style.setProperty("--foot", `${foot.offsetHeight}px`);
  new ResizeObserver(lift).observe(foot);
  lift();
}

async function start() {
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  if (location.protocol === "file:") throw new Error("Browsers don't let a page read files beside it. Serve the directory: pyramid serve DIRECTORY");
  if (!window.L) throw new Error("Leaflet could not be loaded from unpkg.com.");
  const [tileJSON, manifest] = await Promise.all([readJSON("tilejson.json"), readJSON("manifest.json").catch(() => null)]);
  const settings = JSON.parse(element("settings").textContent);
  document.title = tileJSON.name || settings.name || directoryName();
  element("title").replaceChildren(breakable(document.title));
  showAttribution([tileJSON.attribution, settings.basemap ? settings.basemap.attribution : naturalEarth]);
  const store = new TileStore(tileJSON);
  const preview = new Preview(tileJSON, store, await extentOf(store, tileJSON), settings.basemap);
  new Controls(preview);
  describe(preview, manifest, tileJSON);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => preview.changeTheme(matches ? "dark" : "light"));
  preview.refresh();
  window.preview = preview;
}

start().catch((error) => {
  element("summary").textContent = "";
  notice(error.message);
});
