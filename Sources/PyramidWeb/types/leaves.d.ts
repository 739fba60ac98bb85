/** Finds the points of a tileset's markers. */
export class LeafReader {
    /** @param {Tileset} tileset @param {PageReader} readPage */
    constructor(tileset: Tileset, readPage: PageReader);
    /**
     * See `Tileset.leaves`.
     * @param {Marker} marker
     * @param {{ page?: number, signal?: AbortSignal }} options
     * @returns {Promise<Leaves>}
     */
    read(marker: Marker, { page, signal }?: {
        page?: number;
        signal?: AbortSignal;
    }): Promise<Leaves>;
    /**
     * See `Tileset.find`.
     * @param {PointAddress} address @param {{ signal?: AbortSignal }} options
     * @returns {Promise<FoundPoint | null>}
     */
    find({ id, lngLat }: PointAddress, { signal }?: {
        signal?: AbortSignal;
    }): Promise<FoundPoint | null>;
    #private;
}
export type Box = import("./geometry.js").Box;
export type Marker = import("./marker.js").Marker;
export type Feature = import("./marker.js").Feature;
export type Tileset = import("./tileset.js").Tileset;
/**
 * a page of a cluster's points;
 *  `total`: on all pages; `isExact`: whether these are all points of the cluster, else the others are unknown
 */
export type Leaves = {
    points: Feature[];
    page: number;
    pageCount: number;
    total: number;
    isExact: boolean;
};
/**
 * a point, the marker that shows it at the last zoom, and the
 *  first zoom with this marker
 */
export type FoundPoint = {
    point: Feature;
    marker: Marker;
    zoom: number;
};
/**
 * the id of a point, and its place, or one
 *  at most 16 pixels away from it at the last zoom; without an id, the nearest point is meant
 */
export type PointAddress = {
    id?: string | number;
    lngLat: [longitude: number, latitude: number];
};
/**
 * reads a page of a cluster's points
 */
export type PageReader = (id: number, page: number, signal?: AbortSignal) => Promise<Feature[]>;
