// The same points as a plain and as a bundled pyramid, and a host for them.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { createInflateRaw, gunzipSync } from "node:zlib";

// Small files in memory take a tenth of the time, if there is enough of it.
const memory = "/dev/shm";
if (existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 2e9) process.env.TMPDIR ??= memory;

// Before version 20.12, Node doesn't know "deflate-raw", which browsers do.
try {
  new DecompressionStream("deflate-raw");
} catch {
  const Native = globalThis.DecompressionStream;
  globalThis.DecompressionStream = function (format) {
    return format === "deflate-raw" ? Duplex.toWeb(createInflateRaw()) : new Native(format);
  };
}

/** Numbers from 0 to 1, the same ones each time. */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Rows around the antimeridian, in Europe and in the far south; places with 4 and with 130 points; two that are alike. */
function rows() {
  const random = seededRandom(7),
    lines = ["name,kind,lon,lat"],
    kinds = ["bar", "cafe", "museum"];
  const add = (longitude, latitude) => {
    const wrapped = longitude >= 180 ? longitude - 360 : longitude;
    lines.push(`place ${lines.length},${kinds[(lines.length % 7) % 3]},${wrapped.toFixed(6)},${latitude.toFixed(6)}`);
  };
  for (let index = 0; index < 900; index++) add(165 + 30 * random() ** 2, -60 + 70 * random());
  for (let index = 0; index < 900; index++) add(5 + 9 * random() ** 3, 45 + 8 * random() ** 2);
  for (let index = 0; index < 60; index++) add(-180 + 360 * random(), -88 + 20 * random());
  for (let index = 0; index < 4; index++) add(-71.06, 42.36);
  for (let index = 0; index < 130; index++) add(-46.63, -23.55);
  lines.push("twin,bar,-60.5,-12.25", "twin,bar,-60.5,-12.25");
  return lines.join("\n") + "\n";
}

export const maxZoom = 9;

/** @returns {Record<string, string> & { remove: () => void }} directories and archives */
export function buildPyramids() {
  const folder = mkdtempSync(join(tmpdir(), "pyramid-web-")),
    input = join(folder, "rows.csv");
  writeFileSync(input, rows());
  const build = (name, ...options) => {
    execFileSync(process.env.PYRAMID, ["build", input, join(folder, name), "--max-zoom", String(maxZoom), "--quiet", ...options], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return join(folder, name);
  };
  return {
    plain: build("plain"),
    bundled: build("bundled", "--bundle", "24"),
    vector: build("vector", "--format", "mvt", "--tile-size", "256"),
    "vector.pmtiles": build("vector.pmtiles", "--tile-size", "256"),
    "geojson.pmtiles": build("geojson.pmtiles", "--format", "geojson"),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Every tile of a directory's plain pyramid, read without the library: `[{ z, x, y, features }]`. */
export function tilesOf(directory, kind = "tiles") {
  if (!existsSync(join(directory, kind))) return [];
  return readdirSync(join(directory, kind)).flatMap((z) =>
    readdirSync(join(directory, kind, z)).flatMap((x) =>
      readdirSync(join(directory, kind, z, x)).map((name) => ({
        z: Number(z),
        x: Number(x),
        y: Number(name.replace(".json", "")),
        features: JSON.parse(gunzipSync(readFileSync(join(directory, kind, z, x, name)))).features,
      })),
    ),
  );
}

/**
 * A `fetch` that serves directories as a host does that knows nothing of gzip, and that can be told to fail.
 * `host.answer = (path, init) => Response | Promise | undefined` comes first; `host.requests` has the paths asked for, with
 * their ranges.
 */
export function hostOf(directories) {
  const host = { requests: [], answer: () => undefined, running: 0, mostRunning: 0 };
  host.fetch = async (url, init = {}) => {
    const path = decodeURIComponent(new URL(url).pathname),
      wanted = init.headers?.range;
    host.requests.push(wanted ? `${path} ${wanted}` : path);
    host.mostRunning = Math.max(host.mostRunning, ++host.running);
    try {
      const own = await Promise.race([host.answer(path, init), aborted(init.signal)]);
      if (own) return own;
      await new Promise((resolve) => setImmediate(resolve));
      init.signal?.throwIfAborted();
      const [, name, ...rest] = path.split("/"),
        file = join(directories[name] ?? "/nowhere", ...rest);
      if (!existsSync(file)) return new Response("no such file", { status: 404 });
      const range = /^bytes=(\d+)-(\d+)$/.exec(wanted ?? ""),
        bytes = readFileSync(file);
      return range
        ? new Response(bytes.subarray(Number(range[1]), Number(range[2]) + 1), { status: 206, headers: { etag: '"1"' } })
        : new Response(bytes);
    } finally {
      host.running -= 1;
    }
  };
  return host;
}

function aborted(signal) {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
