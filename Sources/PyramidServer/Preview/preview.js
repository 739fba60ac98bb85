// The page: the map, its markers, and information about them.

import { boxOf } from "../../PyramidWeb/tileset/marker.js";
import { toDegrees, toWorld } from "../../PyramidWeb/tileset/geometry.js";
import { textAndLinks } from "../../PyramidWeb/markers/attribution.js";
import { extentOf } from "../../PyramidWeb/tileset/extent.js";
import { addMarkers } from "../../PyramidWeb/maps/leaflet.js";
import { addLegend } from "../../PyramidWeb/legend/legend.js";
import { hashParts, replaceInHash } from "../../PyramidWeb/legend/legend-hash.js";
import { Tileset } from "../../PyramidWeb/tileset/tileset.js";
import { Backdrop, byteText } from "./backdrop.js";
import { Controls } from "./controls.js";
import { SentFiles } from "./files.js";
import { breakable, closePanel, element, locale, number, paragraph, placeText, showPanel } from "./panel.js";

const page = new URL("./", location.href);

const themes = () => {
  const style = getComputedStyle(document.documentElement),
    value = (name) => style.getPropertyValue(name).trim();
  return {
    name: document.documentElement.dataset.theme,
    background: value("--background"),
    line: value("--line"),
    faint: value("--faint"),
    sea: value("--sea"),
    land: value("--land"),
    coast: value("--coast"),
    border: value("--border"),
    city: value("--city"),
    halo: value("--halo"),
    tile: value("--tile"),
    accent: value("--accent"),
  };
};

function setTheme(name) {
  document.documentElement.dataset.theme = name;
}

function notice(text) {
  element("notice").textContent = text;
  element("notice").hidden = !text;
}

/** Whether a part of the URL's hash is the map's zoom, latitude and longitude. The legend has the others. */
const isPlace = (part) => part.includes("/");

const isPhone = () => innerWidth <= 640;

/** The space above the dock that markers at the world's lower edge need. */
const clearance = 20;

class Preview {
  /**
   * @param tileset an open Tileset
   * @param sent its files
   * @param extent the box of all points; see `extentOf`
   * @param basemap null if there is none
   */
  constructor(tileset, sent, extent, basemap) {
    Object.assign(this, {
      tileset,
      sent,
      extent,
      showsTiles: false,
      hovered: null,
      told: null,
      isMapMoving: false,
      isHeld: false,
      errors: [],
      frame: 0,
      sheet: 0,
      // The pixels that an opened legend covers at the top of a phone.
      lid: 0,
      isFitted: false,
    });
    setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.theme = themes();
    const [west, , east] = extent,
      { maxzoom, zoomOffset } = tileset;
    // A whole world is cut at the antimeridian, unless the points cross it.
    this.seam = east > 180 ? (west + east) / 720 : 0;
    this.map = L.map("map", {
      // All fills the window, and a pinch ends where the fingers are; buttons and the slider go to whole zooms.
      zoomSnap: 0,
      zoomControl: false,
      attributionControl: false,
      minZoom: this.leastZoom,
      maxZoom: Math.max(Math.min(maxzoom + zoomOffset + 3, 22), this.leastZoom),
      maxBoundsViscosity: 0.9,
      inertiaDeceleration: 4000,
    });
    const limits = ({ x, size }) => this.worldAround(x, size);
    this.backdrop = new Backdrop(this.map, limits, Boolean(basemap));
    if (basemap) this.addBasemap(basemap);
    if (!this.readHash()) this.fit(false);
    this.markers = addMarkers(this.map, tileset, { limits, spiderLimit: 0, colorScheme: this.theme.name, texts: { locale } });
    this.legend = addLegend(this.markers, element("legend"), { hash: true });
    this.listen();
  }

  addBasemap({ template }) {
    L.tileLayer(template, { maxZoom: 22, maxNativeZoom: 19 })
      .addTo(this.map)
      .on("tileload", () => {
        this.basemapProblem = "";
      })
      .on("tileerror", ({ tile }) => {
        this.basemapProblem = `The basemap could not be loaded from ${new URL(tile.src, page).host}.`;
        this.tellErrors();
      });
  }

  // What to show

  /** The world coordinates to show around the map's centre: one whole world if it fits into the window, else no limits. */
  worldAround(x, size) {
    if (size > innerWidth) return [-Infinity, Infinity];
    const from = this.seam + Math.round(x + this.side / 2 / size - this.seam - 0.5);
    return [from, from + 1];
  }

