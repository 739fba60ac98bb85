export class BundleIndex {
    /** @param {BundleDescription} description @returns {Promise<BundleIndex>} */
    static decode({ index, root }: BundleDescription): Promise<BundleIndex>;
    /** @param {Uint8Array} nodes @param {number} root the state of 0/0/0 */
    constructor(nodes: Uint8Array, root: number);
    /**
     * The file that holds the markers of a tile: a bundle of the tile or of an ancestor, or the tile's own file; `null`
     * if the tile has no markers. O(z).
     * @param {import("./geometry.js").Tile} tile
     * @returns {TileFile | null}
     */
    find({ z, x, y }: import("./geometry.js").Tile): TileFile | null;
    #private;
}
export type BundleDescription = {
    limit: number;
    root: number;
    template: string;
    index: string;
};
/**
 * a file of the tileset
 */
export type TileFile = {
    isBundle: boolean;
    z: number;
    x: number;
    y: number;
};
