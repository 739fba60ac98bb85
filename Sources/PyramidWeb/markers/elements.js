// HTML elements. Text from the data is set as text, never as HTML.

/** @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, any>} properties a `style` is an object; names with "-" and `role` are attributes
 * @param {...(Node | string)} children @returns {HTMLElementTagNameMap[Tag]} */
export function made(tag, { style, ...properties } = {}, ...children) {
  const node = document.createElement(tag);
  Object.assign(node.style, style);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") node.setAttribute(name, value);
    else Object.assign(node, { [name]: value });
  }
  node.append(...children);
  return node;
}

/** Whether fingers press buttons, which are large then. */
export const isCoarse = () => matchMedia("(pointer: coarse)").matches;

/** Names a popup's button for closing, and makes it as large as a finger needs.
 * @param {HTMLElement | null | undefined} button @param {string} name */
export function dressClose(button, name) {
  button?.setAttribute("aria-label", name);
  if (button && isCoarse()) Object.assign(button.style, { width: "40px", height: "40px", padding: "0", lineHeight: "40px", fontSize: "22px" });
}