  /** The lowest zoom of the map: the tileset's first one. On a phone the world fills the height. */
  get leastZoom() {
    const first = this.tileset.minzoom + this.tileset.zoomOffset;
    return isPhone() ? Math.max(first, Math.log2(innerHeight / 256)) : first;
  }

  /** The pixels that the card covers at the left. */
  get side() {
    return isPhone() ? 0 : element("card").getBoundingClientRect().right;
  }

  /** The pixels that the dock or the panel covers at the bottom, and some above it. */
  get foot() {
    return Math.max(this.sheet, innerHeight - element("dock").getBoundingClientRect().top + clearance);
  }

  /** The allowed centre of the map: a whole world stays in the middle of the uncovered area. */
  limited(center, zoom) {
    const size = 256 * 2 ** zoom,
      { x: width, y: height } = this.map.getSize(),
      // A world that fills the height of a phone goes on below the dock.
      foot = isPhone() && size < height + 1 ? this.sheet : this.foot,
      covered = (foot - this.lid) / 2 / size,
      beside = this.side / 2 / size;
    const clamped = (value, from, to, half) => (to - from <= 2 * half ? (from + to) / 2 : Math.min(Math.max(value, from + half), to - half));
    const [x, y] = toWorld(center.lng, center.lat),
      [from, to] = this.worldAround(x, size);
    const allowedX = Number.isFinite(from) ? clamped(x + beside, from, to, (width - this.side) / 2 / size) - beside : x;
    const allowedY = clamped(y - covered, 0, 1, (height - foot - this.lid) / 2 / size) + covered;
    if (Math.hypot(allowedX - x, allowedY - y) * size < 1) return center;
    const [longitude, latitude] = toDegrees(allowedX, allowedY);
    return L.latLng(latitude, longitude);
  }

  /** The bounds for dragging: a whole world can't be dragged. They would be wrong for other motions, which may end at another zoom. */
  limitDragging() {
    const { x, size } = this.backdrop.canvas.sight,
      [from, to] = this.worldAround(x, size),
      width = innerWidth / size,
      side = this.side / size;
    // What is left of a world that is wider than the uncovered area, to either side of it.
    const rest = Math.max(to - from - (width - side), 0) / 2,
      left = (from + to - width - side) / 2;
    const [west, east] = Number.isFinite(from) ? [left - rest, left + width + rest] : [-50, 50];
    this.map.options.maxBounds = L.latLngBounds([-85.06, (west - 0.5) * 360], [85.06, (east - 0.5) * 360]);
  }

  /** Brings the map back to where it may be, as after zooming out. */
  keepWithinLimits() {
    const { map } = this,
      center = map.getCenter(),
      offset = map.project(this.limited(center, map.getZoom())).subtract(map.project(center)).round();
    if (offset.x || offset.y) map.panBy(offset, { animate: !this.markers?.isCalm });
  }

  /** Shows all points, where the page covers nothing. */
  fit(animate = true) {
    const [west, south, east, north] = this.extent;
    this.isFitted = true;
    // Leaflet begins no zoom during another one.
    if (this.isMapMoving) return void this.map.once("moveend", () => this.isFitted && this.fit(animate));
    this.map.fitBounds(
      [
        [south, west],
        [north, east],
      ],
      {
        animate,
        paddingTopLeft: [this.side + 24, isPhone() ? Math.max(96, element("card").getBoundingClientRect().bottom + 24) : 24],
        maxZoom: this.tileset.maxzoom + this.tileset.zoomOffset,
        paddingBottomRight: [24, this.foot + 4],
      },
    );
  }

  readHash() {
    const parts = hashParts().find(isPlace)?.split("/").map(Number) ?? [];
    if (parts.length !== 3 || parts.some(Number.isNaN)) return false;
    this.map.setView([parts[1], parts[2]], parts[0], { animate: false });
    return true;
  }

  writeHash() {
    const { lat, lng } = this.map.getCenter().wrap(),
      zoom = this.map.getZoom();
    replaceInHash(isPlace, [`${+zoom.toFixed(2)}/${lat.toFixed(5)}/${lng.toFixed(5)}`], true);
  }

  requestFrame() {
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    // On phones the dock is at the lower edge of the screen.
    const foot = isPhone() ? this.foot - clearance : element("attribution").offsetHeight;
    this.backdrop.canvas.begin();
    const visible = this.visible();
    this.backdrop.draw({
      theme: this.theme,
      visible,
      files: this.showsTiles ? this.files(true) : null,
      foot,
      panels: [...document.querySelectorAll(".glass")].map((panel) => panel.getBoundingClientRect()),
      hovered: this.hovered,
      chosen: this.markers?.selected?.key ?? this.told ?? this.markers?.focused ?? null,
    });
    this.writeFigures(visible);
    if (this.backdrop.canvas.isZooming) this.requestFrame();
  }

