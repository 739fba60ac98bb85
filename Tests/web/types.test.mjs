// What TypeScript says of the documented code: the READMEs, the example pages, and typed listeners.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../.."),
  library = join(root, "Sources/PyramidWeb");
const options = ["--noEmit", "--allowJs", "--checkJs", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"];
// As bundlers resolve modules, and as Node does.
const resolutions = [
  ["--module", "es2022", "--moduleResolution", "node"],
  ["--module", "node16", "--moduleResolution", "node16"],
];
// What pages have: the map libraries, a map, and what a sample leaves to the reader.
const page = `declare const L: any, maplibregl: any, ol: any, map: Record<string, any> & { on(type: string, listener: (event: any) => void): void };
declare function draw(changes: import("pyramid-web").Change["changes"]): void;
interface Window { example: unknown }
declare module "react";
declare module "react-dom/client";
declare module "https://*";
`;

const types = mkdtempSync(join(tmpdir(), "pyramid-types-"));
after(() => rmSync(types, { recursive: true }));

/** Runs TypeScript's compiler, and fails with what it says. */
function tsc(cwd, ...options) {
  const { status, stdout, stderr, error } = spawnSync("tsc", options, { cwd, encoding: "utf8" });
  assert.ifError(error);
  assert.deepEqual([status, stdout, stderr], [0, "", ""], options.join(" "));
}

test("the library compiles under strict TypeScript", () => tsc(library, "-p", ".", "--emitDeclarationOnly", "--outDir", types));

/** Fails with what the compiler says of files, by name, that import the library as a package, and as a folder beside them. */
function compile(files, isStrict = "true") {
  const folder = mkdtempSync(join(tmpdir(), "pyramid-types-"));
  try {
    for (const place of ["node_modules/pyramid-web", "PyramidWeb"]) cpSync(library, join(folder, place), { recursive: true });
    cpSync(types, join(folder, "node_modules/pyramid-web/types"), { recursive: true });
    const all = { "package.json": '{ "type": "module" }', "page.d.ts": page, ...files };
    for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
    for (const resolution of resolutions)
      tsc(folder, ...options, "--strict", isStrict, ...resolution, "page.d.ts", "PyramidWeb/environment.d.ts", ...Object.keys(files));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Together, because the compiler reads the library and the browser's types each time.
test("the samples of the READMEs, their lists of options, events and members, and typed listeners compile under strict TypeScript", () => {
  const files = { "tables.ts": tables(), "listeners.ts": listeners };
  for (const [name, path] of [
    ["library", join(library, "README.md")],
    ["program", join(root, "README.md")],
  ]) {
    const text = readFileSync(path, "utf8"),
      samples = [...text.matchAll(/```[jt]s\n(.*?)```/gs), ...text.matchAll(/<script type="module">\n(.*?)<\/script>/gs)];
    samples.forEach(([, code], index) => {
      files[`${name}-${index}.ts`] = code.replace("./pyramid-web/", "pyramid-web/");
    });
  }
  assert.ok(Object.keys(files).length >= 5, "samples were found");
  compile(files);
});

test("TypeScript finds no mistake in the example pages", () => {
  const files = {};
  // The page for MapLibre alone has nothing of the library.
  for (const name of readdirSync(join(library, "examples")).filter((name) => name !== "maplibre-alone.html")) {
    const [, code] = /<script type="module">\n(.*?)<\/script>/s.exec(readFileSync(join(library, "examples", name), "utf8"));
    files[`PyramidWeb/examples/${name.replace(".html", ".js")}`] = code;
  }
  assert.ok(Object.keys(files).length >= 6, "pages were found");
  // Elements that may be missing and parameters without types are usual in pages.
  compile(files, "false");
});

/** Compiles if the README lists the options, events and members that there are. */
function tables() {
  const readme = readFileSync(join(library, "README.md"), "utf8"),
    named = (cell, pattern) => [...cell.matchAll(pattern)].map(([, name]) => name);
  /** The names in the first cells of the tables below a heading. */
  const listed = (heading, pattern) => {
    const [, section] = readme.split(`## ${heading}\n`),
      rows = section
        .split("\n## ")[0]
        .split("\n")
        .filter((line) => /^\| `/.test(line));
    return rows
      .flatMap((row) => named(row.split(" | ")[0], pattern))
      .map((name) => `"${name}"`)
      .join(" | ");
  };
  const option = /`(\w+)(?=[`(])/g,
    member = /`(?:await )?markers\.(\w+)/g;
  return `import type { MapEvents, MarkerMap } from "pyramid-web";
import { addMarkers } from "pyramid-web/leaflet";
import { addMarkers as onMapLibre } from "pyramid-web/maplibre";
import { addMarkers as onOpenLayers } from "pyramid-web/openlayers";
import { addLegend } from "pyramid-web/legend";
type Options<Adder extends (...parameters: any) => any> = keyof NonNullable<Parameters<Adder>[2]>;
type Same<Listed, Real> = [Exclude<Real, Listed>, Exclude<Listed, Real>] extends [never, never] ? "same" : { notListed: Exclude<Real, Listed>, notThere: Exclude<Listed, Real> };
export const options: Same<${listed("Options", option)}, Options<typeof addMarkers> | Options<typeof onMapLibre> | Options<typeof onOpenLayers>> = "same";
export const events: Same<${listed("Events", /`(\w+)`/g)}, keyof MapEvents> = "same";
export const members: Same<${listed("Members", member)} | ${listed("Filters", member)}, Exclude<keyof MarkerMap, keyof EventTarget>> = "same";
export const legend: Same<${listed("Legend", option)}, Options<typeof addLegend>> = "same";
`;
}

// Listeners know the details of their events, and nothing else.
const listeners = `import { MarkerView, type Box, type Feature, type Marker, type MarkerMap, type MarkerMapOptions, type Tile, type TilesetOptions } from "pyramid-web";
import { addMarkers } from "pyramid-web/leaflet";
import { addMarkers as onMapLibre } from "pyramid-web/maplibre";
import { addMarkers as onOpenLayers } from "pyramid-web/openlayers";

const options: MarkerMapOptions = { colors: [["5", "#000"], [4, "#111"]], look: (marker: Marker) => ({ label: String(marker.count) }), popup: ({ id }: Feature) => String(id) };
const others: MarkerMapOptions[] = [{ colors: { a: "#000" } }, { colors: new Map([["a", "#000"]]) }];
const requests: TilesetOptions = { fetch: (url, init) => fetch(url, init) };
const maps: MarkerMap[] = [addMarkers(map, "a/", options), onMapLibre(map, new URL("https://example.org/"), { ...others[0], ...requests, id: "shops" }), onOpenLayers(map, "a/")];
for (const markers of maps) {
  markers.addEventListener("open", ({ detail: { tileset } }) => { const zoom: number = tileset.maxzoom; });
  markers.addEventListener("change", ({ detail }) => { const added: Marker[] = detail.changes.added.map(({ marker }) => marker); });
  markers.addEventListener("click", (event) => { event.preventDefault(); const { key }: Marker = event.detail.marker, [longitude]: number[] = event.detail.lngLat, type = event.detail.originalEvent?.type; });
  markers.addEventListener("details", ({ detail: { lngLat: [longitude], content } }) => { document.body.append(content, String(longitude.toFixed(1))); });
  markers.addEventListener("draw", ({ detail: { shown } }) => { const opacity: number = shown[0].alpha; });
  markers.addEventListener("error", ({ detail: { error } }) => { const text: string = error.message, again: boolean | undefined = error.retryable; });
  markers.addEventListener("settled", ({ detail: { errors } }) => errors.length, { once: true });
  const listener = () => {};
  markers.addEventListener("draw", listener);
  markers.removeEventListener("draw", listener);
  // @ts-expect-error: there is no such event
  markers.addEventListener("opened", () => {});
  // @ts-expect-error: a click has no markers
  markers.addEventListener("click", ({ detail: { markers } }) => markers);
  // @ts-expect-error: only adapters move
  markers.moved(true);
}
const box: Box = [5, 45, 11, 48], tile: Tile = { z: 1, x: 0, y: 1 }, view = new MarkerView("a/");
view.addEventListener("change", ({ detail: { markers, zoom, isZoom } }) => { const numbers: [number, number, boolean] = [markers.length, zoom, isZoom]; });
view.move(box, tile.z);
// @ts-expect-error: views draw nothing
view.addEventListener("draw", () => {});
`;
