export function eased(t: number): number;
/**
 * Where everything is at a moment. Markers come out of the clusters that they were part of, and move into those that take
 * them in; what leaves is gone when the motion ends, however many others have begun since.
 */
export class MarkerScene {
    /** @param {{ milliseconds?: number, limit?: number }} options the length of a motion, and how many markers may move: more come and go at once */
    constructor({ milliseconds, limit }?: {
        milliseconds?: number;
        limit?: number;
    });
    milliseconds: number;
    limit: number;
    /**
     * Shows other markers.
     * @param {{ markers: Marker[], changes: import("./marker-changes.js").MarkerChanges }} change as a MarkerView tells it;
     *   `changes` are only asked for if something is to move
     * @param {number} now in milliseconds
     */
    show(change: {
        markers: Marker[];
        changes: import("./marker-changes.js").MarkerChanges;
    }, now: number): void;
    /**
     * Whether something moves.
     * @param {number} now
     */
    isMoving(now: number): boolean;
    /**
     * What is to be drawn, the first at the bottom.
     * @param {number} now @returns {Shown[]}
     */
    frame(now: number): Shown[];
    #private;
}
export type Marker = import("./marker.js").Marker;
/**
 * a marker as it is drawn at a moment
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
     * 0, not to be seen, to 1
     */
    alpha: number;
    /**
     * whether it is on its way out
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
