// SPDX-License-Identifier: Apache-2.0
// What an LSM map looks like, line by line: from the strip of the whole key space down to the keys
// of the axis.
import type { FileSummary } from '@/api/openapi';
import type { Span } from '@/ui/span_hands';
import type { KeyAxis } from './axis';
import type { Box, Row } from './layout';
import { prefixOf, tickLabel, type Tick } from './ticks';

// What is in memory, of which nobody tells the keys: it may hold any.
export interface MemoryRow {
  label: string;
  text: string;
}

export const kLabel = 44; // Pixels left of the map for the names of levels.
export const kStrip = 34; // The strip with the whole key space.
export const kRow = 22;
export const kL0Row = 15;
const kGap = 10;
const kThinnest = 3; // So that a file of one key is seen.
const kAxis = 20; // Below the rows: the keys.

// A compaction at work: the files that it reads, and where on the axis its tables will lie.
export interface RunningSpan {
  inputs: ReadonlySet<string>;
  level: number;
  span: Span;
}

// Where each row begins, below those of memory; levels are set apart.
export function topsOf(rows: Row[], memory: number): number[] {
  const tops: number[] = [];
  let y = kStrip + kGap + (memory > 0 ? memory * kRow + kGap : 0);
  for (const [i, row] of rows.entries()) {
    if (i > 0 && rows[i - 1]!.level !== row.level) y += kGap;
    tops.push(y);
    y += row.level === 0 ? kL0Row : kRow;
  }
  return tops;
}

// Of the rows, and of all.
export function heightOf(tops: number[]): { bottom: number; height: number } {
  const bottom = (tops.at(-1) ?? kStrip) + kRow + 2;
  return { bottom, height: bottom + kAxis };
}

interface Frame {
  axis: KeyAxis;
  shown: Span;
  pixels: number;
  bottom: number;
  colors: Record<string, string>;
}

export interface Scene extends Frame {
  height: number;
  strip: Float64Array;
  rows: Row[];
  tops: number[];
  boxes: Box[][]; // Of each row.
  ticks: Tick[];
  memory: MemoryRow[];
  running: RunningSpan[];
  shade: (file: FileSummary) => number;
  selected: string | null;
  marked: number | null;
}

// From x = kLabel on, `pixels` wide.
export function drawMap(context: CanvasRenderingContext2D, scene: Scene): void {
  drawStrip(context, scene);
  drawRows(context, scene);
  drawAxis(context, scene.ticks, scene);
  drawMemory(context, scene);
  context.save();
  context.beginPath();
  context.rect(kLabel, kStrip, scene.pixels, scene.height);
  context.clip();
  drawFiles(context, scene);
  drawRunning(context, scene);
  context.restore();
  drawMark(context, scene);
}

function drawStrip(context: CanvasRenderingContext2D, { strip, shown, pixels, colors }: Scene) {
  const most = Math.max(1, ...strip);
  context.fillStyle = colors['--panel-2']!;
  context.fillRect(kLabel, 0, pixels, kStrip);
  context.fillStyle = colors['--kind-data']!;
  strip.forEach((value, i) => {
    const tall = (value / most) * (kStrip - 6);
    context.fillRect(
      kLabel + (i * pixels) / strip.length,
      kStrip - tall,
      pixels / strip.length - 0.5,
      tall,
    );
  });
  context.strokeStyle = colors['--fg']!;
  context.lineWidth = 1.5;
  context.strokeRect(
    kLabel + shown.from * pixels,
    0.75,
    Math.max(2, (shown.to - shown.from) * pixels),
    kStrip - 1.5,
  );
}

function drawRows(context: CanvasRenderingContext2D, { rows, tops, pixels, colors }: Scene) {
  context.font = `600 11.5px ${colors['--font'] ?? 'sans-serif'}`;
  context.textBaseline = 'middle';
  rows.forEach((row, i) => {
    const tall = tallOf(row);
    context.fillStyle = colors['--muted']!;
    context.fillText(row.label, 6, tops[i]! + tall / 2);
    context.fillStyle = colors['--panel-2']!;
    context.fillRect(kLabel, tops[i]!, pixels, tall - 2);
  });
}

function drawMemory(context: CanvasRenderingContext2D, { memory, pixels, colors }: Scene) {
  memory.forEach((row, i) => {
    const top = kStrip + kGap + i * kRow;
    context.fillStyle = colors['--muted']!;
    context.fillText(row.label, 6, top + kRow / 2 - 1);
    context.strokeStyle = colors['--muted']!;
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    context.fillStyle = colors['--panel']!;
    context.fillRect(kLabel, top, pixels, kRow - 4);
    context.strokeRect(kLabel + 0.5, top + 0.5, pixels - 1, kRow - 5);
    context.setLineDash([]);
    context.fillStyle = colors['--muted']!;
    context.fillText(row.text, kLabel + 8, top + kRow / 2 - 1);
  });
}

