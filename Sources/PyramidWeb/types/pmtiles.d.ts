/**
 * The id of a tile: zoom by zoom, and along a Hilbert curve within a zoom. Exact up to zoom 26.
 * @param {import("./geometry.js").Tile} tile
 */
export function tileID({ z, x, y }: import("./geometry.js").Tile): number;
export class Archive {
    /**
     * Reads the header, the root directory and the metadata.
     * @param {string} url @param {import("./requests.js").Requests} requests
     * @param {{ isFresh?: boolean, signal?: AbortSignal }} options `isFresh`: whether to bypass the browser's cache
     * @returns {Promise<Archive>}
     */
    static open(url: string, requests: import("./requests.js").Requests, { isFresh, signal }?: {
        isFresh?: boolean;
        signal?: AbortSignal;
    }): Promise<Archive>;
    /**
     * Use `Archive.open`.
     * @param {string} url @param {import("./requests.js").Requests} requests @param {RequestCache | undefined} cache
     * @param {{ bytes: Uint8Array, version: string }} first the beginning of the file
     * @param {ReturnType<typeof parsedHeader>} header
     */
    constructor(url: string, requests: import("./requests.js").Requests, cache: RequestCache | undefined, { bytes, version }: {
        bytes: Uint8Array;
        version: string;
    }, header: ReturnType<typeof parsedHeader>);
    url: string;
    header: {
        root: {
            offset: number;
            length: number;
        };
        metadata: {
            offset: number;
            length: number;
        };
        leaves: {
            offset: number;
            length: number;
        };
        tiles: {
            offset: number;
            length: number;
        };
        internalCompression: number;
        tileCompression: number;
        tileType: number;
        minzoom: number;
        maxzoom: number;
        bounds: number[];
        center: number[];
    };
    /** Identifies the version of the file, from the host's headers; empty if the host sends none. */
    version: string;
    /** @type {any} */
    metadata: any;
    /** A text that differs between versions of the file. */
    get identity(): string;
    /** The archive's metadata in the form of a TileJSON; `tiles` is empty. */
    get tileJSON(): {
        tilejson: string;
        name: any;
        description: any;
        attribution: any;
        vector_layers: any;
        id_property: any;
        minzoom: number;
        maxzoom: number;
        bounds: number[];
        center: number[];
        tile_size: any;
        tiles: never[];
        point_count: any;
        cluster_distances: any;
        count_by: any;
        group_by: any;
        facets: any;
    };
    /**
     * The bytes of a tile, without gzip; `null` if the archive has no such tile.
     * @param {import("./geometry.js").Tile} tile
     * @param {{ signal?: AbortSignal }} options
     * @returns {Promise<Uint8Array | null>}
     */
    tile(tile: import("./geometry.js").Tile, { signal }?: {
        signal?: AbortSignal;
    }): Promise<Uint8Array | null>;
    #private;
}
/**
 * the byte ranges of tiles, in the order of their ids
 */
export type Directory = {
    /**
     * of the first tile of each entry
     */
    ids: Float64Array;
    /**
     * how many tiles an entry is for; 0 if it is for a leaf directory
     */
    runs: Float64Array;
    /**
     * in bytes
     */
    lengths: Float64Array;
    /**
     * from the start of the tile data, or of the leaf directories
     */
    offsets: Float64Array;
};
/**
 * of bytes
 */
export type Range = {
    offset: number;
    length: number;
};
/** @param {string} url @param {Uint8Array} bytes the beginning of the file @param {Headers} headers of the answer */
declare function parsedHeader(url: string, bytes: Uint8Array, headers: Headers): {
    root: {
        offset: number;
        length: number;
    };
    metadata: {
        offset: number;
        length: number;
    };
    leaves: {
        offset: number;
        length: number;
    };
    tiles: {
        offset: number;
        length: number;
    };
    internalCompression: number;
    tileCompression: number;
    tileType: number;
    minzoom: number;
    maxzoom: number;
    bounds: number[];
    center: number[];
};
export {};
