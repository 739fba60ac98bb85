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
    this.load(tile).then(whenSettled);
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
