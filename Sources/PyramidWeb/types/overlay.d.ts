/** The part of a map with HTML. Its elements are placed in every frame of the map. */
export class Overlay {
    /** @param {import("./map-adapter.js").MapAdapter} adapter */
    constructor(adapter: import("./map-adapter.js").MapAdapter);
    adapter: import("./map-adapter.js").MapAdapter;
    /** @param {HTMLElement | null} pane its upper left corner is the map's; null while the layer isn't on the map */
    attach(pane: HTMLElement | null): void;
    /** Forgets all elements, so that they are made anew. */
    clear(): void;
    /**
     * The key of the marker whose element holds a node.
     * @param {EventTarget | null | undefined} node
     */
    keyAt(node: EventTarget | null | undefined): string | undefined;
    /**
     * Places the elements of markers.
     * @param {Shown[]} shown @param {string | null} chosen the key of the marker with a ring
     * @returns {Shown[]} the markers that have no element
     */
    show(shown: Shown[], chosen: string | null): Shown[];
    /** Call this when the map has moved relative to the pane. */
    place(): void;
    /**
     * How far what is drawn for a marker reaches up from its place, in pixels.
     * @param {Marker} marker
     */
    heightOf(marker: Marker): number;
    #private;
}
export type Marker = import("./marker.js").Marker;
export type Shown = import("./marker-scene.js").Shown;
/**
 * `node` holds the page's element; null for a drawn marker
 */
export type Placed = {
    marker: Marker;
    node: HTMLElement | null;
};
