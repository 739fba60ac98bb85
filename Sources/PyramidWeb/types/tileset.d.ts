export { TilesetError };
export class Tileset {
    /**
     * Reads what a tileset says of itself: the tilejson.json of a directory of tiles, or the header of an archive.
     * @param {string | URL} url of the tilejson.json, of its directory, or of a `.pmtiles` file, absolute or relative to the page
     * @param {TilesetOptions & { signal?: AbortSignal }} options
     * @returns {Promise<Tileset>} fails with a TilesetError, or with the signal's reason
     */
    static open(url: string | URL, { signal, ...options }?: TilesetOptions & {
        signal?: AbortSignal;
    }): Promise<Tileset>;
    /**
     * Use `Tileset.open`.
     * @param {string} url @param {TilesetOptions} options
     */
    constructor(url: string, options: TilesetOptions);
    /** Grows whenever tiles are read anew: after `refresh`, and when a new build is noticed. */
    generation: number;
    url: string;
    /**
     * The content of tilejson.json, or what an archive's header and metadata say of the same.
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
    /** Memory that tiles take, about. */
    get cachedBytes(): number;
    /** How many zooms of a map with a world 256 pixels wide at zoom 0 are before those of the tileset: 1 for tiles of 512 pixels. */
    get zoomOffset(): number;
    /**
     * The markers of a zoom that lie in a box: what a map shows there. Each is there once; maps that repeat the world
     * repeat them.
     * @param {Box} box
     * @param {number} zoom of the tileset, see `shownZoom`; before the first zoom there are no markers
     * @param {{ signal?: AbortSignal }} options
     * @returns {Promise<Marker[]>} fails with a TilesetError if a tile can't be read, or with the signal's reason
     */
    markers(box: import("./geometry.js").Box, zoom: number, { signal }?: {
        signal?: AbortSignal;
    }): Promise<Marker[]>;
    /**
     * Reads the markers in a box, tile by tile.
     * @param {Box} box @param {number} zoom
     * @param {{ signal?: AbortSignal, onTile?: () => void }} options `onTile` is called after each tile that had to be read
     */
    load(box: import("./geometry.js").Box, zoom: number, options?: {
        signal?: AbortSignal | undefined;
        onTile?: (() => void) | undefined;
    }): {
        /** The zoom of the markers; another one if the tileset turns out to have been rebuilt. */
        readonly zoom: number;
        /** Whether nothing had to be asked for. */
        isWhole: boolean;
        /** What could not be read, when all else has been. */
        finished: Promise<TilesetError[]>;
        /** What has come so far. */
        markers: () => import("./marker.js").Marker[];
    };
    /**
     * The zoom whose markers a map shows at any zoom of the tileset: the whole part of a fraction, at most the last one.
     * @param {number} zoom
     */
    shownZoom(zoom: number): number;
    /**
     * The markers of a zoom in a file that was read lately; nothing is asked for.
     * @param {TileFile} file @param {number} z @returns {Marker[] | undefined} `undefined` if the file isn't in memory
     */
    cached(file: TileFile, z: number): Marker[] | undefined;
    /**
     * The files that hold the markers in a box.
     * @param {Box} box @param {number} z @returns {TileFile[]}
     */
    files(box: import("./geometry.js").Box, z: number): TileFile[];
    /**
     * Where a file is; in an archive, the archive's own URL.
     * @param {TileFile} file
     */
    fileURL({ isBundle, z, x, y }: TileFile): string;
    /**
     * The points of a cluster or a stack, in pages of up to 100. They are known for stacks, for clusters at one place, and
     * for those that carry `leaf_pages` or `members`; other clusters have no page.
     * @param {Marker} marker
     * @param {{ page?: number, signal?: AbortSignal }} options
     * @returns {Promise<Leaves>}
     */
    leaves(marker: Marker, { page, signal }?: {
        page?: number;
        signal?: AbortSignal;
    }): Promise<Leaves>;
    /**
     * Reads everything anew from the host: the tilejson.json at once, tiles when they are next asked for.
     * @param {{ signal?: AbortSignal }} options
     */
    refresh({ signal }?: {
        signal?: AbortSignal;
    }): Promise<void>;
    /** Lets files that couldn't be read be asked for again, for a page that has seen to the reason. */
    forgetFailures(): void;
    #private;
}
export type Box = import("./geometry.js").Box;
export type Marker = import("./marker.js").Marker;
export type Feature = import("./marker.js").Feature;
export type TileFile = import("./bundle-index.js").TileFile;
/**
 * about how much memory tiles may take (default: 64 MiB)
 */
export type CacheOptions = {
    cacheBytes?: number;
};
export type TilesetOptions = import("./requests.js").RequestOptions & CacheOptions;
/**
 * a marker and the zooms at which it is shown
 */
export type Record = {
    marker: Marker;
    minzoom: number;
    maxzoom: number;
};
/**
 * a page of a cluster's points
 */
export type Leaves = {
    points: Feature[];
    page: number;
    pageCount: number;
    total: number;
};
import { TilesetError } from "./requests.js";
