/**
 * Makes the rules known to the document or shadow tree of an element.
 * @param {Element} element
 */
export function addStyle(element: Element): void;
