export function eased(t: number): number;
/**
 * The places of all markers at any moment. Markers come out of the cluster that contained them, and move into the one
 * that contains them next. A leaving marker is gone when its motion ends, even if other motions have begun since.
 */
export class MarkerScene {
    /** @param {{ milliseconds?: number, limit?: number }} options `limit`: with more markers than this, none move */
    constructor({ milliseconds, limit }?: {
        milliseconds?: number;
        limit?: number;
    });
    milliseconds: number;
    limit: number;
    /**
     * Shows other markers.
     * @param {{ markers: Marker[], changes: import("./marker-changes.js").MarkerChanges }} change of a MarkerView; its
     *   `changes` are read only if markers move
     * @param {number} now in milliseconds
     */
    show(change: {
        markers: Marker[];
        changes: import("./marker-changes.js").MarkerChanges;
    }, now: number): void;
    /**
     * Whether any marker moves.
     * @param {number} now
     */
    isMoving(now: number): boolean;
    /**
     * The markers to draw, from bottom to top.
     * @param {number} now @returns {Shown[]}
     */
    frame(now: number): Shown[];
    #private;
}
export type Marker = import("./marker.js").Marker;
/**
 * a marker as drawn in a frame
 */
export type Shown = {
    key: string;
    marker: Marker;
    /**
     * the place on the map; 0 to 1, or a little less or more next to the antimeridian
     */
    x: number;
    y: number;
    /**
     * 0 (invisible) to 1
     */
    alpha: number;
    /**
     * whether it is disappearing
     */
    isLeaving: boolean;
};
export type State = {
    x: number;
    y: number;
    alpha: number;
};
export type Item = {
    marker: Marker;
    from: State;
    to: State;
};
