/**
 * The number of a cluster's points, or the name of a point: its first property with a name like "name", else its first
 * text.
 * @param {Feature} feature
 */
export function titleOf({ id, properties }: Feature): string;
/**
 * The title of a list of points.
 * @param {number} count of all points @param {number} total of the listed points @param {boolean} isAtOnePlace
 */
export function listTitle(count: number, total: number, isAtOnePlace: boolean): string;
/**
 * The properties of a point or a cluster.
 * @param {Feature} feature
 */
export function propertyTable(feature: Feature): HTMLElement;
/**
 * Makes a popup's button for closing as large as a finger needs.
 * @param {HTMLElement | null | undefined} button
 */
export function enlarge(button: HTMLElement | null | undefined): void;
/**
 * A list of points, with a button for the next page.
 * @param {Leaves} first
 * @param {(page: number) => Promise<Leaves>} read
 * @param {(point: Feature) => Node | string} [content] replaces the properties of a point
 */
export function pointList(first: Leaves, read: (page: number) => Promise<Leaves>, content?: ((point: Feature) => Node | string) | undefined): HTMLElement;
/**
 * The content of a popup.
 * @param {string | null} title @param {Node} content
 */
export function popupContent(title: string | null, content: Node): HTMLElement;
export type Feature = import("./marker.js").Feature;
export type Leaves = import("./tileset.js").Leaves;
