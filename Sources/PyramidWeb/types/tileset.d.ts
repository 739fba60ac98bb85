export { TilesetError };
/** Subclasses may override `decoded`, `fileURL` and `pageURL`. */
export class Tileset {
    /**
     * Opens a tileset: reads the tilejson.json of a directory of tiles, or the header of an archive.
     * @param {string | URL} url of the tilejson.json, of its directory, or of a `.pmtiles` file, absolute or relative to the page
     * @template {Tileset} Self
     * @this {new (url: string, options?: TilesetOptions) => Self}
     * @param {TilesetOptions & { signal?: AbortSignal }} options
     * @returns {Promise<Self>} fails with a TilesetError, or with the signal's reason
     */
    static open<Self extends Tileset>(this: new (url: string, options?: TilesetOptions) => Self, url: string | URL, { signal, ...options }?: TilesetOptions & {
        signal?: AbortSignal;
    }): Promise<Self>;
    /**
     * Use `open`.
     * @param {string} url @param {TilesetOptions} [options]
     */
    constructor(url: string, options?: TilesetOptions | undefined);
    /** Increases whenever tiles are read again: after `refresh`, and when a new build is noticed. */
    generation: number;
    url: string;
    /**
     * The content of tilejson.json, or the same from an archive's header and metadata.
     * @type {any}
     */
    tileJSON: any;
    /**
     * The first and the last zoom with tiles.
     * @returns {number}
     */
    get minzoom(): number;
    /** @returns {number} */
    get maxzoom(): number;
    /** The approximate memory that cached tiles take, in bytes. */
    get cachedBytes(): number;
    /** The zoom of a map with 256-pixel tiles, minus the tileset's zoom: 1 for 512-pixel tiles. */
    get zoomOffset(): number;
    /**
     * The markers of a zoom that lie in a box, each once, even if the map repeats the world.
     * @param {Box} box
     * @param {number} zoom of the tileset, see `shownZoom`; at a lower zoom than the first one there are no markers
     * @param {{ filter?: FilterInput, signal?: AbortSignal }} options
     * @returns {Promise<Marker[]>} fails with a TilesetError if a tile can't be read, with the signal's reason, or with a TypeError or
     *   RangeError if the tileset can't be filtered this way
     */
    markers(box: import("./geometry.js").Box, zoom: number, { filter, signal }?: {
        filter?: FilterInput;
        signal?: AbortSignal;
    }): Promise<Marker[]>;
    /**
     * Reads the markers in a box, tile by tile.
     * @param {Box} box @param {number} zoom
     * @param {{ signal?: AbortSignal, onTile?: () => void }} options `onTile` is called after each tile that was requested, also
     *   if it couldn't be read
     */
    load(box: import("./geometry.js").Box, zoom: number, options?: {
        signal?: AbortSignal | undefined;
        onTile?: (() => void) | undefined;
    }): {
        /** The zoom of the markers, which may differ from `zoom` if the tileset was rebuilt. */
        readonly zoom: number;
        /** Whether no requests were needed. */
        isWhole: boolean;
        /** The errors, once all other tiles have been read. */
        finished: Promise<TilesetError[]>;
        /** The number of files that have been requested and are neither there nor failed. */
        readonly pending: number;
        /**
         * Whether a place in the box belongs to a file that isn't there yet, or that is requested again later.
         * @param {Marker} marker at the place
         */
        awaits: (marker: Marker) => boolean;
        /** The markers read so far. */
        markers: (filter?: FilterInput) => import("./marker.js").Marker[];
    };
    /**
     * The zoom whose markers to show at a zoom: rounded down, and at most the tileset's last zoom.
     * @param {number} zoom
     */
    shownZoom(zoom: number): number;
    /**
     * The markers of a zoom in a file that is in memory; makes no requests.
     * @param {TileFile} file @param {number} z @returns {Marker[] | undefined} `undefined` if the file isn't in memory
     */
    cached(file: TileFile, z: number): Marker[] | undefined;
    /**
     * The columns to filter by (`--filter-by`).
     * @returns {import("./facets.js").Facet[]}
     */
    get facets(): import("./facets.js").Facet[];
    /**
     * The filter for an input; throws a TypeError or RangeError if the tileset can't be filtered this way.
     * @param {FilterInput} input @returns {Filter | null}
     */
    checked(input: FilterInput): Filter | null;
    /**
     * The number of points with each value of a column, in the order of its `values`.
     * @param {string} column
     * @param {{ filter?: FilterInput, markers?: Iterable<Marker> }} options `markers`: the visible ones, read with the same filter
     * @returns {Map<Value, ValueCounts>}
     */
    counts(column: string, { filter, markers }?: {
        filter?: FilterInput;
        markers?: Iterable<Marker>;
    }): Map<Value, ValueCounts>;
    /**
     * The number of points that match a filter, and of all points; undefined if unknown.
     * @param {FilterInput} filter @returns {{ count?: number, total?: number }}
     */
    matching(filter: FilterInput): {
        count?: number | undefined;
        total?: number | undefined;
    };
    /**
     * The files that hold the markers in a box.
     * @param {Box} box @param {number} z @returns {TileFile[]}
     */
    files(box: import("./geometry.js").Box, z: number): TileFile[];
    /**
     * The URL of a file; for an archive, the archive's own URL.
     * @param {TileFile} file @returns {string}
     */
    fileURL({ isBundle, z, x, y }: TileFile): string;
    /**
     * The points of a cluster or a stack, in pages of up to 100. Known for stacks, for clusters at one place, for clusters with
     * `leaf_pages` or `members`, and for clusters whose points are all in one bundle; other clusters have no pages, and `isExact` is false. Of a marker that was read with a filter, the points that match; then pages can have fewer points, and
     * those without any are skipped.
     * @param {Marker} marker @param {{ page?: number, signal?: AbortSignal }} options
     * @returns {Promise<Leaves>}
     */
    leaves(marker: Marker, options?: {
        page?: number;
        signal?: AbortSignal;
    }): Promise<Leaves>;
    /**
     * A point by its id and place.
     * @param {import("./leaves.js").PointAddress} address
     * @param {{ signal?: AbortSignal }} options
     * @returns {Promise<import("./leaves.js").FoundPoint | null>} null if there is none
     */
    find(address: import("./leaves.js").PointAddress, options?: {
        signal?: AbortSignal;
    }): Promise<import("./leaves.js").FoundPoint | null>;
    /**
     * The box around the points of a marker, or those that match the filter with which it was read, if they are known.
     * @param {Marker} marker @returns {Box | null} null if unknown, as in vector tiles without boxes
     */
    box(marker: Marker): import("./geometry.js").Box | null;
    /**
     * The URL of a page of a cluster's points.
     * @param {number} id of the cluster @param {number} page @returns {string}
     */
    pageURL(id: number, page: number): string;
    /**
     * Called with the features of each file that was read. Returns them unchanged; a subclass can change their properties.
     * @param {Feature[]} features clusters and points @param {TileFile} _file @returns {Feature[]}
     */
    decoded(features: Feature[], _file: TileFile): Feature[];
    /**
     * Reads everything again from the host: the tilejson.json now, tiles when they are next needed.
     * @param {{ signal?: AbortSignal }} options
     */
    refresh({ signal }?: {
        signal?: AbortSignal;
    }): Promise<void>;
    /** Allows new requests for files that couldn't be read, once their cause is fixed. */
    forgetFailures(): void;
    #private;
}
export type Box = import("./geometry.js").Box;
export type Marker = import("./marker.js").Marker;
export type Feature = import("./marker.js").Feature;
export type TileFile = import("./bundle-index.js").TileFile;
/**
 * `cacheBytes`: the approximate memory limit for tiles, in bytes (default: 64 MiB)
 */
export type CacheOptions = {
    cacheBytes?: number;
};
export type TilesetOptions = import("./requests.js").RequestOptions & CacheOptions;
export type FilterInput = import("./filter.js").FilterInput;
export type Value = import("./facets.js").Value;
/**
 * the number of points with a value: of all points; of those that match the
 *  filters of the other columns; and of the visible points that match all filters. The last two are undefined if unknown
 */
export type ValueCounts = {
    all: number;
    filtered?: number;
    inView?: number;
};
export type Leaves = import("./leaves.js").Leaves;
import { TilesetError } from "./requests.js";
import { Filter } from "./filter.js";
