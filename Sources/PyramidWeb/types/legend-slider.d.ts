export class RangeSlider {
    /**
     * @param {Facet} facet with edges @param {string} title @param {(edge: number) => string} text
     * @param {(ranges: string[]) => void} choose called with the chosen ranges, at most once per frame
     */
    constructor(facet: Facet, title: string, text: (edge: number) => string, choose: (ranges: string[]) => void);
    node: HTMLElement;
    /**
     * @param {Map<Value, ValueCounts>} counts @param {Set<Value>} chosen @param {(value: Value) => string | undefined} color of a bar
     */
    update(counts: Map<Value, ValueCounts>, chosen: Set<Value>, color: (value: Value) => string | undefined): void;
    #private;
}
export type Facet = import("./facets.js").Facet;
export type Value = import("./facets.js").Value;
export type ValueCounts = import("./tileset.js").ValueCounts;
