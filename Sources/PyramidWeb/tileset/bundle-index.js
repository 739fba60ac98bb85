// The files of a bundled tileset, from the member `bundles` of its tilejson.json.

/** @typedef {{ limit: number, root: number, template: string, index: string }} BundleDescription */
/** @typedef {{ isBundle: boolean, z: number, x: number, y: number }} TileFile a file of the tileset */

const bundle = 1,
  tile = 2;

/** Identifies a file of a tileset.
 * @param {TileFile} file */
export const fileName = ({ isBundle, z, x, y }) => `${isBundle ? "bundle" : "tile"} ${z}/${x}/${y}`;

export class BundleIndex {
  /** @type {Uint8Array} one byte for every node with children, in preorder: their states, two bits each */ #nodes;
  /** @type {Uint32Array} for every node, the first one after its descendants */ #ends;
  /** @type {number} */ #root;

  /** @param {Uint8Array} nodes @param {number} root the state of 0/0/0 */
  constructor(nodes, root) {
    this.#nodes = nodes;
    this.#root = root;
    this.#ends = new Uint32Array(nodes.length);
    // The path from the root to the current node, each node with the number of children left to visit.
    /** @type {{ node: number, left: number }[]} */
    const open = [];
    for (let node = 0; node < nodes.length || open.length; ) {
      const last = open.at(-1);
      if (last && last.left === 0) {
        this.#ends[last.node] = node;
        open.pop();
        continue;
      }
      if (node === nodes.length || (!last && (node > 0 || root < tile))) throw new Error("the index of bundles is damaged");
      if (last) last.left -= 1;
      let left = 0;
      for (let child = 0; child < 4; child++) left += Number(((nodes[node] >> (2 * child)) & 3) >= tile);
      open.push({ node, left });
      node += 1;
    }
    if (root >= tile && !nodes.length) throw new Error("the index of bundles is damaged");
  }

  /** @param {BundleDescription} description @returns {Promise<BundleIndex>} */
  static async decode({ index, root }) {
    const packed = Uint8Array.from(atob(index), (character) => character.charCodeAt(0));
    if (!packed.length) return new BundleIndex(packed, root);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new BundleIndex(new Uint8Array(await new Response(stream).arrayBuffer()), root);
  }

  /** The file that holds the markers of a tile: a bundle of the tile or of an ancestor, or the tile's own file; `null`
   * if the tile has no markers. O(z).
   * @param {import("./geometry.js").Tile} tile @returns {TileFile | null} */
  find({ z, x, y }) {
    let state = this.#root,
      node = 0;
    for (let depth = 0; ; depth++) {
      if (state === 0 || state === bundle || depth === z) {
        const shift = 2 ** (z - depth);
        const at = { z: depth, x: Math.floor(x / shift), y: Math.floor(y / shift) };
        return state === bundle ? { isBundle: true, ...at } : state === tile ? { isBundle: false, ...at } : null;
      }
      const shift = 2 ** (z - depth - 1),
        quarter = (Math.floor(x / shift) % 2) + 2 * (Math.floor(y / shift) % 2);
      const children = this.#nodes[node];
      let next = node + 1;
      for (let child = 0; child < quarter; child++) if (((children >> (2 * child)) & 3) >= tile) next = this.#ends[next];
      state = (children >> (2 * quarter)) & 3;
      node = next;
    }
  }
}
