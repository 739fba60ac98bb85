// The markers that are shown, how they come and go, and the canvas they are drawn on.

const transitionMilliseconds = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 320;
const fadeMilliseconds = transitionMilliseconds / 2;
/** So many markers may move; more come and go at once. */
const liveliest = 5000;
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
    this.screen = { left: 0, top: 0, size: 256, from: 0, to: 1 };
    /** The world coordinate at which a world that is shown whole begins. */
    this.seam = 0;
    this.hasBasemap = false;
    this.labels = [];
    this.shift = { x: 0, y: 0 };
    this.shownAt = 0;
    this.picture = null;
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
    this.shownAt = now;
    if (earlier !== null && level !== earlier && list.length <= liveliest) this.move(before, markers, level > earlier, now);
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
      if (few.has(id) || (budget -= clusters.length) < 0) continue;
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
    this.picture = null;
  }

  /** The world coordinates between which the map is shown: one world where a window has room for it, else no limits. */
  worldAround(x, size) {
    if (size > innerWidth) return { from: -Infinity, to: Infinity };
    const from = this.seam + Math.round(x - this.seam - 0.5);
    return { from, to: from + 1 };
  }

  /**
   * Draws one frame.
   * @param view the pixels of a world's width, and the world coordinates of the middle of the window
   * @param panels the rectangles of the window that the page covers
   * @param foot the height of the page's lower edge that is covered
   * @returns whether something still moves
   */
  draw(view, theme, now, tiles, panels, foot) {
    const { context, width, height } = this;
    const left = view.x - width / 2 / view.size, top = view.y - height / 2 / view.size;
    const screen = { left, top, size: view.size, ...this.worldAround(view.x, view.size) };
    this.screen = screen;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const labels = this.drawBackdrop(screen, theme, tiles, foot);

    const isMoving = this.isMoving(now), isScaling = view.size !== this.size;
    this.size = view.size;
    if (isMoving || (isScaling && this.markers.size <= liveliest)) {
      this.drawMarkers(context, this.screen, width, height, theme, now);
    } else {
      this.drawPicture(theme, now, isScaling);
    }
    this.drawLabels(labels, theme, panels);
    this.drawChosen(theme);
    return isMoving;
  }

  /** Draws what is behind the markers, and gives the labels of its lines. */
  drawBackdrop(screen, theme, tiles, foot) {
    const { context, width, height } = this, { left, top, size, from, to } = screen;
    const west = Math.max((from - left) * size, 0), east = Math.min((to - left) * size, width);
    const north = Math.max(-top * size, 0), south = Math.min((1 - top) * size, height);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, width, height);
    context.save();
    context.beginPath();
    context.rect(west, north, east - west, south - north);
    context.clip();
    let labels = [];
    if (this.hasBasemap) {
      context.clearRect(west, north, east - west, south - north);
    } else {
      context.fillStyle = theme.sea;
      context.fillRect(west, north, east - west, south - north);
      this.geography ??= new Geography();
      this.geography.drawLand(context, screen, width, theme);
      labels = drawGraticule(context, screen, width, height, foot, theme);
    }
    if (this.showsTiles) drawTiles(context, screen, tiles, theme);
    context.restore();
    return labels;
  }

  /** Labels are on top of the markers, and only where there are none: no label is under a marker, and none hides one. */
  drawLabels(labels, theme, panels) {
    const { context, width, height } = this, space = new LabelSpace(width, height);
    if (!this.hasBasemap) {
      for (const { left, top, width, height } of panels) space.take(left, top, width, height);
      for (const { x, y, radius } of this.drawn) space.take(x + this.shift.x - radius, y + this.shift.y - radius, 2 * radius, 2 * radius);
      drawGraticuleLabels(context, labels, theme, space);
      if (!this.showsTiles) this.geography.drawCities(context, this.screen, width, height, theme, space);
    }
    this.labels = space.labels;
  }

  isMoving(now) {
    this.leaving = this.leaving.filter((marker) => now - marker.motion.start < transitionMilliseconds);
    if (now - this.shownAt >= transitionMilliseconds) return false;
    return this.markers.size <= liveliest;
  }

  /**
   * Draws markers that stand still: from a picture of them that is larger than the window, so that moving the map is quick
   * whatever their number. While the scale changes, the picture does too, and is blurred for a moment.
   */
  drawPicture(theme, now, isScaling) {
    const margin = 240, { left, top, size, from, to } = this.screen;
    let { picture } = this;
    const shift = (from, to) => (from - to) * size;
    const isCurrent = picture?.drawn === this.drawn && picture.theme === theme && picture.markers === this.markers && picture.from === this.screen.from;
    const isNear = isCurrent && picture.size === size
      && Math.abs(shift(picture.left, left) + margin) <= margin && Math.abs(shift(picture.top, top) + margin) <= margin;
    if (!isNear && !(isCurrent && isScaling)) {
      const canvas = picture?.canvas ?? document.createElement("canvas");
      const [width, height] = [this.width + 2 * margin, this.height + 2 * margin];
      [canvas.width, canvas.height] = [Math.ceil(width * this.ratio), Math.ceil(height * this.ratio)];
      picture = { canvas, size, theme, markers: this.markers, left: left - margin / size, top: top - margin / size, from, to };
      const context = canvas.getContext("2d");
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      this.leaving = [];
      this.drawMarkers(context, picture, width, height, theme, now);
      this.picture = Object.assign(picture, { drawn: this.drawn });
    }
    const scale = size / picture.size / this.ratio;
    this.shift = { x: shift(picture.left, left), y: shift(picture.top, top) };
    this.context.drawImage(picture.canvas, this.shift.x, this.shift.y, picture.canvas.width * scale, picture.canvas.height * scale);
  }

  /**
   * Draws all markers, those that leave first.
   * @param area the world coordinates of its upper left corner, its scale, and the world coordinates it is shown between
   */
  drawMarkers(context, area, width, height, theme, now) {
    this.drawn = [];
    this.shift = { x: 0, y: 0 };
    const still = now - this.shownAt >= transitionMilliseconds || this.markers.size > liveliest;
    const taken = this.markers.size > liveliest ? new Set() : null;
    for (const marker of this.leaving) {
      this.drawMarker(context, area, width, height, marker, theme, now, 1 - (now - marker.motion.start) / transitionMilliseconds, null, null);
    }
    for (const marker of this.markers.values()) {
      if (still) [marker.motion, marker.appeared] = [null, 0];
      const alpha = marker.motion ? 1 : Math.min(Math.max((now - marker.appeared) / (fadeMilliseconds || 1), 0), 1);
      this.drawMarker(context, area, width, height, marker, theme, now, alpha, this.drawn, taken);
    }
  }

  /**
   * @param drawn where to note what can be hit
   * @param taken the places that have a point; others there would not be seen
   */
  drawMarker(context, area, width, height, marker, theme, now, alpha, drawn, taken) {
    const sprite = this.painter.sprite(marker, this.distance(this.level), theme, this.ratio, this.markers.size > liveliest);
    let { x, y } = marker;
    if (marker.motion) {
      const t = eased(Math.min((now - marker.motion.start) / (transitionMilliseconds || 1), 1));
      const share = marker.motion.isOut ? t : 1 - t;
      x += marker.motion.x * share;
      y += marker.motion.y * share;
    }
    const screenY = (y - area.top) * area.size;
    if (screenY < -sprite.half || screenY > height + sprite.half) return;
    // The world repeats to the east and the west, unless it is shown whole.
    const margin = sprite.half / area.size;
    const first = Math.ceil(Math.max(area.left - margin, area.from) - x);
    const last = Math.min(Math.floor(area.left + width / area.size + margin - x), Math.ceil(area.to - x) - 1);
    context.globalAlpha = alpha;
    for (let copy = first; copy <= last; copy++) {
      const screenX = (x + copy - area.left) * area.size;
      if (drawn) drawn.push({ marker, x: screenX, y: screenY, radius: sprite.radius });
      if (taken && !marker.isCluster) {
        const place = (Math.round(screenX / 2) << 13) + Math.round(screenY / 2);
        if (taken.has(place)) continue;
        taken.add(place);
      }
      context.drawImage(sprite.canvas, screenX - sprite.half, screenY - sprite.half, 2 * sprite.half, 2 * sprite.half);
    }
    context.globalAlpha = 1;
  }

  /** The marker under the pointer with the box of its members, and the one that the keyboard has chosen. */
  drawChosen(theme) {
    const { context } = this;
    for (const [chosen, isStrong] of [[this.hovered, false], [this.chosen, true]]) {
      const hits = chosen ? this.drawn.filter((hit) => hit.marker.id === chosen.id) : [];
      for (const hit of hits.map((hit) => this.shifted(hit))) {
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

  shifted(hit) { return { ...hit, x: hit.x + this.shift.x, y: hit.y + this.shift.y }; }

  /** What is drawn at a place of the window, or nearest to it within some pixels. */
  hit(x, y, tolerance) {
    let nearest = null, least = Infinity;
    for (const hit of this.drawn) {
      const distance = Math.hypot(hit.x + this.shift.x - x, hit.y + this.shift.y - y) - hit.radius;
      if (distance <= tolerance && distance < least) [nearest, least] = [hit, distance];
    }
    return nearest && this.shifted(nearest);
  }

  /** The markers in the window, each once. */
  visible() {
    const found = new Map(), { width, height, shift } = this;
    for (const hit of this.drawn) {
      const x = hit.x + shift.x, y = hit.y + shift.y;
      if (x >= 0 && x <= width && y >= 0 && y <= height) found.set(hit.marker.id, { ...hit, x, y });
    }
    return [...found.values()];
  }
}
