// SPDX-License-Identifier: Apache-2.0
// The map itself: drawn on a canvas, moved by pointer, wheel and keys. What it shows is also in the
// table beside it, and what is under the pointer or selected is said in words.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FileSummary } from '@/api/openapi';
import { decode, shorten } from '@/lib/bytes';
import { bytes, count } from '@/lib/format';
import { useColors, useSize } from '@/ui/canvas';
import { clampSpan, useSpanHands, type Span } from '@/ui/span_hands';
import type { KeyAxis } from './axis';
import { boxesOf, density, rowsOf, type Box } from './layout';
import {
  drawMap,
  heightOf,
  kLabel,
  kL0Row,
  kRow,
  kStrip,
  topsOf,
  type MemoryRow,
  type RunningSpan,
} from './draw';
import { ticksOf } from './ticks';

export const kColourings = ['level', 'size', 'age', 'overlap'] as const;
export type Colouring = (typeof kColourings)[number];

interface LsmCanvasProps {
  files: FileSummary[];
  axis: KeyAxis;
  shown: Span;
  onShown: (span: Span) => void;
  colouring: Colouring;
  marked: number | null; // Place of the looked-up key.
  selected: string | null;
  onSelect: (file: FileSummary) => void;
  onOpen: (file: FileSummary) => void;
  memory?: MemoryRow[]; // Above the levels.
  running?: RunningSpan[]; // Compactions at work.
}

const kTickWidth = 120;
const kLeast = 1e-6; // Of the axis.

export const partOf = (from: number, to: number): Span => clampSpan(from, to, kLeast);

const kNoMemory: MemoryRow[] = [];
const kNoneRunning: RunningSpan[] = [];

export function LsmCanvas(props: LsmCanvasProps) {
  const { files, axis, shown, onShown, colouring, marked, selected, onSelect, onOpen } = props;
  const memory = props.memory ?? kNoMemory;
  const running = props.running ?? kNoneRunning;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(box);
  const colors = useColors();
  const [hover, setHover] = useState<{ box: Box; x: number; y: number } | null>(null);

  const rows = useMemo(
    () => rowsOf(files, axis, new Set(running.map((one) => one.level))),
    [files, axis, running],
  );
  const tops = useMemo(() => topsOf(rows, memory.length), [rows, memory.length]);
  const { bottom, height } = heightOf(tops);
  const pixels = Math.max(50, width - kLabel - 8);
  const boxes = useMemo(
    () => rows.map((row, i) => boxesOf(row, i, axis, shown, pixels)),
    [rows, axis, shown, pixels],
  );
  const ticks = useMemo(
    () => ticksOf(axis, shown, Math.max(1, Math.floor(pixels / kTickWidth))),
    [axis, shown, pixels],
  );
  const strip = useMemo(() => density(files, axis, 200), [files, axis]);
  const shade = useMemo(() => shader(files, colouring), [files, colouring]);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || width === 0) return;
    const scale = window.devicePixelRatio || 1;
    canvas.current!.width = width * scale;
    canvas.current!.height = height * scale;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    drawMap(context, {
      axis,
      shown,
      pixels,
      bottom,
      height,
      colors,
      strip,
      rows,
      tops,
      boxes,
      ticks,
      memory,
      running,
      shade,
      selected,
      marked,
    });
  }, [
    width,
    height,
    bottom,
    boxes,
    rows,
    memory,
    running,
    tops,
    ticks,
    axis,
    shown,
    strip,
    colors,
    pixels,
    marked,
    selected,
    shade,
  ]);

  const hit = useCallback(
    (x: number, y: number): Box | null => {
      const i = tops.findIndex(
        (top, row) => y >= top && y < top + (rows[row]!.level === 0 ? kL0Row : kRow) - 1,
      );
      if (i < 0) return null;
      return (
        boxes[i]!.findLast(
          (member) => x - kLabel >= member.x - 1 && x - kLabel <= member.x + member.width + 1,
        ) ?? null
      );
    },
    [boxes, rows, tops],
  );

  const { zoom, placeOf, handlers } = useSpanHands({
    canvas,
    shown,
    onShown,
    least: kLeast,
    left: kLabel,
    pixels,
    strip: kStrip,
    onHover: (at) => {
      const found = at && hit(at.x, at.y);
      setHover(at && found ? { box: found, ...at } : null);
    },
    onClick: ({ x, y }) => {
      const found = hit(x, y);
      if (found && found.count > 1 && found.file.id === selected) zoom(0.2, (x - kLabel) / pixels);
      else if (found) onSelect(found.file);
    },
    onKey: (key) => {
      const file = key === 'Enter' && files.find((f) => f.id === selected);
      if (file) onOpen(file);
      return key === 'Enter';
    },
  });

  return (
    <div className="map" ref={box}>
      <canvas
        ref={canvas}
        style={{ height }}
        tabIndex={0}
        role="application"
        aria-label={`LSM map of ${files.length} files; arrow keys pan, plus and minus zoom, brackets choose a file, Enter opens it. The table holds the same.`}
        {...handlers}
        onDoubleClick={(event) => {
          const { x, y } = placeOf(event);
          const found = hit(x, y);
          if (found) onOpen(found.file);
        }}
      />
      {hover && <Tip hover={hover} width={width} />}
    </div>
  );
}

function Tip({ hover, width }: { hover: { box: Box; x: number; y: number }; width: number }) {
  const { file, count: files, bytes: size } = hover.box;
  const left = Math.min(Math.max(0, hover.x + 12), Math.max(0, width - 300));
  return (
    <div className="map-tip" style={{ left, top: hover.y + 14 }}>
      {files > 1 ? (
        <b>
          {count(files)} files, {bytes(size)}: zoom in
        </b>
      ) : (
        <>
          <b>{file.name}</b> · L{file.level} · {bytes(file.size)}
          <br />
          <span className="mono">
            {shorten(decode(file.smallest.key), 36)} … {shorten(decode(file.largest.key), 36)}
          </span>
          <br />
          sequences {file.smallest_seq}–{file.largest_seq}
        </>
      )}
    </div>
  );
}

// How strongly a file is coloured, by what the map is asked to show.
function shader(files: FileSummary[], colouring: Colouring): (file: FileSummary) => number {
  if (colouring === 'level') return () => 0.9;
  const value = (file: FileSummary) =>
    colouring === 'size'
      ? file.size
      : colouring === 'age'
        ? Number(file.added_by_edit)
        : (file.overlap?.bytes ?? 0) / Math.max(1, file.size);
  let low = Infinity;
  let high = -Infinity;
  for (const file of files) {
    low = Math.min(low, value(file));
    high = Math.max(high, value(file));
  }
  return (file) => (high > low ? 0.25 + (0.75 * (value(file) - low)) / (high - low) : 0.9);
}