  // What is seen

  /** The markers in the window, with their pixels, as drawn last. */
  visible() {
    return (this.markers?.inWindow ?? []).map(({ shown: { key, marker }, pixel: [x, y] }) => ({
      key,
      marker,
      x,
      y,
      radius: this.markers.appearance.look(marker).radius,
    }));
  }

  /** The files that hold the markers in the window, with their known sizes. */
  files(isDetailed = false) {
    const { view } = this.markers,
      { canvas } = this.backdrop;
    if (view.zoom === null) return [];
    return this.tileset.files(canvas.boxOf(canvas.sight, 0), view.zoom).map((file) => {
      const url = this.tileset.fileURL(file),
        byteCount = this.sent.sizes.get(url),
        hasFailed = this.errors.some((error) => error.url === url);
      return {
        ...file,
        byteCount,
        hasFailed,
        markers: isDetailed && byteCount && !hasFailed ? this.tileset.cached(file, view.zoom)?.length : undefined,
      };
    });
  }

  /** The figures for the window; tests read them, too. */
  figures(visible = this.visible()) {
    const { view, isMoving } = this.markers,
      markers = visible.map(({ marker }) => marker);
    const files = this.files().filter(({ byteCount }) => byteCount != null),
      { target, isZooming } = this.backdrop.canvas;
    const level = this.tileset.shownZoom(Math.log2(target.size / 256) - this.tileset.zoomOffset);
    return {
      level: view.zoom,
      markers: markers.length,
      clusters: markers.filter(({ isCluster }) => isCluster).length,
      points: markers.reduce((sum, { count }) => sum + count, 0),
      tiles: files.length,
      bytes: files.reduce((sum, { byteCount }) => sum + byteCount, 0),
      isSettled: view.isSettled && view.zoom === level && !isZooming && !this.isMapMoving && !this.frame && !isMoving,
    };
  }

  writeFigures(visible) {
    const figures = this.figures(visible);
    element("figure-zoom").textContent = figures.level ?? "–";
    element("figure-markers").textContent = number(figures.markers);
    element("figure-tiles").textContent = number(figures.tiles);
    element("figure-bytes").textContent = byteText(figures.bytes);
    element("figures").hidden = !this.showsTiles;
    element("empty").hidden = figures.markers > 0 || !figures.isSettled || this.errors.length > 0 || this.tileset.tileJSON.point_count === 0;
    element("empty").firstChild.textContent = this.markers.currentFilter ? "No points here match the filter." : "No points here.";
  }

  // What happens

  listen() {
    const { map, markers } = this;
    map.on("move zoom zoomanim resize", () => this.requestFrame());
    const container = map.getContainer(),
      free = () => {
        if (this.isHeld || this.isMapMoving) return;
        map.options.maxBounds = null;
        this.keepWithinLimits();
      };
    container.addEventListener(
      "pointerdown",
      () => {
        this.isHeld = true;
        this.limitDragging();
      },
      true,
    );
    for (const type of ["pointerup", "pointercancel"])
      addEventListener(
        type,
        () => {
          this.isHeld = false;
          free();
        },
        true,
      );
    map.on("movestart", () => {
      this.isMapMoving = true;
    });
    // Motions that begin with the user; `fit` begins after them.
    for (const part of [container, element("dock")]) {
      for (const type of ["pointerdown", "wheel", "keydown"]) part.addEventListener(type, () => (this.isFitted = false), true);
    }
    new ResizeObserver(() => this.makeRoom()).observe(element("card"));
    map.on("moveend", () => {
      this.isMapMoving = false;
      free();
      this.writeHash();
      this.requestFrame();
    });
    map.on("resize", () => {
      map.setMinZoom(this.leastZoom);
      this.keepWithinLimits();
    });
    this.keepWithinLimits();
    addEventListener("hashchange", () => this.readHash());
    markers.addEventListener("draw", () => this.draw());
    markers.addEventListener("settled", ({ detail: { errors } }) => {
      this.errors = errors;
      this.tellErrors();
      this.requestFrame();
    });
    markers.addEventListener("error", (event) => {
      event.preventDefault();
      if (this.isLoading) showPanel("Could not be read", [paragraph(event.detail.error.message)]);
      this.isLoading = false;
    });
    markers.addEventListener("click", ({ detail: { marker } }) => {
      this.close();
      const { coincident, expansion_zoom: expansion } = marker.feature.properties;
      if (!marker.points && !(marker.isCluster && (coincident || expansion === undefined))) return;
      this.isLoading = true;
      showPanel(`${number(marker.count)} points`, [paragraph("Loading …")]);
    });
    markers.addEventListener("details", (event) => {
      event.preventDefault();
      this.tell(event.detail);
    });
  }

