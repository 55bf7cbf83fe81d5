// SPDX-License-Identifier: Apache-2.0
// What the drawn timeline looks like: the strip of all time, its axis, and below them a row for each
// lane. An event that is wide enough is a box; a column that several share is pale, and as high as the
// part of it that they take. Counters are steps, filled up to their least, pale up to their greatest
// value of a column; flows are arrows over all of it. No picture has more of them than fit.
import type { Span } from '@/ui/span_hands';
import type { Events } from './events';
import { extremesOf, stepsOf, type Counter } from './counters';
import { flowsAt, flowsWithin } from './flows';
import { figureText, marksOf, type Mark } from './scale';
import { piecesOf, type Piece, type Track } from './track';

export const kStrip = 34;
const kAxis = 22;
export const kRow = 20;
const kGroup = 20; // The name of a group, above its first lane.
const kGap = 4;
export const kCounter = 38; // The row of a counter.
export const kArrowsMost = 500;
const kTickWidth = 110;
const kNameLeast = 46; // Pixels of a box that has room for its name.

export interface Layout {
  label: number; // Pixels left of the axis.
  heads: { y: number; group: string }[];
  tops: number[]; // Of each lane,
  counters: number[]; // and of each counter.
  height: number;
}

// Group by group: its lanes, and then its counters.
export function layoutOf(
  { tracks, counters }: Pick<Events, 'tracks' | 'counters'>,
  width: number,
): Layout {
  interface Rows {
    lanes: number[];
    counters: number[];
  }
  const groups = new Map<string, Rows>();
  const of = (group: string): Rows => {
    const known = groups.get(group) ?? { lanes: [], counters: [] };
    groups.set(group, known);
    return known;
  };
  tracks.forEach(({ group }, i) => of(group).lanes.push(i));
  counters.forEach(({ group }, i) => of(group).counters.push(i));
  const layout: Layout = {
    label: width < 600 ? 96 : 168,
    heads: [],
    tops: [],
    counters: [],
    height: 0,
  };
  let y = kStrip + kAxis;
  for (const [group, rows] of groups) {
    layout.heads.push({ y, group });
    y += kGroup;
    for (const lane of rows.lanes) {
      layout.tops[lane] = y;
      y += kRow;
    }
    for (const counter of rows.counters) {
      layout.counters[counter] = y;
      y += kCounter;
    }
  }
  layout.height = y + kGap;
  return layout;
}

export interface Scene {
  events: Events;
  found: Track[] | null; // Of what is searched for: the rest is pale.
  layout: Layout;
  shown: Span; // Of the axis.
  pixels: number;
  strip: Float64Array;
  selected: number | null;
  colors: Record<string, string>;
}

// The part of the axis that is shown, in its unit.
export function partOf({ from, to }: Pick<Events, 'from' | 'to'>, shown: Span): Span {
  return { from: from + shown.from * (to - from), to: from + shown.to * (to - from) };
}

export function drawTimeline(context: CanvasRenderingContext2D, scene: Scene): void {
  drawStrip(context, scene);
  const part = partOf(scene.events, scene.shown);
  drawAxis(context, scene, part);
  drawNames(context, scene);
  context.save();
  context.beginPath();
  context.rect(scene.layout.label, kStrip, scene.pixels, scene.layout.height);
  context.clip();
  scene.events.tracks.forEach((track, i) => drawLane(context, scene, track, i, part));
  scene.events.counters.forEach((counter, i) => drawCounter(context, scene, counter, i, part));
  drawFlows(context, scene, part);
  context.restore();
}

function drawStrip(context: CanvasRenderingContext2D, scene: Scene) {
  const { strip, shown, pixels, colors } = scene;
  const { label } = scene.layout;
  const most = strip.reduce((a, b) => Math.max(a, b), 1);
  context.fillStyle = colors['--panel-2']!;
  context.fillRect(label, 0, pixels, kStrip);
  context.fillStyle = colors['--kind-data']!;
  strip.forEach((value, i) => {
    if (value === 0) return;
    const tall = Math.max(2, (value / most) * (kStrip - 6));
    const wide = pixels / strip.length;
    context.fillRect(label + i * wide, kStrip - tall, Math.max(1, wide - 0.5), tall);
  });
  context.strokeStyle = colors['--fg']!;
  context.lineWidth = 1.5;
  const wide = Math.max(2, (shown.to - shown.from) * pixels);
  context.strokeRect(label + shown.from * pixels, 0.75, wide, kStrip - 1.5);
}

