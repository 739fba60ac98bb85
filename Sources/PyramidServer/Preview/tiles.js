// Reads the pyramid: its metadata and its tiles, however the host sends them.

const page = new URL("./", location.href);

async function readJSON(name) {
  const response = await fetch(new URL(name, page));
  if (!response.ok) throw new Error(`${name}: the host answers ${response.status}`);
  return response.json();
}

/** The JSON of a response whose gzip coding the host may not have declared. */
async function inflatedJSON(response) {
  let bytes = new Uint8Array(await response.arrayBuffer());
  const byteCount = Number(response.headers.get("content-length")) || bytes.length;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  return { byteCount, json: bytes.length ? JSON.parse(new TextDecoder().decode(bytes)) : null };
}

/** Tiles by "z/x/y", fetched once; the ones that were not looked at for long are forgotten. */
class TileStore {
  constructor(tileJSON) {
    this.template = tileJSON.tiles[0];
    this.zooms = { min: tileJSON.minzoom, max: tileJSON.maxzoom };
    const [west, south, east, north] = tileJSON.bounds ?? [-180, -90, 180, 90];
    this.corners = [toWorld(west, north), toWorld(east, south)];
    this.tiles = new Map();
    this.limit = 800;
  }

  /** Whether points can lie in a tile: those beyond the pyramid's bounds need not be asked for. */
  mayHavePoints(z, x, y) {
    const n = 2 ** z, [[west, north], [east, south]] = this.corners;
    return (x + 1) / n >= west && x / n <= east && (y + 1) / n >= north && y / n <= south;
  }

  /** The tile, or a promise's worth of it: `{markers, byteCount, state}`, state "loading", "ready" or "failed". */
  tile(z, x, y, whenSettled) {
    const name = `${z}/${x}/${y}`;
    let tile = this.tiles.get(name);
    if (tile && tile.state !== "failed") {
      this.tiles.delete(name);
      this.tiles.set(name, tile);
      return tile;
    }
    tile = { name, z, x, y, markers: [], byteCount: 0, state: "ready", isMissing: true };
    this.tiles.set(name, tile);
    if (!this.mayHavePoints(z, x, y)) return tile;
    tile.state = "loading";
    tile.abort = new AbortController();
    tile.settled = this.load(tile);
    if (whenSettled) tile.settled.then(whenSettled);
    return tile;
  }

  async load(tile) {
    const { z, x, y } = tile;
    const path = this.template.replace("{z}", z).replace("{x}", x).replace("{y}", y);
    try {
      const response = await fetch(new URL(path, page), { signal: tile.abort.signal });
      if (response.ok && response.status !== 204) {
        const { byteCount, json } = await inflatedJSON(response);
        tile.markers = markersOf(json?.features ?? []);
        tile.byteCount = byteCount;
        tile.isMissing = tile.markers.length === 0;
      } else if (!response.ok && response.status !== 404 && response.status !== 403) {
        // Object stores answer 403 for what is not there.
        throw new Error(`the host answers ${response.status}`);
      }
      tile.state = "ready";
    } catch (error) {
      if (error.name === "AbortError") this.tiles.delete(tile.name);
      tile.state = "failed";
      tile.error = error;
    }
    tile.abort = null;
  }

  /** Gives up what is on its way and not wanted any more, and forgets the oldest tiles beyond the limit. */
  keepOnly(wanted) {
    for (const [name, tile] of this.tiles) if (tile.abort && !wanted.has(name)) tile.abort.abort();
    for (const name of this.tiles.keys()) {
      if (this.tiles.size <= this.limit) break;
      if (!wanted.has(name)) this.tiles.delete(name);
    }
  }
}

/** West, south, east and north of all points; east is greater than 180 where they lie around the antimeridian. */
async function extentOf(store, tileJSON) {
  const bounds = tileJSON.bounds ?? [-180, -60, 180, 75], [west, south, east, north] = bounds, z = store.zooms.min;
  // The bounds of TileJSON can't cross the antimeridian. The boxes of the clusters can: the widest gap is outside.
  if (east - west < 180 || z > 1) return bounds;
  const tiles = [];
  for (let x = 0; x < 2 ** z; x++) for (let y = 0; y < 2 ** z; y++) tiles.push(store.tile(z, x, y));
  await Promise.all(tiles.map((tile) => tile.settled));
  const spans = tiles.flatMap((tile) => tile.markers).map(({ feature: { bbox, geometry: { coordinates } } }) => bbox ? [bbox[0], bbox[2]] : [coordinates[0], coordinates[0]]);
  const unwrapped = spans.map(([from, to]) => [from, to < from ? to + 360 : to]).sort((a, b) => a[0] - b[0]);
  if (!unwrapped.length) return bounds;
  let reach = unwrapped[0][1], gap = { width: 0 };
  for (const [from, to] of [...unwrapped.slice(1), [unwrapped[0][0] + 360, 0]]) {
    if (from - reach > gap.width) gap = { width: from - reach, from: reach, to: from };
    reach = Math.max(reach, to);
  }
  // Points all around the world are shown on the map that everyone knows, from the antimeridian on.
  if (gap.width <= 360 - (east - west) || gap.width < 90) return bounds;
  const shift = gap.to > 180 ? 360 : 0;
  return [gap.to - shift, south, gap.from + 360 - shift, north];
}
