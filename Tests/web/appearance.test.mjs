// How markers look: sizes, labels, rings, and colours that everybody can tell apart.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { MapAdapter } from "../../Sources/PyramidWeb/markers/map-adapter.js";
import { stacked } from "../../Sources/PyramidWeb/markers/stacks.js";
import { textsOf } from "../../Sources/PyramidWeb/markers/texts.js";
import { Appearance, distanceAt } from "../../Sources/PyramidWeb/markers/appearance.js";
import { colorSchemes, rampColor, textOnOther } from "../../Sources/PyramidWeb/markers/color-schemes.js";
import { markerOf } from "../../Sources/PyramidWeb/tileset/marker.js";
import { heightOf, nameOf, pixelsOutside } from "../../Sources/PyramidWeb/markers/sprite.js";
import { fakePage, noSurface } from "./page.mjs";

const point = (id, longitude, latitude, properties = {}) =>
  markerOf({ id, geometry: { type: "Point", coordinates: [longitude, latitude] }, properties });
const cluster = (id, longitude, latitude, count, bbox, properties = {}) =>
  markerOf({
    id,
    bbox,
    geometry: { type: "Point", coordinates: [longitude, latitude] },
    properties: { cluster: true, cluster_id: id, point_count: count, ...properties },
  });
const abbreviated = (count) =>
  count < 1000
    ? count
    : count < 1e6
      ? `${String(count / 1000).slice(0, count < 1e4 ? 3 : count < 1e5 ? 2 : 3)}k`
      : `${String(count / 1e6).slice(0, 3)}M`;

/** Notes what is drawn, and takes letters to be as wide as DejaVu's bold ones, which are wider than those of most fonts. */
class FakeContext {
  discs = [];
  labels = [];
  stretch = 1;
  scale(across) {
    this.stretch *= across;
  }
  translate() {}
  beginPath() {}
  moveTo() {}
  arc(x, y, radius) {
    this.radius = radius;
  }
  fill() {
    this.discs.push({ radius: this.radius, color: this.fillStyle });
  }
  drawImage() {}
  measureText(text) {
    return { width: [...text].reduce((sum, letter) => sum + (letter === "." ? 0.38 : 0.7), 0) * this.size };
  }
  get size() {
    return Number(/(\d[\d.]*)px/.exec(this.font)[1]);
  }
  fillText(text) {
    this.labels.push({ text, size: this.size, width: this.measureText(text).width * this.stretch, stretch: this.stretch });
  }
}

/** What is drawn for a marker. */
function drawn(appearance, marker) {
  const context = new FakeContext();
  globalThis.document = { createElement: () => ({ getContext: () => context }) };
  try {
    const look = appearance.look(marker),
      { half } = appearance.sprite(look, 1);
    return { ...context, ...look, label: context.labels[0], half };
  } finally {
    delete globalThis.document;
  }
}

test("labels have at least 11 pixels if there is room for them, and fit into their circles, which are no wider than the tileset's distance", () => {
  const colors = { bar: "#111111", pub: "#222222" };
  for (const options of [{}, { colorBy: "kind", colors }, { colorBy: "kind", colors, colorScheme: "dark" }]) {
    for (const distance of [10, 16, 24, 31, 40, 60]) {
      for (const count of [2, 9, 10, 99, 100, 999, 1300, 13000, 130000, 1300000, 10 ** 8]) {
        for (const kind of [{ bar: count }, { bar: count - 1, pub: 1 }]) {
          const appearance = new Appearance(options);
          appearance.suit(false, distance);
          const { radius, half, discs, label, slices } = drawn(
            appearance,
            cluster(count, 2, 3, count, [1, 2, 3, 4], { kind, point_count_abbreviated: abbreviated(count) }),
          );
          assert.ok(2 * radius <= distance && discs.every((disc) => disc.radius <= radius) && half >= radius);
          const middle = discs.at(-1).radius;
          assert.ok(label.stretch >= 0.8 && Math.hypot(label.width / 2, label.size / 3) <= middle + 0.01, JSON.stringify(label));
          // One or two digits fit from 31 pixels on, and all labels with the distance that is the default.
          if (distance >= 40 || (distance >= 31 && count < 100)) assert.ok(label.size >= 11, `${count} has ${label.size} px in ${radius}`);
          assert.equal(slices?.length, options.colorBy && Object.keys(kind).length);
        }
      }
    }
  }
  assert.equal(new Appearance().look(cluster(1, 2, 3, 200, [1, 2, 3, 4], { point_count_abbreviated: "99+" })).label, "99+");
  assert.equal(new Appearance({ look: ({ count }) => ({ label: `n=${count}` }) }).look(point(1, 2, 3)).label, "n=1");
});

