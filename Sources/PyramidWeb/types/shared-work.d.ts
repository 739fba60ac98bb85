/**
 * Work that several callers share: it runs once, and is aborted when the last caller gives up.
 * @template Result
 */
export class SharedWork<Result> {
    /**
     * The result of the work with a key, which is started unless it is running. The caller has joined when this returns.
     * @param {string} key @param {(signal: AbortSignal) => Promise<Result>} start @param {AbortSignal} [signal] of this caller
     * @returns {Promise<Result>} fails as the work does, or with the signal's reason
     */
    run(key: string, start: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal | undefined): Promise<Result>;
    /** Later callers start new work; those already waiting get the old result. */
    forget(): void;
    #private;
}
