/**
 * @param {string} tag @param {Record<string, string>} properties and attributes, with "-" in their names
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function made(tag: string, properties?: Record<string, string>, ...children: (Node | string)[]): HTMLElement;
/**
 * Shows two numbers, for the eye and for screen readers; unknown ones are left out.
 * @param {HTMLElement} node @param {number | undefined} inView @param {number | undefined} filtered
 */
export function showCounts(node: HTMLElement, inView: number | undefined, filtered: number | undefined): void;
export function countText(count: number): string;
export function numberText(number: number): string;