test("more points have larger circles, from 22 pixels up to 56 if there is room, and 11,000 twice the area of 27 at 40 pixels", () => {
  const sizeOf = (count, distance) => {
    const appearance = new Appearance();
    appearance.suit(false, distance);
    return 2 * appearance.look(cluster(1, 2, 3, count, [1, 2, 3, 4])).radius;
  };
  const counts = [2, 9, 27, 100, 518, 1000, 11000, 10 ** 5, 10 ** 7];
  for (const [distance, largest] of [
    [16, 16],
    [40, 40],
    [56, 56],
    [90, 56],
  ]) {
    const sizes = counts.map((count) => sizeOf(count, distance));
    assert.ok(Math.abs(sizes[0] - Math.min(22, distance)) < 1 && Math.abs(sizes.at(-1) - largest) < 1e-9, `${distance}: ${sizes}`);
    if (distance > 16)
      assert.ok(
        sizes.every((size, index) => !index || size > sizes[index - 1] || counts[index] > 10 ** 5),
        `${distance}: ${sizes}`,
      );
    assert.ok(
      sizes.every((size) => size <= distance),
      `${distance}: ${sizes}`,
    );
  }
  assert.ok((sizeOf(11000, 40) / sizeOf(27, 40)) ** 2 >= 1.95, `${sizeOf(27, 40)} and ${sizeOf(11000, 40)}`);
});

test("a long label makes its circle larger, up to the distance between markers; then it is smaller", () => {
  for (const slices of [
    undefined,
    [
      { color: "#111111", count: 2 },
      { color: "#222222", count: 3 },
    ],
  ]) {
    for (const [distance, isLarge] of [
      [80, true],
      [40, false],
      [16, false],
      [6, false],
    ]) {
      for (const label of ["255 €", "1,234,567 €"]) {
        for (const marker of [cluster(1, 2, 3, 40, [1, 2, 3, 4]), point(1, 2, 3)]) {
          const appearance = new Appearance({ look: () => ({ label, slices }) });
          appearance.suit(false, distance);
          const { radius, discs, label: found } = drawn(appearance, marker),
            middle = discs.at(-1).radius;
          assert.ok(2 * radius <= distance && found.text === label && found.stretch >= 0.8, JSON.stringify(found));
          assert.ok(Math.hypot(found.width / 2, found.size / 3) <= middle + 0.01, `${found.width} x ${found.size} px in ${middle}`);
          if (isLarge) assert.ok(found.size >= 10.99, `${label} has ${found.size} px at ${distance}`);
          else assert.ok(found.size >= 10.99 || radius === distance / 2, `${label} at ${distance}`);
        }
      }
    }
  }
  assert.equal(drawn(new Appearance({ look: () => ({ label: "1,234,567 €", radius: 9 }) }), point(1, 2, 3)).radius, 9, "the page's radius");
});

test("the distance is that of the zoom in the TileJSON", () => {
  const tileJSON = { minzoom: 2, cluster_distances: [60, 50, 16] };
  assert.deepEqual(
    [2, 3, 4, 5].map((zoom) => distanceAt(tileJSON, zoom)),
    [60, 50, 16, 40],
  );
  assert.equal(distanceAt({ minzoom: 2 }, 3), 40);
  const appearance = new Appearance(),
    large = cluster(1, 2, 3, 10 ** 7, [1, 2, 3, 4]);
  assert.equal(appearance.look(large).radius, 20);
  appearance.suit(false, 16);
  assert.equal(appearance.look(large).radius, 8);
  assert.ok(appearance.look(point(1, 2, 3)).radius < 8);
});

