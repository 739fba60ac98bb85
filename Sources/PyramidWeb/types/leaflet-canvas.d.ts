/** Is drawn anew while the map zooms, so that it stays sharp. It reaches beyond the map: short ways need no drawing. */
export class LeafletCanvas {
    /**
     * @param {any} map @param {any} library Leaflet's `L`
     * @param {{ pane: string, zIndex: number, margin: number, limits?: Limits }} options `margin`: the pixels beyond the map
     */
    constructor(map: any, library: any, { pane, zIndex, margin, limits }: {
        pane: string;
        zIndex: number;
        margin: number;
        limits?: Limits;
    });
    /**
     * What was drawn last.
     * @type {Area | null}
     */
    area: Area | null;
    map: any;
    library: any;
    margin: number;
    limits: Limits;
    layerPane: {
        pane: string;
        zIndex: number;
    };
    canvas: HTMLCanvasElement;
    context: CanvasRenderingContext2D;
    listeners: {
        zoomanim: ({ center, zoom }: any) => void;
        moveend: () => void;
        viewreset: () => void;
    };
    add(): void;
    remove(): void;
    get isZooming(): boolean;
    /** Where the map is going, or is. */
    get target(): Sight;
    /**
     * The map of this moment, also in the middle of a zoom.
     * @returns {Sight}
     */
    get sight(): Sight;
    /** @param {any} center @param {number} zoom @returns {Sight} */
    sightOf(center: any, zoom: number): Sight;
    /**
     * What the map shows, and a margin around it.
     * @param {Sight} sight @param {number} marginPixels @returns {import("./geometry.js").Box}
     */
    boxOf({ x, y, size }: Sight, marginPixels: number): import("./geometry.js").Box;
    /** Whether the map shows more than what was drawn. */
    get isStale(): boolean;
    /**
     * Makes the canvas as large as the map, and empty. 0, 0 is the map's corner.
     * @returns {Area}
     */
    begin(): Area;
    /**
     * Calls back for every copy of the world in which a place was drawn.
     * @param {number} x @param {number} half the pixels that it takes to both sides @param {(pixelX: number) => void} body
     */
    copies(x: number, half: number, body: (pixelX: number) => void): void;
    #private;
}
/**
 * the middle of the map, 0 to 1, and the pixels of a world's width
 */
export type Sight = {
    x: number;
    y: number;
    size: number;
};
/**
 * what to show of the map, which repeats the world to both
 *  sides: 0 is the antimeridian, 1 the next one to the east
 */
export type Limits = (sight: Sight) => [from: number, to: number];
/**
 * what is drawn: the map's corner and its size in pixels, the screen's pixels of a pixel, and the `Limits`
 */
export type Area = Sight & {
    left: number;
    top: number;
    width: number;
    height: number;
    ratio: number;
    from: number;
    to: number;
};
