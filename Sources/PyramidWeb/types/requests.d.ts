/**
 * Bytes without gzip, if they are gzip.
 * @param {string} url @param {Uint8Array} bytes @returns {Promise<Uint8Array>}
 */
export function inflated(url: string, bytes: Uint8Array): Promise<Uint8Array>;
/** @param {string} url @param {Uint8Array} bytes without gzip @returns {Answer} */
export function parsed(url: string, bytes: Uint8Array): Answer;
/** What is wrong with a file of a tileset. */
export class TilesetError extends Error {
    /** @param {string} url @param {string} problem @param {{ status?: number, isPassing?: boolean, waitMilliseconds?: number }} more */
    constructor(url: string, problem: string, { status, isPassing, waitMilliseconds }?: {
        status?: number;
        isPassing?: boolean;
        waitMilliseconds?: number;
    });
    url: string;
    /** Of HTTP, if the host answered. */
    status: number | undefined;
    /** Whether the next attempt may go well. */
    isPassing: boolean;
    /** For how long the host asks to be left alone. */
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
     * The JSON at a URL, also if the host sends it as gzip without saying so; null if the host answers 204, 404, 410 or
     * nothing.
     * @param {string} url
     * @param {{ signal?: AbortSignal, cache?: RequestCache }} options
     * @returns {Promise<Answer>} fails with a TilesetError, or with the signal's reason
     */
    json(url: string, options?: {
        signal?: AbortSignal;
        cache?: RequestCache;
    }): Promise<Answer>;
    /**
     * What `decode` makes of the bytes at a URL; null if the host answers 204, 404 or 410. Requests of one URL and range at a
     * time are made once, and given up when nobody waits for them any more.
     * @template Value
     * @param {string} url
     * @param {(bytes: Uint8Array, response: Response) => Promise<Value>} decode
     * @param {ReadOptions} options
     * @returns {Promise<Value | null>} fails with a TilesetError, or with the signal's reason
     */
    read<Value>(url: string, decode: (bytes: Uint8Array, response: Response) => Promise<Value>, { signal, cache, range }?: ReadOptions): Promise<Value | null>;
    #private;
}
/**
 * the JSON, null where there is none, and its length
 */
export type Answer = {
    json: any;
    byteCount: number;
};
/**
 * `range`: the bytes that are wanted; the file may end before
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
     * requests at a time, 12 unless given
     */
    concurrency?: number | undefined;
    /**
     * how often a request is made before it has failed, 4 unless given
     */
    attempts?: number | undefined;
    /**
     * the wait before the second attempt, 500 unless given; it doubles from one to the next
     */
    retryMilliseconds?: number | undefined;
    /**
     * of one attempt, 30,000 unless given
     */
    timeoutMilliseconds?: number | undefined;
    /**
     * instead of the browser's, for headers and credentials
     */
    fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};
declare function isPassing(status: number): boolean;
export {};