  /** Moves the map out from under a legend that opens on a phone, and back. */
  makeRoom() {
    const isOpen = isPhone() && element("legend").querySelector('.toggle[aria-expanded="true"]'),
      lid = isOpen ? element("card").getBoundingClientRect().bottom : 0,
      way = (this.lid - lid) / 2;
    this.lid = lid;
    if (!way) return;
    if (this.isFitted) this.fit(!this.markers.isCalm);
    else this.map.panBy([0, way], { animate: !this.markers.isCalm });
  }

  tellErrors() {
    const [first, ...others] = this.errors;
    if (!first) return notice(this.basemapProblem ?? "");
    const isRetried = this.errors.some(({ retryable }) => retryable);
    notice(`${others.length ? `${others.length + 1} files` : "A file"} could not be read (${first.message}).${isRetried ? " Trying again …" : ""}`);
  }

  /** Describes a marker in the panel, and keeps the marker visible beside it. */
  tell({ marker, lngLat: [longitude, latitude], title, content }) {
    this.isLoading = false;
    const {
        id,
        geometry: { coordinates },
      } = marker.feature,
      isAtOnePlace = String(boxOf(marker).slice(0, 2)) === String(boxOf(marker).slice(2));
    // A cluster's own place may be far from all of its points.
    this.told = marker.key;
    this.markers.select({ id: marker.isCluster ? undefined : id, lngLat: coordinates }).catch(() => {});
    showPanel(title, [...(isAtOnePlace ? [paragraph(placeText(coordinates))] : []), content], this.movesFocus);
    const panel = element("details").getBoundingClientRect(),
      card = element("card").getBoundingClientRect();
    const { x, y } = this.map.latLngToContainerPoint([latitude, longitude]),
      radius = this.markers.appearance.look(marker).radius + 8;
    this.sheet = isPhone() ? innerHeight - panel.top : 0;
    const isBeside = !isPhone() && y < panel.bottom + radius;
    const right = isBeside ? panel.left - radius : Infinity,
      bottom = isPhone() ? panel.top - radius : Infinity,
      top = isPhone() ? card.bottom + radius : -Infinity;
    const way = [x - Math.min(x, right), y - Math.max(Math.min(y, bottom), top)];
    if (way.some((pixels) => pixels)) this.map.panBy(way, { animate: !this.markers.isCalm });
    this.requestFrame();
  }

  close() {
    closePanel();
    this.isLoading = false;
    this.told = null;
    this.markers.select(null);
    if (this.sheet) {
      this.sheet = 0;
      this.keepWithinLimits();
    }
    this.requestFrame();
  }

  changeTheme(name) {
    setTheme(name);
    this.theme = themes();
    this.markers.restyle({ colorScheme: name });
    this.requestFrame();
  }
}

/** The name of the page's directory, else of its host. */
function directoryName() {
  const name = page.pathname.split("/").filter(Boolean).at(-1) ?? location.hostname;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const naturalEarth = '<a href="https://www.naturalearthdata.com">Natural Earth</a>';

/** Shows the credits of the map; the dock stays above them. */
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
  if (!window.L)
    throw new Error(
      "Leaflet could not be loaded from unpkg.com. With a copy on the machine (--leaflet FILE, or Debian's libjs-leaflet), the page has it in it.",
    );
  const sent = new SentFiles();
  const tileset = await Tileset.open(page, { fetch: sent.fetch });
  const { tileJSON } = tileset,
    settings = JSON.parse(element("settings").textContent);
  document.title = tileJSON.name || settings.name || directoryName();
  element("title").replaceChildren(breakable(document.title));
  showAttribution([tileJSON.attribution, settings.basemap ? settings.basemap.attribution : naturalEarth]);
  const points = tileJSON.point_count,
    zooms = `zoom ${tileset.minzoom} to ${tileset.maxzoom}`;
  element("summary").textContent = points === undefined ? zooms : `${number(points)} point${points === 1 ? "" : "s"}, ${zooms}`;
  if (tileJSON.bundles) element("figure-tiles").previousElementSibling.textContent = "files";
  const preview = new Preview(tileset, sent, await extentOf(tileset), settings.basemap);
  new Controls(preview);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => preview.changeTheme(matches ? "dark" : "light"));
  preview.requestFrame();
  window.preview = preview;
}

start().catch((error) => {
  element("summary").textContent = "";
  notice(error.message);
});
