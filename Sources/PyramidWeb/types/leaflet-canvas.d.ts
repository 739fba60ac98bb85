/** A canvas that is redrawn while the map zooms, so it stays sharp. Its margin saves redrawing for short pans. */
export class LeafletCanvas {
    /**
     * @param {any} map @param {any} library Leaflet's `L`
     * @param {{ pane: string, zIndex: number, margin: number, limits?: Limits }} options `margin`: in pixels around the map
     */
    constructor(map: any, library: any, { pane, zIndex, margin, limits }: {
        pane: string;
        zIndex: number;
        margin: number;
        limits?: Limits;
    });
    /**
     * The area that was drawn last.
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
    /** The map's destination while it zooms, else where it is. */
    get target(): Sight;
    /**
     * The map's current centre and size, also during a zoom.
     * @returns {Sight}
     */
    get sight(): Sight;
    /** @param {any} center @param {number} zoom @returns {Sight} */
    sightOf(center: any, zoom: number): Sight;
    /**
     * The box of the map and a margin around it.
     * @param {Sight} sight @param {number} marginPixels @returns {import("./geometry.js").Box}
     */
    boxOf({ x, y, size }: Sight, marginPixels: number): import("./geometry.js").Box;
    /** Whether the map shows more than the drawn area. */
    get isStale(): boolean;
    /**
     * Clears the canvas and makes it as large as the map. 0, 0 is the map's corner.
     * @returns {Area}
     */
    begin(): Area;
    /**
     * Calls `body` for every copy of the world in which a place is drawn.
     * @param {number} x @param {number} half its width to each side in pixels @param {(pixelX: number) => void} body
     */
    copies(x: number, half: number, body: (pixelX: number) => void): void;
    #private;
}
/**
 * the centre of the map, 0 to 1, and the world's width in pixels
 */
export type Sight = {
    x: number;
    y: number;
    size: number;
};
/**
 * the part of the map to draw, which repeats the world to
 *  both sides: 0 is the antimeridian, 1 the next one to the east
 */
export type Limits = (sight: Sight) => [from: number, to: number];
/**
 * the drawn area: the map's corner and its size in pixels, the device pixels per CSS pixel, and the `Limits`
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
