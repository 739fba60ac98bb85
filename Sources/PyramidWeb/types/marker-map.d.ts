declare const MarkerMap_base: new () => import("./marker-event.js").MarkerEventTarget<MapEvents>;
/** @typedef {import("./marker.js").Marker} Marker */
/** @typedef {import("./marker-scene.js").Shown} Shown */
/** @typedef {import("./map-adapter.js").Place} Place */
/**
 * @typedef {object} DrawnEvents the details of further events, which a `MarkerView` doesn't have
 * @property {{ marker: Marker, lngLat: Place, originalEvent: Event | null }} click a marker was clicked; `preventDefault()` to do something
 *   other than zoom in, spread points, or open a popup. `lngLat`: the marker's place, in the clicked copy of the world; `originalEvent`: of
 *   the browser, null if the page has called `click`
 * @property {{ marker: Marker, lngLat: Place, title: string, content: Node }} details a popup is
 *   about to open; `preventDefault()` to show the content elsewhere
 * @property {{ marker: Marker | null, coverage: import("./geometry.js").Box | null }} hover the pointer is over another marker, or over none;
 *   `coverage` is the box of a cluster's points, in the copy of the world under the pointer: east is greater than west
 * @property {{ shown: Shown[] }} draw a frame was drawn
 * @property {{ markers: Marker[] }} visible the map has moved, or other markers are shown; `markers`: those whose place is in the window
 */
/** @typedef {import("./marker-view.js").ViewEvents & DrawnEvents} MapEvents the details of a map's events */
/**
 * The markers of a tileset on a map, made by `addMarkers` of an adapter.
 *
 * Sends `MapEvents`.
 */
export class MarkerMap extends MarkerMap_base {
    /** @param {import("./map-adapter.js").MapAdapter} adapter */
    constructor(adapter: import("./map-adapter.js").MapAdapter);
    /**
     * The library's layer, or the id of its source.
     * @type {any}
     */
    layer: any;
    /** The view that reads the markers. */
    get view(): import("./marker-view.js").MarkerView;
    /** The markers as they are drawn now. */
    get shown(): import("./marker-scene.js").Shown[];
    /** How markers look. */
    get appearance(): import("./appearance.js").Appearance;
    /** The drawn markers in the window, from the lowest drawn to the uppermost, and their pixels from the map's corner. */
    get inWindow(): {
        shown: import("./marker-scene.js").Shown;
        pixel: [x: number, y: number];
    }[];
    /** Whether markers are moving now. */
    get isMoving(): boolean;
    /** Whether markers change without animation. */
    get isCalm(): boolean;
    /**
     * The drawn marker at a place, or the nearest one; null if there is none.
     * @param {Place} lngLat @param {number} [tolerancePixels] how far outside a circle the place may be
     */
    at([longitude, latitude]: import("./map-adapter.js").Place, tolerancePixels?: number | undefined): import("./marker-scene.js").Shown | null;
    /**
     * Acts like a click: zooms in, spreads points, or opens a popup. With null, closes popups and spread points.
     * @param {Shown | null} shown
     */
    click(shown: Shown | null): Promise<void>;
    /** The key of the marker with a ring around it, `null` for none. */
    get chosen(): string | null;
    /**
     * Puts the ring around a drawn marker, as the keyboard does.
     * @param {string | null} key null for none
     */
    choose(key: string | null): void;
    /**
     * Fits the map to all points, also across the antimeridian. Waits until the tileset is open.
     * @param {import("./map-adapter.js").FitOptions} [options]
     * @returns {Promise<void>} when the map is there
     */
    fit(options?: import("./map-adapter.js").FitOptions | undefined): Promise<void>;
    /**
     * Flies to a point, spreads the points at its place, and opens its popup.
     * @param {import("./marker-opener.js").PointAddress} address
     * @returns {Promise<boolean>} false if there is no such point, or something else was opened in the meantime. Fails with a TilesetError
     *   if a file can't be read
     */
    open(address: import("./marker-opener.js").PointAddress): Promise<boolean>;
    /**
     * Shows the points that match a filter; see `MarkerView.filter`.
     * @param {import("./filter.js").FilterInput} filter null for all
     */
    filter(filter: import("./filter.js").FilterInput): void;
    /** The filter that is set; null if there is none. */
    get currentFilter(): import("./filter.js").FilterInput;
    /** The columns to filter by. Empty until the tileset is open. */
    get facets(): import("./facets.js").Facet[];
    /** The number of points that match the filter, and of all points in the tileset; undefined if unknown. */
    get matching(): {
        count?: number | undefined;
        total?: number | undefined;
    };
    /**
     * The number of points with each value of a column to filter by: of all points, of those that match the filters of the other columns,
     * and of the points in the window that match all filters: those of markers whose place is there. Empty until the tileset is open.
     * @param {string} column
     */
    counts(column: string): Map<import("./facets.js").Value, import("./tileset.js").ValueCounts>;
    /** Reads everything again, after the tileset was rebuilt. */
    refresh(): Promise<void>;
    /**
     * Changes how markers look.
     * @param {Parameters<import("./map-adapter.js").MapAdapter["restyle"]>[0]} options the ones to change
     */
    restyle(options: Parameters<import("./map-adapter.js").MapAdapter["restyle"]>[0]): void;
    /** Removes everything from the map. */
    remove(): void;
    #private;
}
export type Marker = import("./marker.js").Marker;
export type Shown = import("./marker-scene.js").Shown;
export type Place = import("./map-adapter.js").Place;
/**
 * the details of further events, which a `MarkerView` doesn't have
 */
export type DrawnEvents = {
    /**
     * a marker was clicked; `preventDefault()` to do something
     * other than zoom in, spread points, or open a popup. `lngLat`: the marker's place, in the clicked copy of the world; `originalEvent`: of
     * the browser, null if the page has called `click`
     */
    click: {
        marker: Marker;
        lngLat: import("./map-adapter.js").Place;
        originalEvent: Event | null;
    };
    /**
     * a popup is
     * about to open; `preventDefault()` to show the content elsewhere
     */
    details: {
        marker: Marker;
        lngLat: import("./map-adapter.js").Place;
        title: string;
        content: Node;
    };
    /**
     * the pointer is over another marker, or over none;
     * `coverage` is the box of a cluster's points, in the copy of the world under the pointer: east is greater than west
     */
    hover: {
        marker: Marker | null;
        coverage: import("./geometry.js").Box | null;
    };
    /**
     * a frame was drawn
     */
    draw: {
        shown: Shown[];
    };
    /**
     * the map has moved, or other markers are shown; `markers`: those whose place is in the window
     */
    visible: {
        markers: Marker[];
    };
};
/**
 * the details of a map's events
 */
export type MapEvents = import("./marker-view.js").ViewEvents & DrawnEvents;
export {};
