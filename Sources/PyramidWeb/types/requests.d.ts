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
     * nothing. Requests of one URL at a time are made once, and given up when nobody waits for them any more.
     * @param {string} url
     * @param {{ signal?: AbortSignal, cache?: RequestCache }} options
     * @returns {Promise<Answer>} fails with a TilesetError, or with the signal's reason
     */
    json(url: string, { signal, cache }?: {
        signal?: AbortSignal;
        cache?: RequestCache;
    }): Promise<Answer>;
    #private;
}
/**
 * the JSON, null where there is none, and its length
 */
export type Answer = {
    json: any;
    byteCount: number;
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
