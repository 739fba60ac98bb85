// Points at one place, which would hide one another.

/**
 * The markers with the points of each place as one: a *stack*, whose `points` are the markers that it stands for. A
 * stack has the place and the first point's feature; clusters and points that stand alone stay as they are.
 * @param {import("./marker.js").Marker[]} markers
 * @returns {import("./marker.js").Marker[]} in the order of the first marker of each
 */
export function stacked(markers) {
  /** @type {Map<string, import("./marker.js").Marker[]>} */
  const places = new Map();
  const placeOf = (/** @type {import("./marker.js").Marker} */ { feature }) => feature.geometry.coordinates.join();
  for (const marker of markers) {
    if (marker.isCluster) continue;
    const others = places.get(placeOf(marker));
    if (others) others.push(marker); else places.set(placeOf(marker), [marker]);
  }
  const shown = [];
  for (const marker of markers) {
    const points = marker.isCluster ? [marker] : places.get(placeOf(marker)) ?? [];
    if (points[0] !== marker) continue;
    shown.push(points.length === 1 ? marker : { ...marker, key: `stack ${placeOf(marker)}`, count: points.length, points });
  }
  return shown;
}
