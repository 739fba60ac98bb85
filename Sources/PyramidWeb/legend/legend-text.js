// Elements and texts of legends. Names and values from the data are set as text, never as HTML. In a page from right to left, texts in <bdi> keep
// their own direction.

/**
 * @param {string} tag @param {Record<string, string>} properties and attributes, with "-" in their names
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function made(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) node.setAttribute(name, value);
    else Object.assign(node, { [name]: value });
  }
  node.append(...children);
  return node;
}

/** @param {number} count */
export const countText = (count) => counts.format(count);

// Making a format takes longer than using it.
const counts = new Intl.NumberFormat("en");

/**
 * A number from the data: 2024 is a year more often than a count.
 * @param {number} number
 */
export const numberText = (number) => number.toLocaleString("en", { useGrouping: Math.abs(number) >= 10000, maximumFractionDigits: 20 });

/**
 * Shows two numbers, for the eye and for screen readers; unknown ones are left out.
 * @param {HTMLElement} node @param {number | undefined} inView @param {number | undefined} filtered
 */
export function showCounts(node, inView, filtered) {
  const known = [[inView, "in view"], [filtered, "in all"]].flatMap(([count, words]) => (
    typeof count === "number" && !Number.isNaN(count) ? [{ count: countText(count), words }] : []));
  const text = known.map(({ count }) => count).join(" / ");
  if (!node.children.length) node.append(made("bdi", { "aria-hidden": "true" }), made("span", { className: "unseen" }));
  if (node.children[0].textContent === text) return;
  node.children[0].textContent = text;
  node.children[1].textContent = known.map(({ count, words }) => `${count} ${words}`).join(", ");
}
