// Stacks of points at one place, which would hide one another.

/** Combines the points at each place into one marker, a *stack*, with these points as its `points`. A stack has their
 * place and the first point's feature. Clusters, even if a filter leaves only one point of them, and points that stand alone
 * stay as they are.
 * @param {import("../tileset/marker.js").Marker[]} markers
 * @returns {import("../tileset/marker.js").Marker[]} in the order of the first marker of each */
export function stacked(markers) {
  /** @type {Map<unknown, import("../tileset/marker.js").Marker[][]>} the markers of each place, by x; each cluster is by itself */
  const columns = new Map();
  /** @type {import("../tileset/marker.js").Marker[][]} */
  const places = [];
  for (const marker of markers) {
    const key = marker.isCluster || marker.whole ? marker : marker.x,
      column = columns.get(key) ?? [],
      points = column.find(([{ y }]) => y === marker.y) ?? [];
    if (points.push(marker) > 1) continue;
    places.push(points);
    column.push(points);
    columns.set(key, column);
  }
  return places.map((points) => {
    const [first] = points,
      { length } = points;
    return length > 1 ? { ...first, key: `stack ${first.feature.geometry.coordinates.join()}`, count: length, total: length, points } : first;
  });
}
