/**
 * Work that several callers wait for: it runs once, and is aborted when the last of them gives up.
 * @template Result
 */
export class SharedWork<Result> {
    /**
     * The result of the work that runs under a key, which is started if there is none. The caller has joined when this returns.
     * @param {string} key @param {(signal: AbortSignal) => Promise<Result>} start @param {AbortSignal} [signal] of this caller
     * @returns {Promise<Result>} fails as the work does, or with the signal's reason
     */
    run(key: string, start: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal | undefined): Promise<Result>;
    /** Later callers start new work; those already waiting get the old result. */
    forget(): void;
    #private;
}
