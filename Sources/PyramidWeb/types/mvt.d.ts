/**
 * The points of a vector tile, as the features that a GeoJSON tile has. Their places are as exact as the tile's grid. Other
 * geometries are left out.
 * @param {Uint8Array} bytes without gzip
 * @param {import("./geometry.js").Tile} tile whose tile it is
 * @param {string} [idProperty] the property with the ids of points that are no whole numbers
 * @returns {Feature[]} Throws a RangeError if it isn't a tile.
 */
export function decodeTile(bytes: Uint8Array, tile: import("./geometry.js").Tile, idProperty?: string | undefined): Feature[];
/** @typedef {import("./marker.js").Feature} Feature */
/** The steps of the grid of a tile that `pyramid` writes; a grid of more or fewer is read as well. */
export const stepsOfTile: 8192;
export function isVectorTile(bytes: Uint8Array): boolean;
export type Feature = import("./marker.js").Feature;
