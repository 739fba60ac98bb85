/**
 * Fills an element with a legend for the markers of a map. The columns of `--filter-by` have switches.
 * @param {MarkerMap} markers made by `addMarkers`
 * @param {HTMLElement | null} element gets the class `pyramid-legend`; throws a TypeError if the page has no such element
 * @param {LegendOptions} [options]
 */
export function addLegend(markers: MarkerMap, element: HTMLElement | null, options?: LegendOptions | undefined): Legend;
export class Legend {
    /** @param {MarkerMap} markers @param {HTMLElement} element @param {LegendOptions} [options] */
    constructor(markers: MarkerMap, element: HTMLElement, options?: LegendOptions | undefined);
    /** Empties the element, and leaves the filter as it is. */
    remove(): void;
    /** Redraws the legend after the look of markers has changed. */
    draw(): void;
    #private;
}
export type MarkerMap = import("./marker-map.js").MarkerMap;
export type Facet = import("./facets.js").Facet;
export type Value = import("./facets.js").Value;
/**
 * in the order of a ring
 */
export type Colors = import("./appearance.js").ColorPairs;
export type LegendOptions = {
    /**
     * the titles of columns (default: their names)
     */
    titles?: Record<string, string> | undefined;
    /**
     * the text for a value, or for an edge of a column
     * with ranges (default: the value)
     */
    text?: ((value: string | number | boolean, column: string) => string | undefined) | undefined;
    /**
     * the column that gives the colours at first; `""` for colours by the number of points
     * (default: the map's `colorBy`, else the first column whose ten most frequent values cover most points). `false`: the legend leaves the colours alone, and offers no choice
     */
    colorBy?: string | false | undefined;
    /**
     * whether the URL's hash holds the filter, beside other parts (default: false). With MapLibre's own hash,
     * give that one a name: `hash: "map"`
     */
    hash?: boolean | undefined;
    /**
     * whether the legend is open at first (default: except on small screens)
     */
    isOpen?: boolean | undefined;
};
