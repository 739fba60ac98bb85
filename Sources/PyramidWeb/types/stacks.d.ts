/**
 * The markers with the points of each place as one: a *stack*, whose `points` are the markers that it stands for. A
 * stack has the place and the first point's feature; clusters and points that stand alone stay as they are.
 * @param {import("./marker.js").Marker[]} markers
 * @returns {import("./marker.js").Marker[]} in the order of the first marker of each
 */
export function stacked(markers: import("./marker.js").Marker[]): import("./marker.js").Marker[];
