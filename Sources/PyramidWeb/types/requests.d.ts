/**
 * Bytes without gzip, if they are gzip.
 * @param {string} url @param {Uint8Array} bytes @returns {Promise<Uint8Array>}
 */
export function inflated(url: string, bytes: Uint8Array): Promise<Uint8Array>;
/**
 * @param {string} url @param {Uint8Array} bytes without gzip
 * @returns {any} null if there are none
 */
export function parsed(url: string, bytes: Uint8Array): any;
/** What is wrong with a file of a tileset. */
export class TilesetError extends Error {
    /** @param {string} url @param {string} problem @param {{ status?: number, retryable?: boolean, isStale?: boolean, waitMilliseconds?: number }} more */
    constructor(url: string, problem: string, { status, retryable, isStale, waitMilliseconds }?: {
        status?: number;
        retryable?: boolean;
        isStale?: boolean;
        waitMilliseconds?: number;
    });
    url: string;
    /** The HTTP status, if the host answered. */
    status: number | undefined;
    /** Whether asking again later may help. */
    retryable: boolean;
    /** Whether the tileset may have been rebuilt since its description was read. */
    isStale: boolean;
    /** How long the host asks clients to wait. */
    waitMilliseconds: number | undefined;
}
export class Requests {
    /** @param {RequestOptions} options */
    constructor({ concurrency, attempts, retryMilliseconds, timeoutMilliseconds, fetch }?: RequestOptions);
    concurrency: number;
    attempts: number;
    retryMilliseconds: number;
    timeoutMilliseconds: number;
    fetch: (url: string, init: RequestInit) => Promise<Response>;
    /**
     * The JSON at a URL, also if the host sends it as gzip without saying so; null if there is no such file, or an empty one.
     * @param {string} url
     * @param {{ signal?: AbortSignal, cache?: RequestCache }} options
     * @returns {Promise<any>} fails with a TilesetError, or with the signal's reason
     */
    json(url: string, options?: {
        signal?: AbortSignal;
        cache?: RequestCache;
    }): Promise<any>;
    /**
     * The bytes at a URL; null if the host answers 204, 404 or 410. Callers that ask for the same range of a URL at the same
     * time share one request.
     * @param {string} url
     * @param {ReadOptions} options
     * @returns {Promise<Answer | null>} fails with a TilesetError, or with the signal's reason
     */
    read(url: string, { signal, cache, range }?: ReadOptions): Promise<Answer | null>;
    /** For a new build of the tileset: no request under way is shared any more, and the browser's cache is checked with the host. */
    startOver(): void;
    #private;
}
/**
 * shared by all callers that waited for it: not to be changed
 */
export type Answer = {
    bytes: Uint8Array;
    headers: Headers;
};
/**
 * `range`: the bytes to read; the file may end earlier
 */
export type ReadOptions = {
    signal?: AbortSignal;
    cache?: RequestCache;
    range?: {
        offset: number;
        length: number;
    };
};
export type RequestOptions = {
    /**
     * the most requests at a time (default: 12)
     */
    concurrency?: number | undefined;
    /**
     * how often a request is made before it fails (default: 4)
     */
    attempts?: number | undefined;
    /**
     * the wait before the second attempt (default: 500); it doubles each time
     */
    retryMilliseconds?: number | undefined;
    /**
     * the limit of one attempt (default: 30,000)
     */
    timeoutMilliseconds?: number | undefined;
    /**
     * replaces the browser's, for headers and credentials
     */
    fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};
