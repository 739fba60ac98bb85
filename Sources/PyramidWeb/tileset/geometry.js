// Degrees, places on the map, and tiles.

/** @typedef {[west: number, south: number, east: number, north: number]} Box
 * in degrees. If the box crosses the antimeridian, east is less than west, or greater than 180. */
/** @typedef {{ z: number, x: number, y: number }} Tile in the XYZ scheme: x to the east, y to the south */

/** Sums of decimal degrees are inexact: much less than the sixth decimal. */
const marginDegrees = 1e-9;
/** More tiles than any view of a map has. */
const mostTiles = 65536;

/** The place of a coordinate on the map: 0 to 1 from the antimeridian to the east, and from the upper edge down.
 * Latitudes off the map are moved to its edge.
 * @param {number} longitude @param {number} latitude @returns {[x: number, y: number]} */
export function toWorld(longitude, latitude) {
  const sine = Math.sin((latitude * Math.PI) / 180),
    y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [longitude / 360 + 0.5, Math.min(Math.max(y, 0), 1)];
}

/** Longitude and latitude of a place on the map.
 * @param {number} x @param {number} y @returns {[longitude: number, latitude: number]} */
export function toDegrees(x, y) {
  return [(x - 0.5) * 360, (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI];
}

/** The shortest way from one world x to another, -0.5 to 0.5.
 * @param {number} from @param {number} to */
export const eastward = (from, to) => to - from - Math.round(to - from);

/** A longitude in the copy of the world where it is nearest to another.
 * @param {number} longitude @param {number} near */
export const copyOf = (longitude, near) => longitude + 360 * Math.round((near - longitude) / 360);

/** Longitude and latitude of a place on the map, in the copy of the world nearest to a longitude.
 * @param {{ x: number, y: number }} place @param {number} near @returns {[longitude: number, latitude: number]} */
export function placeNear({ x, y }, near) {
  const [longitude, latitude] = toDegrees(x, y);
  return [copyOf(longitude, near), latitude];
}

/** The degrees from one meridian eastward to another: at least 0 and less than 360.
 * @param {number} from @param {number} to */
const degreesEast = (from, to) => (((to - from) % 360) + 360) % 360;

/** The width of a box in degrees: 0 to 360.
 * @param {Box} box */
const widthOf = ([west, , east]) => (east - west >= 360 - marginDegrees ? 360 : degreesEast(west, east));

/** Whether a box contains another, borders included.
 * @param {Box} outer @param {Box} inner */
export function contains(outer, inner) {
  if (inner[1] < outer[1] || inner[3] > outer[3]) return false;
  const width = widthOf(outer);
  return width === 360 || degreesEast(outer[0], inner[0]) + widthOf(inner) <= width + marginDegrees;
}

/** The box, extended to a pole if it reaches the map's edge there.
 * @param {Box} box @returns {Box} */
export function clampedToPoles([west, south, east, north]) {
  return [west, south <= -85.0511 ? -90 : south, east, north >= 85.0511 ? 90 : north];
}

/** The tiles that a box touches, from west to east, and from north to south within a column. Each is there once, even if
 * the box goes round the world several times. Throws a RangeError if there are more than 65,536.
 * @param {Box} box @param {number} z @returns {Tile[]} */
export function covering(box, z) {
  const n = 2 ** z,
    [west, south, east, north] = box;
  if (south > north) return [];
  const row = (/** @type {number} */ latitude) => Math.min(Math.max(Math.floor(toWorld(0, latitude)[1] * n), 0), n - 1);
  const column = (/** @type {number} */ longitude) => Math.floor((degreesEast(-180, longitude) / 360) * n) % n;
  const first = column(west),
    last = column(east),
    tiles = [];
  // A box that begins and ends in the same column is either narrow or goes nearly round the world.
  const count = widthOf(box) === 360 ? n : first === last ? (widthOf(box) > 180 ? n : 1) : ((last - first + n) % n) + 1;
  if (count * (row(south) - row(north) + 1) > mostTiles) throw new RangeError(`the box ${box} has more than ${mostTiles} tiles at zoom ${z}`);
  for (let step = 0; step < count; step++) {
    for (let y = row(north); y <= row(south); y++) tiles.push({ z, x: (first + step) % n, y });
  }
  return tiles;
}
