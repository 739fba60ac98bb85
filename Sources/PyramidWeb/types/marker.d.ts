/**
 * @typedef {object} Feature a GeoJSON feature
 * @property {string} [type]
 * @property {string | number} [id]
 * @property {[number, number, number, number]} [bbox]
 * @property {{ type: string, coordinates: number[] }} geometry
 * @property {Record<string, any>} properties
 * @property {number} [minzoom] in bundles only
 * @property {number} [maxzoom] in bundles only
 * @property {number} [parent] in bundles only
 * @property {number} [parent_id] in bundles only
 */
/**
 * @typedef {object} Marker a cluster or a point as it is shown at a zoom
 * @property {string} key identifies the marker across tiles, zooms and builds. Points without an id that are equal in
 *   everything share a key; see `identified`
 * @property {Feature} feature
 * @property {boolean} isCluster
 * @property {number} count the number of its points that match the filter, or of all its points if that is unknown
 * @property {number} total the number of its points, whatever the filter
 * @property {boolean} isExact whether `count` is known; else it is the `total`
 * @property {Marker} [whole] the cluster without the filter, if the filter hides some of its points or may do so. If one point is left,
 *   the marker is that point, at the cluster's place
 * @property {number} x the place on the map, 0 to 1 from the antimeridian to the east
 * @property {number} y 0 to 1 from the upper edge down
 * @property {number} unit the precision of the place: a step of the vector tile's grid, 0 if it is exact
 * @property {string | null} parent the key of the cluster that contains it at the next lower zoom, in bundles at the next lower
 *   one at which it isn't shown itself; null in other tiles without `--parents`
 * @property {Marker[]} [points] the markers of a stack, points at one place that are shown as one; see `stacked`
 */
/** @param {Feature} feature @returns {Marker} */
export function markerOf(feature: Feature): Marker;
/**
 * The box around the points that a marker stands for.
 * @param {Marker} marker @returns {import("./geometry.js").Box}
 */
export function boxOf({ feature }: Marker): import("./geometry.js").Box;
/**
 * The box around the places of markers, which may cross the antimeridian.
 * @param {Marker[]} markers at least one @returns {import("./geometry.js").Box}
 */
export function boxAround(markers: Marker[]): import("./geometry.js").Box;
/**
 * Markers of one zoom by their keys; equal points are numbered.
 * @param {Iterable<Marker>} markers
 * @returns {Map<string, Marker>} in the order of the markers
 */
export function identified(markers: Iterable<Marker>): Map<string, Marker>;
/**
 * A number of points of a cluster, in the format of the cluster's own label.
 * @param {number} count @param {Marker} cluster
 */
export function labelOf(count: number, { total, feature }: Marker): string;
/** @param {number} count */
export function abbreviated(count: number): string;
export function isSame(one: Marker, other: Marker): boolean;
/**
 * a GeoJSON feature
 */
export type Feature = {
    type?: string | undefined;
    id?: string | number | undefined;
    bbox?: [number, number, number, number] | undefined;
    geometry: {
        type: string;
        coordinates: number[];
    };
    properties: Record<string, any>;
    /**
     * in bundles only
     */
    minzoom?: number | undefined;
    /**
     * in bundles only
     */
    maxzoom?: number | undefined;
    /**
     * in bundles only
     */
    parent?: number | undefined;
    /**
     * in bundles only
     */
    parent_id?: number | undefined;
};
/**
 * a cluster or a point as it is shown at a zoom
 */
export type Marker = {
    /**
     * identifies the marker across tiles, zooms and builds. Points without an id that are equal in
     * everything share a key; see `identified`
     */
    key: string;
    feature: Feature;
    isCluster: boolean;
    /**
     * the number of its points that match the filter, or of all its points if that is unknown
     */
    count: number;
    /**
     * the number of its points, whatever the filter
     */
    total: number;
    /**
     * whether `count` is known; else it is the `total`
     */
    isExact: boolean;
    /**
     * the cluster without the filter, if the filter hides some of its points or may do so. If one point is left,
     * the marker is that point, at the cluster's place
     */
    whole?: Marker | undefined;
    /**
     * the place on the map, 0 to 1 from the antimeridian to the east
     */
    x: number;
    /**
     * 0 to 1 from the upper edge down
     */
    y: number;
    /**
     * the precision of the place: a step of the vector tile's grid, 0 if it is exact
     */
    unit: number;
    /**
     * the key of the cluster that contains it at the next lower zoom, in bundles at the next lower
     * one at which it isn't shown itself; null in other tiles without `--parents`
     */
    parent: string | null;
    /**
     * the markers of a stack, points at one place that are shown as one; see `stacked`
     */
    points?: Marker[] | undefined;
};