test("among many markers, points are dots", () => {
  const appearance = new Appearance(),
    marker = point(1, 2, 3),
    { radius } = appearance.look(marker);
  appearance.suit(true, appearance.distance);
  assert.ok(appearance.look(marker).radius < radius / 2);
  appearance.suit(false, appearance.distance);
  assert.equal(appearance.look(marker).radius, radius);
});

test("a value's colour depends on its name alone, not on what was seen before it", () => {
  const values = ["Asia", "Oceania", "Africa", "Europe", "a", "b", "c", "d", "e", 7, "7.5", "toString"],
    options = { colorBy: "kind", colors: { bar: "#123456" } };
  const colorsOf = (values) => {
    const appearance = new Appearance(options);
    return new Map(values.map((value) => [value, appearance.color(value)]));
  };
  const colors = colorsOf(values),
    reversed = colorsOf([...values].reverse());
  for (const value of values) {
    assert.equal(reversed.get(value), colors.get(value), String(value));
    assert.equal(colorsOf([value]).get(value), colors.get(value), String(value));
    assert.match(colors.get(value), /^#/);
  }
  assert.ok(new Set(colors.values()).size > 5, "names differ in colour");
  assert.equal(new Appearance(options).look(point(1, 2, 3, { kind: "bar" })).color, "#123456");
});

// `looks.cases.json` has colours and looks for the tests of PyramidClient, too; WRITE_CASES=1 writes it anew.
test("the colours and looks for all clients are those of this library", () => {
  const casesFile = new URL("looks.cases.json", import.meta.url);
  const colorOf = (value) => ["light", "dark"].map((colorScheme) => new Appearance({ colorBy: "kind", colorScheme }).color(value));
  const values = ["Asia", "North America", "Côte d’Ivoire", "日本", "👩‍🚀", 7, -2.5, 1200000, true, ""];
  const kinds = [
    undefined,
    "bakery",
    { bakery: 7, bar: 2, cafe: 3 },
    { bakery: 12 },
    { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10, k: 11, l: 12 },
  ];
  const looks = [1, 2, 12, 420, 1500, 23000].flatMap((count) =>
    [40, 20].flatMap((distance) =>
      kinds.map((kind) => {
        const properties = { ...(kind && { kind }), ...(count > 1 && { point_count_abbreviated: abbreviated(count) }) };
        const appearance = new Appearance({ colorBy: "kind" });
        appearance.suit(false, distance);
        const {
          radius,
          label,
          color,
          textColor,
          slices = [],
        } = appearance.look(count > 1 ? cluster(1, 2, 3, count, [1, 2, 3, 4], properties) : point(1, 2, 3, typeof kind === "string" ? { kind } : {}));
        return {
          count,
          distance,
          kind: kind ?? null,
          look: { radius, label, color, textColor, slices: slices.map(({ color, count }) => ({ color, count })) },
        };
      }),
    ),
  );
  const shares = [0, 0.1, 0.3, 0.5, 0.77, 1];
  const cases = {
    schemes: colorSchemes,
    textOnOther,
    values: values.map((value) => [String(value), ...colorOf(value)]),
    ramp: shares.map((share) => ({ share, ...rampColor(share) })),
    looks,
  };
  const text = `${JSON.stringify(cases).replaceAll(/\{"count":\d+,"distance"/g, "\n$&")}\n`;
  if (process.env.WRITE_CASES) writeFileSync(casesFile, text);
  assert.equal(readFileSync(casesFile, "utf8"), text);
});

test("the order of the colours is the one given, also for values that are whole numbers", () => {
  const pairs = [
      ["5", "#555555"],
      ["4", "#444444"],
      ["3", "#333333"],
    ],
    stars = cluster(1, 2, 3, 9, [1, 2, 3, 4], { stars: { 3: 2, 4: 3, 5: 4 } });
  for (const colors of [pairs, new Map(pairs), pairs.map(([value, color]) => [Number(value), color])]) {
    assert.deepEqual(
      new Appearance({ colorBy: "stars", colors }).look(stars).slices.map(({ color }) => color),
      ["#555555", "#444444", "#333333"],
    );
  }
  const { slices } = new Appearance({ colorBy: "stars", colors: { a: "#aaaaaa", 4: "#444444" } }).look(
    cluster(1, 2, 3, 9, [1, 2, 3, 4], { stars: { a: 2, 4: 3 } }),
  );
  assert.deepEqual(
    slices.map(({ color }) => color),
    ["#444444", "#aaaaaa"],
  );
});

test("another look keeps the colours that the page gave, and leaves the page's options alone", () => {
  fakePage();
  const options = { colorBy: "kind", colors: { bar: "#123456" }, ringColor: "#fff", retryMilliseconds: 1 },
    before = structuredClone(options);
  const fetch = async () => new Response("", { status: 401 }),
    adapter = new MapAdapter("https://tiles.example.org/", { ...options, fetch }, noSurface),
    { markers } = adapter;
  const kept = new Map(["bar", "café", "pub"].map((kind) => [kind, markers.appearance.color(kind)]));
  markers.restyle({ ringColor: "#000" });
  for (const [kind, color] of kept) assert.equal(markers.appearance.color(kind), color, kind);
  assert.equal(markers.appearance.look(point(1, 2, 3, { kind: "bar" })).ringColor, "#000");
  markers.restyle({ colors: [["bar", "#654321"]] });
  assert.equal(markers.appearance.color("bar"), "#654321");
  assert.equal(markers.appearance.look(point(1, 2, 3, { kind: "bar" })).ringColor, "#000", "what was changed before stays");
  markers.remove();
  const own = { ...before, fetch },
    other = new MapAdapter("https://tiles.example.org/", own, noSurface);
  other.restyle({ ringColor: "#000" });
  other.remove();
  assert.deepEqual(own, { ...before, fetch });
});

test("the parts of a ring are in the same order whatever the counts are", () => {
  const sliced = (kind) => new Appearance({ colorBy: "kind" }).look(cluster(1, 2, 3, 15, [1, 2, 3, 4], { kind })).slices.map(({ color }) => color);
  assert.deepEqual(sliced({ museum: 1, bar: 9, Asia: 5 }), sliced({ bar: 1, Asia: 2, museum: 12 }));
});

test("a ring has a part for each value, in the order of the colours, and what has none is not taken for a value", () => {
  const colors = { bar: "#111111", café: "#222222", "": "#333333" },
    appearance = new Appearance({ colorBy: "kind", colors, otherColor: "#444444" });
  const sliced = (marker) => appearance.look(marker).slices?.map(({ color, count }) => `${color} ${count}`);
  const counted = (kind) => cluster(1, 2, 3, 15, [1, 2, 3, 4], { kind });
  assert.deepEqual(sliced(counted({ café: 6, pub: 3, bar: 4, other: 1, "": 1 })), ["#111111 4", "#222222 6", "#333333 1", "#444444 4"]);
  assert.deepEqual(sliced(counted({ café: 15 })), ["#222222 15"], "a cluster of one value doesn't outweigh mixed ones");
  assert.deepEqual(sliced(counted("pub")), ["#444444 15"]);
  const [stack] = stacked(["café", "bar", "café"].map((kind, id) => point(id, 2, 3, { kind })));
  assert.deepEqual(sliced(stack), ["#111111 1", "#222222 2"]);
  assert.deepEqual(sliced(counted(undefined)), ["#333333 15"], "a group without a value");
  const byCount = new Appearance().look(counted("pub")).color;
  assert.equal(
    new Appearance({ colorBy: "kind", colors: { bar: "#111111" } }).look(counted(undefined)).color,
    byCount,
    "clusters without the column",
  );
  const [one, other] = [
    { café: 6, bar: 9 },
    { café: 9, bar: 6 },
  ].map((kind) => nameOf(appearance.look(counted(kind))));
  assert.notEqual(one, other);
  assert.equal(one, nameOf(appearance.look(cluster(2, 8, 9, 15, [7, 8, 9, 10], { kind: { bar: 9, café: 6 } }))));
});

const rgb = (hex) => [1, 3, 5].map((index) => parseInt(hex.slice(index, index + 2), 16));
const linear = (channels) =>
  channels.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, factor, index) => sum + factor * vector[index], 0));
