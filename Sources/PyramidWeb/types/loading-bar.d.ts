export class LoadingBar {
    /** @param {HTMLElement} container of the map */
    constructor(container: HTMLElement);
    /** @param {boolean} isLoading */
    show(isLoading: boolean): void;
    remove(): void;
    #private;
}
