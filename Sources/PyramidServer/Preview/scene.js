// The markers that are shown, how they come and go, and the canvas they are drawn on.

const transitionMilliseconds = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 320;
const fadeMilliseconds = transitionMilliseconds / 2;
const eased = (t) => 1 - (1 - t) ** 3;

class Scene {
  constructor(canvas, tileJSON) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.painter = new MarkerPainter();
    this.zooms = { min: tileJSON.minzoom, max: tileJSON.maxzoom };
    this.level = null;
    this.markers = new Map();
    this.leaving = [];
    this.drawn = [];
    this.screen = { left: 0, top: 0, size: 256 };
    this.distances = {};
    this.showsTiles = false;
    this.hovered = this.chosen = null;
  }

  /** The pixels that the pyramid keeps between two markers of a zoom level. */
  distance(level) { return this.distances[level] ?? 40; }

  /** Shows other markers: those that go move to the cluster that takes them in, new ones come out of the cluster they were in. */
  show(level, list, now) {
    const before = this.markers, earlier = this.level;
    const markers = new Map(list.map((marker) => [marker.id, marker]));
    for (const [id, marker] of markers) {
      const known = before.get(id);
      if (known) Object.assign(marker, { motion: known.motion, appeared: known.appeared });
      else Object.assign(marker, { motion: null, appeared: earlier === null ? now - fadeMilliseconds : now });
    }
    if (earlier !== null && level !== earlier) this.move(before, markers, level > earlier, now);
    this.markers = markers;
    this.level = level;
  }

  move(before, markers, splits, now) {
    const [many, few] = splits ? [markers, before] : [before, markers];
    const clusters = [...few.values()].filter((marker) => marker.isCluster);
    this.leaving = [];
    // Beyond so many nobody sees single ones move.
    let budget = 4000000;
    for (const [id, marker] of many) {
      const stays = few.has(id);
      if (stays && !splits) continue;
      if (stays || (budget -= clusters.length) < 0) continue;
      const cluster = clusterAround(marker, few, clusters);
      if (splits) {
        if (cluster) marker.motion = { x: eastward(marker.x, cluster.x), y: cluster.y - marker.y, start: now, isOut: false };
      } else if (cluster) {
        const motion = { x: eastward(marker.x, cluster.x), y: cluster.y - marker.y, start: now, isOut: true };
        this.leaving.push({ ...marker, motion });
      }
    }
    if (splits) for (const [id, marker] of before) if (!markers.has(id)) this.leaving.push({ ...marker, motion: { x: 0, y: 0, start: now, isOut: true } });
  }

  /** The size of the canvas is that of the window, in the screen's own pixels. */
  resize() {
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    this.width = innerWidth;
    this.height = innerHeight;
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
  }

  /**
   * Draws one frame.
   * @param view the pixels of a world's width, and the world coordinates of the middle of the window
   * @returns whether something still moves
   */
  draw(view, theme, now, tiles) {
    const { context, width, height } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, height);
    const left = view.x - width / 2 / view.size, top = view.y - height / 2 / view.size;
    this.screen = { left, top, size: view.size };
    drawGraticule(context, this.screen, width, height, theme);
    if (this.showsTiles) drawTiles(context, this.screen, tiles, theme);

    this.drawn = [];
    let isMoving = false;
    this.leaving = this.leaving.filter((marker) => now - marker.motion.start < transitionMilliseconds);
    for (const marker of this.leaving) {
      this.drawMarker(marker, theme, now, 1 - (now - marker.motion.start) / transitionMilliseconds, false);
      isMoving = true;
    }
    for (const marker of this.markers.values()) {
      const age = now - marker.appeared;
      const alpha = fadeMilliseconds && age < fadeMilliseconds ? Math.max(age / fadeMilliseconds, 0) : 1;
      if (marker.motion && now - marker.motion.start >= transitionMilliseconds) marker.motion = null;
      if (alpha < 1 || marker.motion) isMoving = true;
      this.drawMarker(marker, theme, now, marker.motion ? 1 : alpha, true);
    }
    this.drawChosen(theme);
    return isMoving;
  }

  drawMarker(marker, theme, now, alpha, canBeHit) {
    const { context, screen, width, height } = this;
    const sprite = this.painter.sprite(marker, this.distance(this.level), theme, this.ratio);
    let { x, y } = marker;
    if (marker.motion) {
      const t = eased(Math.min((now - marker.motion.start) / (transitionMilliseconds || 1), 1));
      const share = marker.motion.isOut ? t : 1 - t;
      x += marker.motion.x * share;
      y += marker.motion.y * share;
    }
    const screenY = (y - screen.top) * screen.size;
    if (screenY < -sprite.half || screenY > height + sprite.half) return;
    // The world repeats to the east and the west.
    const margin = sprite.half / screen.size;
    const first = Math.ceil(screen.left - margin - x), last = Math.floor(screen.left + width / screen.size + margin - x);
    context.globalAlpha = alpha;
    for (let copy = first; copy <= last; copy++) {
      const screenX = (x + copy - screen.left) * screen.size;
      context.drawImage(sprite.canvas, screenX - sprite.half, screenY - sprite.half, 2 * sprite.half, 2 * sprite.half);
      if (canBeHit) this.drawn.push({ marker, x: screenX, y: screenY, radius: sprite.radius });
    }
    context.globalAlpha = 1;
  }

  /** The marker under the pointer with the box of its members, and the one that the keyboard has chosen. */
  drawChosen(theme) {
    const { context } = this;
    for (const [chosen, isStrong] of [[this.hovered, false], [this.chosen, true]]) {
      const hits = chosen ? this.drawn.filter((hit) => hit.marker.id === chosen.id) : [];
      for (const hit of hits) {
        context.strokeStyle = theme.accent;
        context.lineWidth = isStrong ? 3 : 2;
        context.beginPath();
        context.arc(hit.x, hit.y, hit.radius + 2.5, 0, 2 * Math.PI);
        context.stroke();
        const box = hit.marker.feature.bbox;
        if (!hit.marker.isCluster || !box) continue;
        const [westX, northY] = toWorld(box[0], box[3]), [eastX, southY] = toWorld(box[2], box[1]);
        const size = this.screen.size, boxWidth = (eastX - westX + (box[0] > box[2] ? 1 : 0)) * size;
        const x = hit.x - eastward(westX, hit.marker.x) * size, y = hit.y - (hit.marker.y - northY) * size;
        context.lineWidth = 1;
        context.setLineDash([4, 4]);
        context.strokeRect(x, y, boxWidth, (southY - northY) * size);
        context.setLineDash([]);
      }
    }
  }

  /** What is drawn at a place of the window, or nearest to it within some pixels. */
  hit(x, y, tolerance) {
    let nearest = null, least = Infinity;
    for (const hit of this.drawn) {
      const distance = Math.hypot(hit.x - x, hit.y - y) - hit.radius;
      if (distance <= tolerance && distance < least) [nearest, least] = [hit, distance];
    }
    return nearest;
  }

  /** The markers in the window, each once. */
  visible() {
    const inside = this.drawn.filter((hit) => hit.x >= 0 && hit.x <= this.width && hit.y >= 0 && hit.y <= this.height);
    return [...new Map(inside.map((hit) => [hit.marker.id, hit])).values()];
  }
}
