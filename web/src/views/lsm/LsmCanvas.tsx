// SPDX-License-Identifier: Apache-2.0
// The map itself: drawn on a canvas, moved by pointer, wheel and keys. What it shows is also in the
// table beside it, and what is under the pointer or selected is said in words.
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import type { FileSummary } from '@/api/openapi';
import { decode, shorten } from '@/lib/bytes';
import { bytes, count } from '@/lib/format';
import { useColors, useSize } from '@/ui/canvas';
import type { KeyAxis, Span } from './axis';
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
const kMinimum = 1e-6; // The narrowest part of the axis that can be shown.

export function clampSpan(from: number, to: number): Span {
  const width = Math.min(1, Math.max(kMinimum, to - from));
  const start = Math.min(1 - width, Math.max(0, from));
  return { from: start, to: start + width };
}

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
  const drag = useRef<{ x: number; span: Span; strip: boolean; moved: boolean } | null>(null);

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

  const zoom = useCallback(
    (factor: number, centre = 0.5) => {
      const wide = shown.to - shown.from;
      const middle = shown.from + wide * centre;
      onShown(clampSpan(middle - wide * factor * centre, middle + wide * factor * (1 - centre)));
    },
    [shown, onShown],
  );

  // React listens to wheels passively; a map that zooms must keep the page from scrolling.
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (
        !event.ctrlKey &&
        !event.metaKey &&
        Math.abs(event.deltaX) < Math.abs(event.deltaY) &&
        !event.altKey
      )
        return;
      event.preventDefault();
      const centre = Math.min(1, Math.max(0, (event.offsetX - kLabel) / pixels));
      if (event.ctrlKey || event.metaKey || event.altKey)
        zoom(Math.exp(event.deltaY / 300), centre);
      else {
        const by = (event.deltaX / pixels) * (shown.to - shown.from);
        onShown(clampSpan(shown.from + by, shown.to + by));
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [zoom, pixels, shown, onShown]);

  function placeOf(event: PointerEvent): { x: number; y: number } {
    const at = canvas.current!.getBoundingClientRect();
    return { x: event.clientX - at.left, y: event.clientY - at.top };
  }

  function onPointerDown(event: PointerEvent) {
    const { x, y } = placeOf(event);
    canvas.current!.setPointerCapture(event.pointerId);
    drag.current = { x, span: shown, strip: y <= kStrip, moved: false };
  }

  function onPointerMove(event: PointerEvent) {
    const { x, y } = placeOf(event);
    const from = drag.current;
    if (!from) {
      const found = hit(x, y);
      setHover(found ? { box: found, x, y } : null);
      return;
    }
    if (Math.abs(x - from.x) < 4 && !from.moved) return;
    from.moved = true;
    setHover(null);
    if (from.strip) {
      const [a, b] = [from.x, x]
        .map((at) => Math.min(1, Math.max(0, (at - kLabel) / pixels)))
        .sort((p, q) => p - q);
      onShown(clampSpan(a!, b!));
    } else {
      const by = ((from.x - x) / pixels) * (from.span.to - from.span.from);
      onShown(clampSpan(from.span.from + by, from.span.to + by));
    }
  }

  function onPointerUp(event: PointerEvent) {
    const from = drag.current;
    drag.current = null;
    if (!from || from.moved) return;
    const { x, y } = placeOf(event);
    if (from.strip) {
      const wide = shown.to - shown.from;
      const at = (x - kLabel) / pixels;
      onShown(clampSpan(at - wide / 2, at + wide / 2));
      return;
    }
    const found = hit(x, y);
    if (found && found.count > 1 && found.file.id === selected) zoom(0.2, (x - kLabel) / pixels);
    else if (found) onSelect(found.file);
  }

  function onKeyDown(event: KeyboardEvent) {
    const wide = shown.to - shown.from;
    const pan = (by: number) => onShown(clampSpan(shown.from + by * wide, shown.to + by * wide));
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowLeft':
        pan(-0.1);
        break;
      case 'ArrowRight':
        pan(0.1);
        break;
      case '+':
      case '=':
        zoom(0.7);
        break;
      case '-':
        zoom(1.4);
        break;
      case '0':
        onShown({ from: 0, to: 1 });
        break;
      case 'Enter': {
        const file = files.find((f) => f.id === selected);
        if (file) onOpen(file);
        break;
      }
      default:
        return;
    }
    event.preventDefault();
  }

  return (
    <div className="map" ref={box}>
      <canvas
        ref={canvas}
        style={{ height }}
        tabIndex={0}
        role="application"
        aria-label={`LSM map of ${files.length} files; arrow keys pan, plus and minus zoom, brackets choose a file, Enter opens it. The table holds the same.`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerLeave={() => setHover(null)}
        onDoubleClick={(event) => {
          const at = canvas.current!.getBoundingClientRect();
          const found = hit(event.clientX - at.left, event.clientY - at.top);
          if (found) onOpen(found.file);
        }}
        onKeyDown={onKeyDown}
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
