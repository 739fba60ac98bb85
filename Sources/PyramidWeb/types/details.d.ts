/**
 * A point, or a cluster of which nothing else is known.
 * @param {Feature} feature
 */
export function pointDetails(feature: Feature): HTMLElement;
/**
 * The points of a cluster or a stack, with a button for the next page.
 * @param {number} count of all points
 * @param {import("./tileset.js").Leaves} first
 * @param {(page: number) => Promise<import("./tileset.js").Leaves>} read
 * @param {(point: Feature) => Node | string} [content] of a point, instead of its properties
 */
export function listDetails(count: number, first: import("./tileset.js").Leaves, read: (page: number) => Promise<import("./tileset.js").Leaves>, content?: ((point: Feature) => Node | string) | undefined): HTMLElement;
export type Feature = import("./marker.js").Feature;
