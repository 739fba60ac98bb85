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
export const defaultRetryMilliseconds: 500;
export class Requests {
    /** @param {RequestOptions} options */
    constructor({ concurrency, retryMilliseconds, timeoutMilliseconds, fetch }?: RequestOptions);
    concurrency: number;
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
     * the wait before a failed request is made again (default: 500); it doubles each time. After four
     * attempts there is an error, and a view tries again by itself. Infinity: nothing is made again by itself
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
