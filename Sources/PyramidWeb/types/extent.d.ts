/**
 * The box of `all` points of a tileset, and of the `first` view, in which few points may be missing. East is greater than 180 if they
 * cross the antimeridian.
 * @param {import("./tileset.js").Tileset} tileset @param {{ signal?: AbortSignal }} options
 * @returns {Promise<{ all: Box, first: Box }>}
 */
export function extentsOf(tileset: import("./tileset.js").Tileset, { signal }?: {
    signal?: AbortSignal;
}): Promise<{
    all: import("./geometry.js").Box;
    first: import("./geometry.js").Box;
}>;
export type Box = import("./geometry.js").Box;
export type Marker = import("./marker.js").Marker;
