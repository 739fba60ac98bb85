/**
 * The place of a coordinate on the map: 0 to 1 from the antimeridian to the east, and from the upper edge down.
 * Latitudes off the map are moved to its edge.
 * @param {number} longitude @param {number} latitude
 * @returns {[x: number, y: number]}
 */
export function toWorld(longitude: number, latitude: number): [x: number, y: number];
/**
 * Longitude and latitude of a place on the map.
 * @param {number} x @param {number} y
 * @returns {[longitude: number, latitude: number]}
 */
export function toDegrees(x: number, y: number): [longitude: number, latitude: number];
/**
 * Whether a box contains another, borders included.
 * @param {Box} outer @param {Box} inner
 */
export function contains(outer: Box, inner: Box): boolean;
/**
 * The box, extended to a pole if it reaches the map's edge there.
 * @param {Box} box @returns {Box}
 */
export function clampedToPoles([west, south, east, north]: Box): Box;
/**
 * The tiles that a box touches, from west to east, and from north to south within a column. Each is there once, even if
 * the box goes round the world several times. Throws a RangeError if there are more than 65,536.
 * @param {Box} box @param {number} z
 * @returns {Tile[]}
 */
export function covering(box: Box, z: number): Tile[];
export function eastward(from: number, to: number): number;
/**
 * in degrees. If the box crosses the antimeridian, east is less than west, or greater than 180.
 */
export type Box = [west: number, south: number, east: number, north: number];
/**
 * in the XYZ scheme: x to the east, y to the south
 */
export type Tile = {
    z: number;
    x: number;
    y: number;
};
