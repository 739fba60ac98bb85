/**
 * Combines the points at each place into one marker, a *stack*, with these points as its `points`. A stack has their
 * place and the first point's feature. Clusters, even if a filter leaves only one point of them, and points that stand alone
 * stay as they are.
 * @param {import("./marker.js").Marker[]} markers
 * @returns {import("./marker.js").Marker[]} in the order of the first marker of each
 */
export function stacked(markers: import("./marker.js").Marker[]): import("./marker.js").Marker[];