const luminance = (channels) => times([[0.2126, 0.7152, 0.0722]], linear(channels))[0];
/** By WCAG 2. */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** What is seen, in linear RGB: Machado, Oliveira and Fernandes 2009, severity 1; and Viénot, Brettel and Mollon 1999. */
const sights = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "protanopia (Machado)": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "deuteranopia (Machado)": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "protanopia (Viénot)": [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  "deuteranopia (Viénot)": [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
};

/** CIELAB, D65. */
function lab(channels, sight) {
  const seen = times(sight, linear(channels)).map((value) => Math.min(Math.max(value, 0), 1));
  const white = [0.95047, 1, 1.08883];
  const [x, y, z] = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    seen,
  )
    .map((value, index) => value / white[index])
    .map((t) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The least distance between two of some colours. */
function least(colors, sight) {
  const seen = colors.map((color) => lab(rgb(color), sight));
  return Math.min(...seen.flatMap((one, index) => seen.slice(0, index).map((other) => Math.hypot(...one.map((value, axis) => value - other[axis])))));
}

test("the measures of colours are right", () => {
  assert.equal(contrast([255, 255, 255], [0, 0, 0]), 21);
  lab([255, 0, 0], sights.normal).forEach((value, index) => assert.ok(Math.abs(value - [53.24, 80.09, 67.2][index]) < 0.05, `${index}: ${value}`));
  for (const sight of Object.values(sights))
    for (const row of sight) assert.ok(Math.abs(row.reduce((sum, value) => sum + value) - 1) < 1e-4, "white stays white");
  assert.ok(least(["#3d7a1d", "#8a6d00"], sights["protanopia (Machado)"]) < 3, "green and olive are one colour without red cones");
});

// The map of the preview page: land and sea.
const grounds = { light: ["#f7f8fa", "#e3e9f0"], dark: ["#1d2530", "#10151d"] };

for (const [name, scheme] of Object.entries(colorSchemes)) {
  test(`the colours of the ${name} scheme are told apart by everybody, and from the map`, () => {
    assert.equal(new Set(scheme.palette).size, 10);
    for (const [kind, sight] of Object.entries(sights)) {
      const apart = least([...scheme.palette, scheme.noValue, scheme.other], sight);
      assert.ok(apart >= (kind === "normal" ? 28 : 15), `${kind}: ${apart}`);
    }
    const ramp = scheme.ramp.map((channels) => channels),
      counts = scheme.counts.map(([, color]) => color);
    const colors = [...scheme.palette, ...counts, scheme.point, scheme.noValue, scheme.other].map(rgb);
    for (const color of [...colors, ...ramp]) {
      for (const ground of [...grounds[name], scheme.middle])
        assert.ok(contrast(color, rgb(ground)) >= 3, `${color} on ${ground}: ${contrast(color, rgb(ground))}`);
    }
    for (const color of [...counts, scheme.point]) assert.ok(contrast(rgb(color), rgb(scheme.textOnColor)) >= 4.5, color);
    assert.ok(contrast(rgb(scheme.text), rgb(scheme.middle)) >= 7 && contrast(rgb(textOnOther), rgb(scheme.other)) >= 4.5);
    // From low to high it becomes steadily darker: this needs no sight of colours.
    const lightness = ramp.map((channels) => lab(channels, sights.normal)[0]);
    assert.ok(
      lightness.every((value, index) => !index || value < lightness[index - 1]),
      String(lightness),
    );
  });
}

test("the scheme changes all colours but those that the page gives for both", () => {
  const counted = cluster(1, 2, 3, 15, [1, 2, 3, 4], { kind: { bar: 9, pub: 5, "": 1 } });
  const options = { colorBy: "kind", colors: { bar: "#123456", pub: { light: "#111111", dark: "#eeeeee" } } },
    appearance = new Appearance({ ...options, colorScheme: "dark" });
  assert.deepEqual(
    appearance.look(counted).slices.map(({ color }) => color),
    ["#123456", "#eeeeee", colorSchemes.dark.noValue],
  );
  assert.equal(appearance.look(counted).color, colorSchemes.dark.middle);
  appearance.restyle(options);
  assert.deepEqual(
    appearance.look(counted).slices.map(({ color }) => color),
    ["#123456", "#111111", colorSchemes.light.noValue],
  );
  assert.equal(new Appearance({ colorScheme: "dark" }).look(point(1, 2, 3)).color, colorSchemes.dark.point);
});

test("icons are drawn when they are loaded, once for all markers, and circles if they can't be", () => {
  const made = [];
  globalThis.Image = class extends EventTarget {
    complete = false;
    naturalWidth = 0;
    naturalHeight = 0;
    constructor() {
      super();
      made.push(this);
    }
    end(width, height) {
      [this.complete, this.naturalWidth, this.naturalHeight] = [true, width, height];
      this.dispatchEvent(new Event(width ? "load" : "error"));
    }
  };
  let changes = 0;
  const look = ({ feature }) => ({
    icon: `https://example.org/${feature.properties.kind}.png`,
    ...(feature.properties.kind === "pin" ? { iconAnchor: [10, 32] } : {}),
  });
  const appearance = new Appearance({ look }, () => {
    changes += 1;
  });
  const [pin, other, broken] = ["pin", "pin", "none"].map((kind, id) => point(id, 2, 3, { kind })),
    circle = nameOf(new Appearance().look(pin));
  for (const marker of [pin, other, broken]) assert.equal(nameOf(appearance.look(marker)), circle, "a circle until the icon is there");
  assert.deepEqual(
    made.map(({ src, crossOrigin }) => [src, crossOrigin]),
    [
      ["https://example.org/pin.png", "anonymous"],
      ["https://example.org/none.png", "anonymous"],
    ],
  );
  made[0].end(20, 32);
  made[1].end(0, 0);
  assert.equal(changes, 1);
  const { icon, iconSize, radius } = appearance.look(pin);
  assert.deepEqual([icon === made[0], iconSize, radius], [true, [20, 32], 16]);
  assert.equal(nameOf(appearance.look(pin)), nameOf(appearance.look(other)));
  assert.equal(nameOf(appearance.look(broken)), circle);
  // The icon stands on its place: 10 pixels to both sides, 32 up.
  const outside = (east, south) => pixelsOutside(appearance.look(pin), east, south);
  assert.ok(outside(9, -31) < 0 && outside(-9, -1) < 0 && outside(0, 3) === 3 && outside(12, -5) === 2);
  assert.equal(heightOf(appearance.look(pin)), 32);
  appearance.restyle({ look });
  assert.equal(appearance.look(pin).icon, made[0], "another look keeps the images");
  const canvas = { width: 8, height: 6 },
    [east, south] = new Appearance({ look: () => ({ icon: canvas, iconSize: [16, 12] }) }).look(pin).iconAnchor;
  assert.deepEqual([east, south], [8, 6]);
  delete globalThis.Image;
});

test("short counts in circles have the digits and the decimal sign of the map's language", () => {
  const marker = markerOf({
    geometry: { type: "Point", coordinates: [1, 2] },
    properties: { cluster: true, cluster_id: 7, point_count: 1290, point_count_abbreviated: "1.2k" },
  });
  for (const [locale, label] of [
    ["en", "1.2k"],
    ["de", "1,2k"],
    ["fa", "۱٫۲k"],
    ["ar-EG", "١٫٢k"],
  ])
    assert.equal(new Appearance({}, undefined, textsOf({ locale }).labelText).look(marker).label, label, locale);
});
