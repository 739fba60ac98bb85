export class Keyboard {
    /** @param {import("./neighbours.js").Neighbours} neighbours @param {Host} host */
    constructor(neighbours: import("./neighbours.js").Neighbours, host: Host);
    neighbours: import("./neighbours.js").Neighbours;
    host: Host;
    help: HTMLParagraphElement & {
        id: string;
        textContent: string;
        hidden: boolean;
    };
    status: HTMLParagraphElement & {
        className: string;
        ariaLive: string;
    };
    remove(): void;
    #private;
}
export type Marker = import("./marker.js").Marker;
/**
 * the elements of a map, as its library has made them
 */
export type Host = {
    /**
     * is positioned and holds everything on the map
     */
    container: HTMLElement;
    /**
     * gets the keyboard's focus
     */
    focusable: HTMLElement;
    /**
     * for elements above the drawn markers and below popups; its upper left corner is the map's
     */
    pane: HTMLElement;
};
