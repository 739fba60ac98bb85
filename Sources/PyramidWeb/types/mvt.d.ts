/**
 * The points of a vector tile, as the features of a GeoJSON tile. Their places are as precise as the tile's grid. Other
 * geometries are left out.
 * @param {Uint8Array} bytes without gzip
 * @param {import("./geometry.js").Tile} tile its address
 * @param {{ idProperty?: string, nested?: string[] }} [names] `idProperty`: the property with ids of points that aren't integers;
 *   `nested`: properties of points that have arrays as JSON text
 * @returns {Feature[]} Throws a RangeError if it isn't a tile.
 */
export function decodeTile(bytes: Uint8Array, tile: import("./geometry.js").Tile, names?: {
    idProperty?: string | undefined;
    nested?: string[] | undefined;
} | undefined): Feature[];
/** @typedef {import("./marker.js").Feature} Feature */
/** The grid size of tiles that `pyramid` writes; other sizes are read, too. */
export const stepsOfTile: 8192;
export type Feature = import("./marker.js").Feature;
