/**
 * The box around all points of a tileset; east is greater than 180 if they cross the antimeridian.
 * @param {import("./tileset.js").Tileset} tileset @returns {Promise<import("./geometry.js").Box>}
 */
export function extentOf(tileset: import("./tileset.js").Tileset): Promise<import("./geometry.js").Box>;
