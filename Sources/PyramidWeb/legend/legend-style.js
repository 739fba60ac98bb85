// The look of legends. Pages change it with rules for `.pyramid-legend`, or with its custom properties.

// The content scrolls, not the element with the background: Chromium takes the whole length of an opaque scroller for covered, and leaves
// out what a canvas of WebGL below it shows.
const style = `
.pyramid-legend {
  --legend-text: var(--pyramid-text, #17202e); --legend-soft: var(--pyramid-soft, #536074); --legend-line: var(--pyramid-line, #c9d1dc);
  --legend-accent: var(--pyramid-accent, #3f51cf); --legend-press: var(--pyramid-press, rgba(63, 81, 207, .12));
  --legend-background: var(--pyramid-background, #fff); --legend-thumb: 16px; --legend-touch: 26px;
  --legend-handle: radial-gradient(circle, var(--legend-accent) 5.5px, var(--legend-background) 6px 7.5px, transparent 8px);
  box-sizing: border-box; display: flex; flex-direction: column; padding: 10px 14px; border-radius: 10px;
  background: var(--legend-background); color: var(--legend-text); color-scheme: var(--pyramid-color-scheme, light);
  font: 13px/1.35 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
.pyramid-legend.dark {
  --legend-text: var(--pyramid-text, #e8edf5); --legend-soft: var(--pyramid-soft, #a3afc2); --legend-line: var(--pyramid-line, #47536a);
  --legend-accent: var(--pyramid-accent, #93a3ff); --legend-press: var(--pyramid-press, rgba(147, 163, 255, .2));
  --legend-background: var(--pyramid-background, #1b222e); color-scheme: var(--pyramid-color-scheme, dark);
}
@media (pointer: coarse) { .pyramid-legend { --legend-thumb: 40px; --legend-touch: 40px; } }
.pyramid-legend[hidden], .pyramid-legend [hidden] { display: none !important; }
.pyramid-legend * { box-sizing: border-box; }
.pyramid-legend .content { position: relative; margin: 0 -14px -10px; padding: 0 14px 10px; min-height: 0; overflow-y: auto; overscroll-behavior: contain; }
.pyramid-legend .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.pyramid-legend p, .pyramid-legend ul, .pyramid-legend fieldset { margin: 0; padding: 0; border: 0; min-width: 0; list-style: none; }
.pyramid-legend .head { position: relative; display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; min-height: var(--legend-touch); }
.pyramid-legend .total { flex: 1; text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.pyramid-legend .total b { font-weight: 650; }
.pyramid-legend .soft, .pyramid-legend .colors { color: var(--legend-soft); }
.pyramid-legend .colors { display: flex; align-items: center; gap: 8px; min-height: var(--legend-touch); }
.pyramid-legend select, .pyramid-legend input[type="search"] {
  font: inherit; color: inherit; background: none; border: 1px solid var(--legend-line); border-radius: 6px; min-height: var(--legend-touch);
  padding: 2px 6px; flex: 1; min-width: 0; width: 100%;
}
.pyramid-legend select, .pyramid-legend option { color: var(--legend-text); background: var(--legend-background); }
.pyramid-legend .sizes { display: flex; align-items: center; gap: 3px; min-height: 30px; }
.pyramid-legend fieldset { position: relative; margin-top: 6px; padding-top: 4px; border-top: 1px solid var(--legend-line); }
.pyramid-legend legend {
  float: inline-start; display: flex; align-items: center; width: 100%; min-height: var(--legend-touch); padding-inline-end: 44px; font-weight: 650;
  overflow-wrap: anywhere;
}
.pyramid-legend legend ~ * { clear: both; }
.pyramid-legend .all { position: absolute; top: 4px; inset-inline-end: -6px; }
.pyramid-legend li { display: flex; align-items: center; gap: 2px; }
.pyramid-legend label, .pyramid-legend .plain li { display: flex; align-items: center; gap: 7px; flex: 1; min-width: 0; min-height: var(--legend-touch); }
.pyramid-legend label:has(input) { cursor: pointer; }
.pyramid-legend input[type="checkbox"] { flex: none; width: 16px; height: 16px; margin: 0; accent-color: var(--legend-accent); cursor: inherit; }
.pyramid-legend .dot { flex: none; width: 10px; height: 10px; border-radius: 50%; }
.pyramid-legend .text {
  flex: 1; min-width: 0; overflow: hidden; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3;
}
.pyramid-legend .counts { color: var(--legend-soft); font-variant-numeric: tabular-nums; white-space: nowrap; font-size: 12px; }
.pyramid-legend button {
  font: inherit; font-size: 12px; font-weight: 600; color: var(--legend-accent); background: none; border: 0; border-radius: 6px; cursor: pointer;
  flex: none; min-width: 0; height: auto; min-height: var(--legend-touch); padding: 0 6px;
}
.pyramid-legend button:hover { background: var(--legend-press); }
.pyramid-legend .toggle { margin-inline-start: -6px; color: var(--legend-soft); font-size: inherit; font-weight: inherit; }
.pyramid-legend .toggle::before {
  content: ""; display: inline-block; margin-block: 0 1px; margin-inline: 1px 7px; border: 4px solid transparent;
  border-inline-start: 6px solid; border-inline-end: 0;
}
.pyramid-legend .toggle[aria-expanded="true"]::before {
  margin-block: 0 2px; margin-inline: 0 6px; border: 4px solid transparent; border-top: 6px solid; border-bottom: 0;
}
.pyramid-legend .head button:last-child, .pyramid-legend .only { margin-inline-end: -6px; }
@media (hover: hover) and (pointer: fine) {
  .pyramid-legend .only { opacity: 0; }
  .pyramid-legend li:hover .only, .pyramid-legend .only:focus-visible { opacity: 1; }
}
@media (pointer: coarse) {
  .pyramid-legend { --legend-handle: radial-gradient(circle, var(--legend-accent) 10px, var(--legend-background) 10.5px 12px, transparent 12.5px); }
  .pyramid-legend button { min-width: 40px; }
  .pyramid-legend .toggle::after { content: ""; position: absolute; inset: 0; }
  .pyramid-legend .head button:last-child { position: relative; }
}
.pyramid-legend :focus-visible { outline: 2px solid var(--legend-accent); outline-offset: 1px; }
.pyramid-legend .bars { display: flex; align-items: flex-end; gap: 1px; height: 34px; padding: 0 calc(var(--legend-thumb) / 2); }
.pyramid-legend .bars i { flex: 1; min-width: 0; border-radius: 2px 2px 0 0; background: var(--legend-accent); }
.pyramid-legend .bars i.off { background: var(--legend-line); }
.pyramid-legend .slider { position: relative; height: var(--legend-touch); }
.pyramid-legend .slider::before, .pyramid-legend .slider i { content: ""; position: absolute; top: 50%; height: 4px; margin-top: -2px; border-radius: 2px; }
.pyramid-legend .slider::before { inset-inline: calc(var(--legend-thumb) / 2); background: var(--legend-line); }
.pyramid-legend .slider i { background: var(--legend-accent); }
.pyramid-legend .slider input {
  position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; appearance: none; -webkit-appearance: none; background: none; pointer-events: none;
  border-radius: 8px;
}
.pyramid-legend .slider input::-webkit-slider-thumb {
  appearance: none; -webkit-appearance: none; pointer-events: auto; cursor: pointer; width: var(--legend-thumb); height: var(--legend-thumb);
  border: 0; border-radius: 50%; background: var(--legend-handle);
}
.pyramid-legend .slider input:focus-visible { outline: none; z-index: 1; }
.pyramid-legend .slider input:focus-visible::-webkit-slider-thumb { outline: 2px solid var(--legend-text); }
.pyramid-legend .slider input:focus-visible::-moz-range-thumb { outline: 2px solid var(--legend-text); }
.pyramid-legend .slider input::-moz-range-thumb {
  pointer-events: auto; cursor: pointer; box-sizing: border-box; width: var(--legend-thumb); height: var(--legend-thumb);
  border: 0; border-radius: 50%; background: var(--legend-handle);
}
.pyramid-legend .edges { position: relative; height: 15px; margin: 0 calc(var(--legend-thumb) / 2); color: var(--legend-soft); font-size: 11px; }
.pyramid-legend .edges span { position: absolute; display: flex; justify-content: center; width: 0; white-space: nowrap; }
.pyramid-legend .range { display: flex; justify-content: space-between; gap: 8px; font-variant-numeric: tabular-nums; }
`;

/** @type {WeakSet<Document | ShadowRoot>} */
const styled = new WeakSet();

/**
 * Makes the rules known to the document or shadow tree of an element.
 * @param {Element} element
 */
export function addStyle(element) {
  const root = element.getRootNode(), place = root instanceof ShadowRoot ? root : element.ownerDocument;
  if (styled.has(place)) return;
  styled.add(place);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  // First, so that the page's own rules win.
  place.adoptedStyleSheets = [sheet, ...place.adoptedStyleSheets];
}
