// The panel that tells what a marker is. All that comes from the data is set as text, never as HTML.

const element = (id) => document.getElementById(id);

function valueNode(value) {
  const text = typeof value === "object" ? JSON.stringify(value, null, 1) : String(value);
  if (!/^https?:\/\/\S+$/.test(text)) return document.createTextNode(text);
  const link = document.createElement("a");
  Object.assign(link, { href: text, textContent: text, rel: "noopener noreferrer", target: "_blank" });
  return link;
}

/** Text that may be broken after each `_`, and within words that are too long for a line. */
function breakable(text) {
  const fragment = document.createDocumentFragment();
  for (const piece of text.match(/[^_]{0,24}_+|[^_]{1,24}/g) ?? []) {
    if (fragment.childNodes.length && !/^\s/.test(piece)) fragment.append(document.createElement("wbr"));
    fragment.append(piece);
  }
  return fragment;
}

/** The text and the links of HTML, and nothing else of it. */
function textAndLinks(html) {
  const fragment = document.createDocumentFragment();
  const copy = (from, to) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        to.append(node.data);
      } else if (node.nodeType === Node.ELEMENT_NODE && !/^(script|style|template|noscript|iframe|svg|math)$/i.test(node.localName)) {
        const isLink = node.localName === "a" && /^https?:\/\//i.test(node.getAttribute("href") ?? "");
        const link = isLink ? Object.assign(document.createElement("a"), { href: node.getAttribute("href"), rel: "noopener noreferrer", target: "_blank" }) : to;
        if (isLink) to.append(link);
        if (/^(br|p|div|li)$/.test(node.localName)) to.append(" ");
        copy(node, link);
      }
    }
  };
  // Nothing of a document that DOMParser makes is loaded or run.
  copy(new DOMParser().parseFromString(html, "text/html").body, fragment);
  return fragment;
}

function tableOf(rows) {
  const table = document.createElement("table");
  for (const [name, value] of rows) {
    const row = table.insertRow(), head = document.createElement("th");
    head.scope = "row";
    head.append(breakable(name));
    row.append(head);
    row.insertCell().append(valueNode(value));
  }
  return table;
}

function paragraph(text) {
  const node = document.createElement("p");
  node.textContent = text;
  return node;
}

const placeText = ([longitude, latitude]) =>
  `${Math.abs(latitude)}° ${latitude < 0 ? "S" : "N"}, ${Math.abs(longitude)}° ${longitude < 0 ? "W" : "E"}`;

const isAt = (feature, coordinates) => String(feature.geometry.coordinates) === String(coordinates);

function rowsOf(feature) {
  const rows = Object.entries(feature.properties ?? {}).filter(([name]) => name !== "parent");
  if (feature.id != null && !feature.properties?.cluster) rows.unshift(["id", feature.id]);
  return rows;
}

/** A name for a point: its first property whose name promises one, else its first text. */
function titleOf(feature) {
  const entries = Object.entries(feature.properties ?? {}).filter(([, value]) => typeof value === "string" && value);
  const named = entries.find(([name]) => /^(name|title|label)$/i.test(name)) ?? entries.find(([name]) => /name|title|city|place/i.test(name));
  return (named ?? entries[0])?.[1] ?? (feature.id != null ? String(feature.id) : "Point");
}

function openDetails(title, nodes, moveFocus) {
  element("details-title").textContent = title;
  element("details-content").replaceChildren(...nodes);
  element("details-content").scrollTop = 0;
  element("details").hidden = false;
  if (moveFocus) element("details-title").focus();
}

const shownMembers = 100;

/** Points at one place, one below the other. */
function pointNodes(features) {
  const nodes = features.slice(0, shownMembers).flatMap((feature) => [tableOf(rowsOf(feature)), document.createElement("hr")]);
  nodes.pop();
  if (features.length > shownMembers) nodes.push(paragraph(`and ${(features.length - shownMembers).toLocaleString("en")} more`));
  return nodes;
}

function showPoints(features, moveFocus) {
  const { coordinates } = features[0].geometry;
  if (features.length === 1) {
    return openDetails(titleOf(features[0]), [tableOf([...rowsOf(features[0]), ["place", placeText(coordinates)]])], moveFocus);
  }
  openDetails(`${features.length.toLocaleString("en")} points at one place`, [paragraph(placeText(coordinates)), ...pointNodes(features)], moveFocus);
}

/** Shows the points of a cluster that no zoom takes apart: they stand one by one in the tile of the last zoom. */
function showMembers(cluster, store, moveFocus) {
  const { coordinates } = cluster.feature.geometry;
  const title = `${cluster.count.toLocaleString("en")} points at one place`;
  const place = paragraph(placeText(coordinates));
  openDetails(title, [place, paragraph("Loading …")], moveFocus);
  const z = store.zooms.max, n = 2 ** z;
  const [x, y] = toWorld(...coordinates).map((value) => Math.min(Math.floor(value * n), n - 1));
  const fill = () => {
    if (element("details-title").textContent !== title || element("details").hidden) return;
    const points = tile.markers.map(({ feature }) => feature).filter((feature) => !feature.properties?.cluster && isAt(feature, coordinates));
    const nodes = points.length ? pointNodes(points) : [tableOf(rowsOf(cluster.feature))];
    openDetails(title, [place, ...nodes], false);
  };
  const tile = store.tile(z, x, y, fill);
  if (tile.state !== "loading") fill();
}

function closeDetails() { element("details").hidden = true; }
