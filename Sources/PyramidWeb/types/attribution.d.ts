/**
 * The text and the links of HTML, without anything else.
 * @param {string} html
 */
export function textAndLinks(html: string): DocumentFragment;
/**
 * A tileset's attribution as harmless HTML, for the attribution controls of map libraries.
 * @param {unknown} html of the TileJSON
 */
export function attributionOf(html: unknown): string;
