export class LegendColumn {
    /**
     * @param {Facet} facet @param {string} title
     * @param {(value: Exclude<Value, null>) => string | undefined} text of a value, or of an edge
     * @param {(chosen: Set<Value>) => void} choose
     */
    constructor(facet: Facet, title: string, text: (value: Exclude<Value, null>) => string | undefined, choose: (chosen: Set<Value>) => void);
    facet: import("./facets.js").Facet;
    title: string;
    text: (value: Exclude<Value, null>) => string | undefined;
    choose: (chosen: Set<Value>) => void;
    node: HTMLFieldSetElement;
    /** @param {ColumnState} state */
    update(state: ColumnState): void;
    #private;
}
export type Facet = import("./facets.js").Facet;
export type Value = import("./facets.js").Value;
export type ValueCounts = import("./tileset.js").ValueCounts;
export type Row = {
    row: HTMLElement;
    box: HTMLInputElement;
    dot: HTMLElement;
    counts: HTMLElement;
};
export type ColumnState = {
    counts: Map<Value, ValueCounts>;
    chosen: Set<Value>;
    /**
     * undefined if the column doesn't give the colours
     */
    color: (value: Value) => string | undefined;
};
