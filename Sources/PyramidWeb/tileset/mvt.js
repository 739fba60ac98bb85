// Vector tiles: https://github.com/mapbox/vector-tile-spec/tree/master/2.1

import { ByteReader } from "./byte-reader.js";
import { toDegrees } from "./geometry.js";

/** @typedef {import("./marker.js").Feature} Feature */

/** The grid size of tiles that `pyramid` writes; other sizes are read, too. */
export const stepsOfTile = 8192;
const pointGeometry = 1,
  moveToOnce = 9;
const text = new TextDecoder();

/** The points of a vector tile, as the features of a GeoJSON tile. Their places are as precise as the tile's grid. Other
 * geometries are left out.
 * @param {Uint8Array} bytes without gzip @param {import("./geometry.js").Tile} tile its address
 * @param {{ idProperty?: string, nested?: string[] }} [names] `idProperty`: the property with ids of points that aren't integers;
 *   `nested`: properties of points that have arrays as JSON text
 * @returns {Feature[]} Throws a RangeError if it isn't a tile. */
export function decodeTile(bytes, tile, names = {}) {
  const reader = new ByteReader(bytes);
  /** @type {Feature[][]} */
  const layers = [];
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    if (tag === ((3 << 3) | 2)) layers.push(layerFeatures(reader.field(), tile, names));
    else reader.skip(tag & 7);
  }
  return layers.flat();
}

/** Puts the counts of clusters, which vector tiles spell out, into the form of GeoJSON tiles.
 * @param {Feature[]} features @returns {import("./facets.js").Combination[]} the combinations in the order of their first appearance, so that
 *   gaps can be negative */
export function tableOf(features) {
  /** @type {Map<string, number>} */ const numbers = new Map();
  for (const { properties } of features) {
    const { cluster, facets } = properties;
    if (!cluster || !Array.isArray(facets)) continue;
    /** @type {number[]} */ const gaps = [];
    let next = 0;
    for (let pair = 0; pair < facets.length; pair += 2) {
      const combination = JSON.stringify(facets[pair]),
        number = numbers.get(combination) ?? numbers.size;
      numbers.set(combination, number);
      gaps.push(number - next);
      next = number + 1;
    }
    properties.facets = [gaps, facets.flatMap((count, index) => (index % 2 ? count - 1 : []))];
  }
  return [...numbers.keys()].map((combination) => JSON.parse(combination));
}

/** @param {Uint8Array} bytes @param {import("./geometry.js").Tile} tile @param {{ idProperty?: string, nested?: string[] }} names @returns {Feature[]} */
function layerFeatures(bytes, tile, names) {
  const reader = new ByteReader(bytes);
  /** @type {Uint8Array[]} */ const found = [];
  /** @type {string[]} */ const keys = [];
  /** @type {(string | number | boolean)[]} */ const values = [];
  let extent = 4096;
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    if (tag === ((2 << 3) | 2)) found.push(reader.field());
    else if (tag === ((3 << 3) | 2)) keys.push(text.decode(reader.field()));
    else if (tag === ((4 << 3) | 2)) values.push(valueOf(reader.field()));
    else if (tag === ((5 << 3) | 0)) extent = reader.varint();
    else reader.skip(tag & 7);
  }
  // Keys and values may come after the features.
  const points = found.flatMap((feature) => pointFeature(feature, keys, values, tile, extent) ?? []);
  return points.map((point) => asGeoJSON(point, names));
}

/** @param {Uint8Array} bytes */
function valueOf(bytes) {
  const reader = new ByteReader(bytes);
  /** @type {string | number | boolean} */
  let value = "";
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    switch (tag) {
      case (1 << 3) | 2:
        value = text.decode(reader.field());
        break;
      case (2 << 3) | 5:
        value = reader.float();
        break;
      case (3 << 3) | 1:
        value = reader.double();
        break;
      case (4 << 3) | 0:
        value = reader.integer();
        break;
      case (5 << 3) | 0:
        value = reader.varint();
        break;
      case (6 << 3) | 0:
        value = reader.zigzag();
        break;
      case (7 << 3) | 0:
        value = reader.varint() !== 0;
        break;
      default:
        reader.skip(tag & 7);
    }
  }
  return value;
}

/** @param {Uint8Array} bytes @param {string[]} keys @param {(string | number | boolean)[]} values
 * @param {import("./geometry.js").Tile} tile @param {number} extent @returns {Feature | null} `null` if it isn't a single point */
function pointFeature(bytes, keys, values, { z, x, y }, extent) {
  const reader = new ByteReader(bytes);
  let type = 0,
    id,
    tags = new Uint8Array(),
    geometry = new Uint8Array();
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    if (tag === ((1 << 3) | 0)) id = reader.varint();
    else if (tag === ((2 << 3) | 2)) tags = reader.field();
    else if (tag === ((3 << 3) | 0)) type = reader.varint();
    else if (tag === ((4 << 3) | 2)) geometry = reader.field();
    else reader.skip(tag & 7);
  }
  const commands = new ByteReader(geometry);
  if (type !== pointGeometry || commands.varint() !== moveToOnce) return null;
  const [east, south] = [commands.zigzag(), commands.zigzag()],
    width = 2 ** z;
  /** @type {Record<string, any>} */
  const properties = {},
    indices = new ByteReader(tags);
  while (!indices.isAtEnd) {
    const key = keys[indices.varint()],
      value = values[indices.varint()];
    if (key === undefined || value === undefined) throw new RangeError("has a feature with a property that its layer doesn't list");
    properties[key] = value;
  }
  const coordinates = toDegrees((x + east / extent) / width, (y + south / extent) / width);
  return { type: "Feature", ...(id !== undefined && { id }), geometry: { type: "Point", coordinates }, properties };
}

/** Decodes values that vector tiles can't nest: those of clusters (the box, members, counts by value) are JSON text.
 * Other texts of points stay as they are. Ids that aren't integers are properties.
 * @param {Feature} feature @param {{ idProperty?: string, nested?: string[] }} names @returns {Feature} */
function asGeoJSON(feature, { idProperty, nested: nestedNames = [] }) {
  const { id, properties } = feature;
  if (properties.cluster !== true) {
    for (const name of nestedNames) if (name in properties) properties[name] = nested(properties[name]);
    if (idProperty === undefined || id !== undefined || !(idProperty in properties)) return feature;
    const { [idProperty]: own, ...others } = properties;
    return { ...feature, id: own, properties: others };
  }
  for (const [name, value] of Object.entries(properties)) properties[name] = nested(value);
  if (Array.isArray(properties.bbox)) feature.bbox = /** @type {any} */ (properties.bbox);
  delete properties.bbox;
  properties.cluster_id ??= id;
  return feature;
}

/** @param {unknown} value */
function nested(value) {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