function drawFiles(context: CanvasRenderingContext2D, scene: Scene) {
  const { boxes, rows, tops, colors, shade, selected } = scene;
  boxes.forEach((members, i) => {
    const row = rows[i]!;
    const tall = tallOf(row) - 2;
    for (const member of members) {
      context.fillStyle = colors[`--level-${Math.min(6, row.level)}`]!;
      context.globalAlpha = shade(member.file);
      context.fillRect(kLabel + member.x, tops[i]!, Math.max(member.width, kThinnest), tall);
      context.globalAlpha = 1;
      if (member.file.id === selected) {
        context.strokeStyle = colors['--fg']!;
        context.lineWidth = 2;
        context.strokeRect(
          kLabel + member.x + 1,
          tops[i]! + 1,
          Math.max(member.width - 2, 2),
          tall - 2,
        );
      } else if (member.width > 58 && row.level > 0) {
        context.fillStyle = colors['--panel']!;
        context.font = `11px ${colors['--mono'] ?? 'monospace'}`;
        context.fillText(
          `#${member.file.id}`,
          kLabel + Math.max(0, member.x) + 5,
          tops[i]! + tall / 2 + 0.5,
        );
      }
    }
  });
}

// A frame around what is read, hatched; a frame where the result will be.
function drawRunning(context: CanvasRenderingContext2D, scene: Scene) {
  const { boxes, rows, tops, colors, running, shown, pixels } = scene;
  if (running.length === 0) return;
  context.save();
  context.strokeStyle = colors['--fg']!;
  context.lineWidth = 1.5;
  boxes.forEach((members, i) => {
    const tall = tallOf(rows[i]!) - 2;
    for (const { file, x, width } of members) {
      if (!running.some((one) => one.inputs.has(file.id))) continue;
      hatch(context, kLabel + x, tops[i]!, Math.max(width, kThinnest), tall);
    }
  });
  context.setLineDash([6, 3]);
  context.lineWidth = 2;
  const scale = pixels / (shown.to - shown.from);
  for (const { level, span } of running) {
    const row = rows.findLastIndex((one) => one.level === level);
    if (row < 0) continue;
    const x = kLabel + (span.from - shown.from) * scale;
    const wide = Math.max(kThinnest, (span.to - span.from) * scale);
    context.strokeRect(x, tops[row]! - 2, wide, tallOf(rows[row]!) + 2);
  }
  context.restore();
}

const tallOf = (row: Row) => (row.level === 0 ? kL0Row : kRow);

function hatch(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  wide: number,
  tall: number,
) {
  context.save();
  context.beginPath();
  context.rect(x, y, wide, tall);
  context.clip();
  context.strokeRect(x, y, wide, tall);
  for (let at = x - tall; at < x + wide; at += 7) {
    context.beginPath();
    context.moveTo(at, y + tall);
    context.lineTo(at + tall, y);
    context.stroke();
  }
  context.restore();
}

function drawMark(context: CanvasRenderingContext2D, scene: Scene) {
  const { marked, shown, pixels, bottom, colors } = scene;
  if (marked !== null && marked >= shown.from && marked <= shown.to) {
    const x = kLabel + ((marked - shown.from) / (shown.to - shown.from)) * pixels;
    context.strokeStyle = colors['--bad']!;
    context.lineWidth = 1.5;
    context.setLineDash([5, 3]);
    context.beginPath();
    context.moveTo(x, kStrip + 2);
    context.lineTo(x, bottom);
    context.stroke();
    context.setLineDash([]);
  }
}

// Keys at their places, as many as have room.
function drawAxis(context: CanvasRenderingContext2D, ticks: Tick[], frame: Frame) {
  const { axis, shown, pixels, bottom, colors } = frame;
  const prefix = prefixOf(axis, shown);
  context.save();
  context.font = `11px ${colors['--mono'] ?? 'monospace'}`;
  context.textBaseline = 'middle';
  context.strokeStyle = colors['--line']!;
  context.lineWidth = 1;
  let free = 0; // From where on nothing is written yet.
  for (const { place, hex } of ticks) {
    const at = kLabel + ((place - shown.from) / (shown.to - shown.from)) * pixels;
    const text = tickLabel(hex, prefix);
    const wide = context.measureText(text).width;
    const left = Math.min(Math.max(kLabel, at - wide / 2), kLabel + pixels - wide);
    if (left < free) continue;
    free = left + wide + 12;
    const x = Math.min(Math.round(at) + 0.5, kLabel + pixels - 0.5);
    context.beginPath();
    context.moveTo(x, kStrip + 2);
    context.lineTo(x, bottom + 4);
    context.stroke();
    context.fillStyle = colors['--muted']!;
    context.fillText(text, left, bottom + 12);
  }
  context.restore();
}
