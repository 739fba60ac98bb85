// What `pack.py web` writes: how much pages load, and that all entries are one library.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../.."),
  folder = mkdtempSync(join(tmpdir(), "pyramid-package-"));
after(() => rmSync(folder, { recursive: true }));
const { status, stderr } = spawnSync("python3", [join(root, "Sources/Distribution/pack.py"), "web", folder], { encoding: "utf8" });
assert.equal(status, 0, stderr);
const package_ = join(folder, "pyramid-web"),
  entries = ["index.js", "leaflet.js", "maplibre.js", "openlayers.js", "legend.js"];
const text = (name) => readFileSync(join(package_, name), "utf8");

/** A file and all that it imports at once. */
function loadedWith(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of text(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)) loadedWith(other, found);
  return found;
}

/** The bytes that a page loads, gzipped, which has loaded some files before. */
function bytesOf(name, before = new Set()) {
  return [...loadedWith(name)].filter((file) => !before.has(file)).reduce((sum, file) => sum + gzipSync(text(file), { level: 9 }).length, 0);
}

const limits = { "index.js": 16_500, "leaflet.js": 27_000, "maplibre.js": 27_000, "openlayers.js": 27_000 };
const withMap = loadedWith("leaflet.js");

test("a page with a map loads at most 27 kB, and at most 8 kB more for a legend", () => {
  for (const [name, limit] of Object.entries(limits))
    assert.ok(bytesOf(name) <= limit, `${name} and its imports have ${bytesOf(name)} bytes, at most ${limit} are allowed`);
  assert.ok(bytesOf("legend.js", withMap) <= 8_000, `legend.js has ${bytesOf("legend.js", withMap)} bytes`);
  for (const late of ["opener.js", "points.js", "dates.js", "extent.js", "hash.js", "mvt.js", "pmtiles.js", "slider.js", "timeline.js"])
    assert.ok(!withMap.has(late), `${late} is loaded at once`);
});

test("files have names of their own, and each is loaded by another one or is an entry", () => {
  const files = readdirSync(package_).filter((name) => name.endsWith(".js"));
  for (const name of files) assert.match(name, /^[a-z]+(-web(\.global)?)?\.js$/);
  const imported = new Set(files.flatMap((name) => [...text(name).matchAll(/(?:from|import|import\()"\.\/([^"]+)"/g)].map(([, other]) => other)));
  for (const name of imported) assert.ok(files.includes(name), `${name} is imported and missing`);
  for (const name of files)
    assert.ok(imported.has(name) || entries.includes(name) || name.startsWith("pyramid-web"), `${name} is imported by no file`);
});

test("all entries export the same classes", async () => {
  const modules = await Promise.all(entries.map((name) => import(pathToFileURL(join(package_, name)).href)));
  for (const name of Object.keys(modules[0]))
    for (const [index, module] of modules.entries()) assert.equal(module[name], modules[0][name], `${name} of ${entries[index]}`);
  assert.equal(typeof modules[0].Tileset, "function");
});

test("the README states the sizes", () => {
  const rows = [...readFileSync(join(package_, "README.md"), "utf8").matchAll(/^\| `([a-z-]+\.js)`.* \| (\d+) kB \|$/gm)];
  assert.equal(rows.length, 15);
  for (const [, name, stated] of rows) {
    const bytes = name in limits || name === "pyramid-web.js" ? 0 : bytesOf(name, withMap);
    const size = name === "pyramid-web.js" ? gzipSync(readFileSync(join(folder, name)), { level: 9 }).length : bytes || bytesOf(name);
    assert.equal(Number(stated), Math.ceil(size / 1000), `${name} has ${size} bytes`);
  }
});

test("the package has what its exports name", () => {
  const { exports } = JSON.parse(text("package.json"));
  const paths = Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
  // The declarations of types need TypeScript's compiler.
  for (const path of paths.filter((path) => !path.startsWith("./types/")))
    assert.ok(existsSync(join(package_, path.replace("*", "list.html"))), path);
});
