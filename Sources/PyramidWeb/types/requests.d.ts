/**
 * The bytes, inflated if they are gzip.
 * @param {string} url @param {Uint8Array} bytes @returns {Promise<Uint8Array>}
 */
export function inflated(url: string, bytes: Uint8Array): Promise<Uint8Array>;
/**
 * @param {string} url @param {Uint8Array} bytes without gzip
 * @returns {any} null if there are none
 */
export function parsed(url: string, bytes: Uint8Array): any;
/** A file of a tileset that is missing, damaged or unreadable. */
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
    /** Whether repeating the request later may help. */
    retryable: boolean;
    /** Whether the tileset may have been rebuilt since its description was read. */
    isStale: boolean;
    /** The wait that the host asks for. */
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
     * The JSON at a URL, also if the host sends gzip without a Content-Encoding; null if there is no such file, or it is
     * empty.
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
    /** After the tileset was rebuilt: shares no running requests any more, and revalidates the browser's cache. */
    startOver(): void;
    #private;
}
/**
 * shared by all waiting callers: don't change it
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
     * the number of simultaneous requests (default: 12)
     */
    concurrency?: number | undefined;
    /**
     * the number of attempts before a request fails (default: 4)
     */
    attempts?: number | undefined;
    /**
     * the wait before the second attempt (default: 500); it doubles each time
     */
    retryMilliseconds?: number | undefined;
    /**
     * the time limit of an attempt (default: 30,000)
     */
    timeoutMilliseconds?: number | undefined;
    /**
     * replaces the browser's fetch, for headers and credentials
     */
    fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};
