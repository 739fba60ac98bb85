/** The margin in pixels that maps show around the visible box: its markers reach into the box, and short pans need no requests. */
export const marginPixels: 60;
declare const MarkerView_base: new () => import("./marker-event.js").MarkerEventTarget<ViewEvents>;
/**
 * The markers of a moving map: aborts off-screen requests, keeps earlier markers until new ones are loaded, shows
 * the remaining markers if some tiles can't be read, and repeats failed requests if that can help.
 *
 * Sends `ViewEvents`.
 */
export class MarkerView extends MarkerView_base {
    /**
     * @param {string | URL | Tileset} source a URL is opened, again and again if that fails
     * @param {import("./tileset.js").TilesetOptions & ViewOptions} [options]
     */
    constructor(source: string | URL | Tileset, options?: (import("./requests.js").RequestOptions & import("./tileset.js").CacheOptions & ViewOptions) | undefined);
    /** @type {Tileset | null} */ tileset: Tileset | null;
    /**
     * The shown markers.
     * @type {Marker[]}
     */
    markers: Marker[];
    /**
     * The zoom of `markers`.
     * @type {number | null}
     */
    zoom: number | null;
    /** Whether all markers of the view are shown. */ isSettled: boolean;
    /** The number of requested files that are still loading. */ pending: number;
    options: import("./requests.js").RequestOptions & import("./tileset.js").CacheOptions & ViewOptions;
    source: string | URL | Tileset;
    /**
     * Shows another part of the map, as soon as its markers are loaded.
     * @param {Box} box the visible box, with a margin for markers that reach into it
     * @param {number} zoom of the tileset, see `Tileset.markers`
     */
    move(box: import("./geometry.js").Box, zoom: number): void;
    /**
     * Shows the points that match a filter. Makes no requests.
     * @param {FilterInput} filter null for all. Throws a TypeError or RangeError if the tileset can't be filtered this way; before it is
     *   open, it sends an `error` event instead
     */
    filter(filter: FilterInput): void;
    /** The filter that is set; null if there is none. */
    get currentFilter(): import("./filter.js").FilterInput;
    /** The columns to filter by. Empty until the tileset is open. */
    get facets(): import("./facets.js").Facet[];
    /**
     * The number of points with each value of a column to filter by, also among the markers of the view.
     * @param {string} column
     * @param {Marker[]} [markers] of the view that are in the window (default: all of the box, with its margin)
     * @returns {ReturnType<Tileset["counts"]>} empty until the tileset is open
     */
    counts(column: string, markers?: import("./marker.js").Marker[] | undefined): Map<import("./facets.js").Value, import("./tileset.js").ValueCounts>;
    /** The markers without those that stay from an earlier zoom or build while files are missing. */
    get current(): import("./marker.js").Marker[];
    /** The number of points that match the filter, and of all points in the tileset; undefined if unknown. */
    get matching(): {
        count?: number | undefined;
        total?: number | undefined;
    };
    /**
     * The tileset, as soon as it is open.
     * @param {{ signal?: AbortSignal }} options @returns {Promise<Tileset>} fails with the signal's reason
     */
    opened({ signal }?: {
        signal?: AbortSignal;
    }): Promise<Tileset>;
    /** Repeats all failed requests now. This also happens when the browser is online again. */
    retry(): void;
    /** Reads everything again, after the tileset was rebuilt. */
    refresh(): Promise<void>;
    /** Makes no requests until `resume`, for a map that isn't shown. */
    pause(): void;
    resume(): void;
    /** Ends the view: it makes no more requests and sends no more events. */
    close(): void;
    /** Whether requested files are still loading. */
    get isLoading(): boolean;
    /**
     * Sends `error` events. What no listener handles by `preventDefault()` is on the console, each file once.
     * @param {any[]} errors
     */
    report(errors: any[]): void;
    #private;
}
export type Box = import("./geometry.js").Box;
export type Marker = import("./marker.js").Marker;
export type FilterInput = import("./filter.js").FilterInput;
export type ViewOptions = {
    /**
     * whether points at one place are one marker (default: true)
     */
    stacks?: boolean | undefined;
    /**
     * how long all markers of the previous zoom stay while tiles are missing (default: 800);
     * then they stay where tiles are missing
     */
    patienceMilliseconds?: number | undefined;
};
/**
 * mostly a `TilesetError`
 */
export type Failure = Error & {
    url?: string;
    status?: number;
    retryable?: boolean;
};
export type Change = {
    /**
     * the markers to show now
     */
    markers: Marker[];
    /**
     * of the markers
     */
    zoom: number;
    /**
     * whether the zoom has changed
     */
    isZoom: boolean;
    /**
     * from the previous markers; computed when first read
     */
    changes: MarkerChanges;
};
/**
 * the details of a view's events
 */
export type ViewEvents = {
    /**
     * the tileset is open
     */
    open: {
        tileset: Tileset;
    };
    /**
     * other markers are shown
     */
    change: Change;
    /**
     * another filter is set
     */
    filter: {
        filter: FilterInput;
    };
    /**
     * requests have started or ended; `pending` is how many are running
     */
    loading: {
        isLoading: boolean;
        pending: number;
    };
    /**
     * all attempts to read a file have failed; `preventDefault()` to keep it off the console
     */
    error: {
        error: Failure;
    };
    /**
     * all requests are done or have failed
     */
    settled: {
        errors: Failure[];
    };
};
import { Tileset } from "./tileset.js";
import { MarkerChanges } from "./marker-changes.js";
export {};
