/**
 * The number of a tile: those of all zooms before, and then along a Hilbert curve. Exact up to zoom 26.
 * @param {import("./geometry.js").Tile} tile
 */
export function tileID({ z, x, y }: import("./geometry.js").Tile): number;
export class Archive {
    /**
     * Reads the header, the root directory and the metadata.
     * @param {string} url @param {import("./requests.js").Requests} requests
     * @param {{ isFresh?: boolean }} options whether to pass by what the browser has kept of the file
     */
    static open(url: string, requests: import("./requests.js").Requests, { isFresh }?: {
        isFresh?: boolean;
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
    /** What the host tells versions of the file apart by, empty if it doesn't. */
    version: string;
    /** @type {any} */
    metadata: any;
    /** What differs from one version of the file to another. */
    get identity(): string;
    /** The archive as a TileJSON describes a tileset; `tiles` is empty. */
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
    };
    /**
     * What `decode` makes of a tile; `null` if the archive has no such tile.
     * @template Value
     * @param {import("./geometry.js").Tile} tile
     * @param {(bytes: Uint8Array) => Promise<Value>} decode
     * @param {{ signal?: AbortSignal }} options
     * @returns {Promise<Value | null>}
     */
    tile<Value>(tile: import("./geometry.js").Tile, decode: (bytes: Uint8Array) => Promise<Value>, { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<Value | null>;
    #private;
}
/**
 * where tiles are, in the order of their ids
 */
export type Directory = {
    /**
     * of the first tile of each entry
     */
    ids: Float64Array;
    /**
     * how many tiles an entry is for; 0: it is for another directory
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
/** @param {string} url @param {Uint8Array} bytes the beginning of the file @param {Response} response */
declare function parsedHeader(url: string, bytes: Uint8Array, { headers }: Response): {
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
