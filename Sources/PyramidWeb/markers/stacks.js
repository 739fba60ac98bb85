// Stacks of points at one place, which would hide one another.

/** Combines the points at each place into one marker, a *stack*, with these points as its `points`. A stack has their
 * place and the first point's feature. Clusters, even if a filter leaves only one point of them, and points that stand alone
 * stay as they are.
 * @param {import("../tileset/marker.js").Marker[]} markers
 * @returns {import("../tileset/marker.js").Marker[]} in the order of the first marker of each */
export function stacked(markers) {
  /** @type {Map<number, import("../tileset/marker.js").Marker[][]>} the markers of each place, by x */
  const columns = new Map();
  /** @type {(import("../tileset/marker.js").Marker | import("../tileset/marker.js").Marker[])[]} */
  const shown = [];
  for (const marker of markers) {
    if (marker.isCluster || marker.whole) {
      shown.push(marker);
      continue;
    }
    const column = columns.get(marker.x),
      place = column?.find(([{ y }]) => y === marker.y);
    if (place) {
      place.push(marker);
      continue;
    }
    const points = [marker];
    if (column) column.push(points);
    else columns.set(marker.x, [points]);
    shown.push(points);
  }
  return shown.map((points) => {
    if (!Array.isArray(points)) return points;
    const [first] = points;
    return points.length === 1
      ? first
      : { ...first, key: `stack ${first.feature.geometry.coordinates.join()}`, count: points.length, total: points.length, points };
  });
}