function drawAxis(context: CanvasRenderingContext2D, scene: Scene, { from, to }: Span) {
  const { colors, pixels, layout, events } = scene;
  const marks: Mark[] = marksOf(from, to, Math.floor(pixels / kTickWidth), events.clock);
  context.font = `11px ${colors['--mono'] ?? 'monospace'}`;
  context.textBaseline = 'middle';
  context.strokeStyle = colors['--line']!;
  context.lineWidth = 1;
  let free = 0;
  for (const { at, text } of marks) {
    const x = Math.round(layout.label + ((at - from) / (to - from)) * pixels) + 0.5;
    context.beginPath();
    context.moveTo(x, kStrip + 2);
    context.lineTo(x, layout.height);
    context.stroke();
    const wide = context.measureText(text).width;
    if (x + 4 < free || x + 4 + wide > layout.label + pixels) continue;
    free = x + 4 + wide + 10;
    context.fillStyle = colors['--muted']!;
    context.fillText(text, x + 4, kStrip + kAxis / 2);
  }
}

const kTail = 3; // Letters: of lanes, what they are told apart by: " L1", "(2)".

// As much of a text as has room, with its last letters if `withTail`.
function fitted(
  context: CanvasRenderingContext2D,
  text: string,
  room: number,
  withTail = false,
): string {
  const tail = withTail ? text.slice(-kTail) : '';
  if (context.measureText(text).width <= room) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…${tail}`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? `${text.slice(0, low)}…${tail}` : '';
}

function drawNames(context: CanvasRenderingContext2D, scene: Scene) {
  const { events, layout, pixels, colors, shown } = scene;
  const font = colors['--font'] ?? 'sans-serif';
  context.textBaseline = 'middle';
  context.font = `600 11.5px ${font}`;
  context.fillStyle = colors['--fg']!;
  for (const { y, group } of layout.heads)
    context.fillText(fitted(context, group, layout.label + pixels - 12), 6, y + kGroup / 2 + 1);
  context.font = `11.5px ${font}`;
  const row = (name: string, y: number, height: number, tall: number) => {
    context.fillStyle = colors['--muted']!;
    context.fillText(fitted(context, name, layout.label - 18, true), 12, y + height / 2);
    context.fillStyle = colors['--panel-2']!;
    context.globalAlpha = 0.6;
    context.fillRect(layout.label, y, pixels, tall);
    context.globalAlpha = 1;
  };
  events.tracks.forEach(({ name }, i) => row(name, layout.tops[i]!, kRow, kRow - 2));
  const part = partOf(events, shown);
  events.counters.forEach((counter, i) => {
    const top = layout.counters[i]!;
    row(counter.name, top, kCounter / 2, kCounter - 4);
    const known = extremesOf(counter, part.from, part.to);
    if (!known) return;
    context.fillStyle = colors['--muted']!;
    const text = `≤ ${figureText(known.greatest)}`;
    context.fillText(fitted(context, text, layout.label - 18), 12, top + kCounter * 0.68);
  });
}

const kPale = 0.25;

function drawLane(
  context: CanvasRenderingContext2D,
  scene: Scene,
  track: Track,
  lane: number,
  { from, to }: Span,
) {
  const { found, layout, pixels, colors, selected, events } = scene;
  const top = layout.tops[lane]!;
  const all = piecesOf(track, from, to, pixels);
  const drawn = found ? piecesOf(found[lane]!, from, to, pixels) : all;
  context.fillStyle = colors[track.color] || colors['--kind-data']!;
  const box = ({ x, width }: Pick<Piece, 'x' | 'width'>, share = 1) => {
    const tall = Math.max(2, (kRow - 4) * share);
    context.fillRect(layout.label + x, top + 1 + (kRow - 4 - tall), Math.max(1, width - 0.5), tall);
  };
  // Neighbours in one box: they are as pale as each other.
  const pale = (pieces: Piece[]) => {
    for (let i = 0; i < pieces.length;) {
      const { x } = pieces[i]!;
      let end = x;
      for (; i < pieces.length && pieces[i]!.x <= end; i += 1)
        end = pieces[i]!.x + pieces[i]!.width;
      box({ x, width: end - x });
    }
  };
  context.globalAlpha = found ? kPale / 2 : kPale;
  pale(found ? all : all.filter(({ count }) => count > 1));
  if (found) {
    context.globalAlpha = kPale;
    pale(drawn.filter(({ count }) => count > 1));
  }
  context.globalAlpha = 1;
  for (const piece of drawn) box(piece, piece.busy);
  context.font = `11px ${colors['--mono'] ?? 'monospace'}`;
  context.fillStyle = colors['--panel']!;
  for (const { x, width, first, count } of drawn) {
    if (count > 1 || width < kNameLeast) continue;
    const event = (found ? found[lane]! : track).event[first]!;
    const name = fitted(context, events.nameOf(event), width - 8);
    if (name) context.fillText(name, layout.label + x + 4, top + kRow / 2 - 0.5);
  }
  const place = selected === null ? -1 : track.event.indexOf(selected);
  if (place >= 0) {
    const x = ((track.from[place]! - from) / (to - from)) * pixels;
    const width = ((track.to[place]! - track.from[place]!) / (to - from)) * pixels;
    context.strokeStyle = colors['--fg']!;
    context.lineWidth = 2;
    context.strokeRect(layout.label + x - 1, top, Math.max(width, 2) + 2, kRow - 2);
  }
}

// From zero to the greatest value that is shown, or from the least one, if it is below zero.
function drawCounter(
  context: CanvasRenderingContext2D,
  { layout, pixels, colors }: Scene,
  counter: Counter,
  i: number,
  { from, to }: Span,
) {
  const known = extremesOf(counter, from, to);
  if (!known) return;
  const high = Math.max(0, known.greatest);
  const low = Math.min(0, known.least);
  const tall = kCounter - 6;
  const top = layout.counters[i]! + 1;
  // Halves first: the difference of two doubles may be none.
  const range = high / 2 - low / 2 || 1;
  const y = (value: number) =>
    top + tall * Math.min(1, Math.max(0, (high / 2 - value / 2) / range));
  const zero = y(0);
  const fill = (x: number, width: number, value: number) => {
    const at = y(value);
    const height = Math.max(1, Math.abs(zero - at));
    context.fillRect(layout.label + x, Math.min(at, zero, top + tall - height), width, height);
  };
  context.fillStyle = colors['--accent']!;
  for (const { x, width, least, greatest } of stepsOf(counter, from, to, pixels)) {
    const near = least > 0 ? least : greatest < 0 ? greatest : 0; // Of zero.
    if (least !== greatest) {
      context.globalAlpha = kPale;
      if (greatest > 0) fill(x, width, greatest);
      if (least < 0) fill(x, width, least);
    }
    context.globalAlpha = 0.55;
    fill(x, width, near);
  }
  context.globalAlpha = 1;
}

// Those of what is selected, and pale the others, if they are few enough to be told apart.
function drawFlows(context: CanvasRenderingContext2D, scene: Scene, { from, to }: Span) {
  const { events, layout, pixels, colors, selected } = scene;
  const { flows } = events;
  const x = (at: number) =>
    layout.label + Math.max(-1e6, Math.min(1e6, ((at - from) / (to - from)) * pixels));
  const arrow = (place: number) => {
    const [x0, x1] = [x(flows.at[place]!), x(flows.until[place]!)];
    const y0 = layout.tops[flows.fromLane[place]!]! + kRow / 2 - 1;
    const y1 = layout.tops[flows.toLane[place]!]! + kRow / 2 - 1;
    const bend = Math.max(12, Math.min(60, Math.abs(x1 - x0) / 2));
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    context.moveTo(x1 - 5, y1 - 3.5);
    context.lineTo(x1, y1);
    context.lineTo(x1 - 5, y1 + 3.5);
    context.stroke();
  };
  context.strokeStyle = colors['--fg']!;
  context.lineWidth = 1;
  context.globalAlpha = 0.35;
  flowsWithin(flows, from, to, kArrowsMost).places.forEach(arrow);
  context.globalAlpha = 1;
  context.lineWidth = 1.5;
  if (selected !== null) flowsAt(flows, selected, kArrowsMost).forEach(arrow);
}
