// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { LayoutRange } from '@/api/openapi';
import { bytes, count, plural } from '@/lib/format';
import { useColors, useSize } from '@/ui/canvas';
import { mapBoxes, toneOf, totalsOf, type MapBox, type MapScale } from './bytemap';

const kHeight = 54;

interface ByteMapProps {
  ranges: LayoutRange[];
  scale: MapScale;
  selected: number | null; // An offset.
  onSelect: (range: LayoutRange) => void;
  onOpen: (range: LayoutRange) => void;
}

export function ByteMap({ ranges, scale, selected, onSelect, onOpen }: ByteMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(box);
  const colors = useColors();
  const [hover, setHover] = useState<MapBox | null>(null);
  const boxes = useMemo(() => mapBoxes(ranges, scale, Math.max(width, 50)), [ranges, scale, width]);
  const totals = useMemo(() => totalsOf(ranges), [ranges]);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || width === 0) return;
    const dots = window.devicePixelRatio || 1;
    canvas.current!.width = width * dots;
    canvas.current!.height = kHeight * dots;
    context.setTransform(dots, 0, 0, dots, 0, 0);
    context.fillStyle = colors['--panel-2']!;
    context.fillRect(0, 0, width, kHeight);
    for (const part of boxes) {
      const tone = toneOf(part.range.kind);
      context.fillStyle = tone === 'bad' ? colors['--bad']! : colors[`--kind-${tone}`]!;
      context.fillRect(
        part.x,
        0,
        Math.max(0.6, part.width > 4 ? part.width - 1 : part.width),
        kHeight,
      );
      if (tone === 'bad') hatch(context, part, colors['--panel']!);
      if (part.range.o === selected) {
        context.strokeStyle = colors['--fg']!;
        context.lineWidth = 3;
        context.strokeRect(part.x + 1, 1.5, Math.max(2, part.width - 2), kHeight - 3);
      }
    }
  }, [boxes, width, colors, selected]);

  const at = (event: PointerEvent | React.MouseEvent) => {
    const x = event.clientX - canvas.current!.getBoundingClientRect().left;
    return boxes.findLast((part) => part.x <= x) ?? null;
  };
  function onKeyDown(event: KeyboardEvent) {
    const now = ranges.findIndex((range) => range.o === selected);
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const next =
        ranges[
          Math.max(0, Math.min(ranges.length - 1, now + (event.key === 'ArrowRight' ? 1 : -1)))
        ];
      if (next) onSelect(next);
    } else if (event.key === 'Enter' && ranges[now]) onOpen(ranges[now]);
    else return;
    event.preventDefault();
  }
  return (
    <div className="map" ref={box}>
      <canvas
        ref={canvas}
        style={{ height: kHeight }}
        tabIndex={0}
        role="application"
        aria-label={`byte map of ${plural(ranges.length, 'part')}; arrow keys choose, Enter opens. The table of blocks holds the same.`}
        onPointerMove={(event) => setHover(at(event))}
        onPointerLeave={() => setHover(null)}
        onClick={(event) => {
          const part = at(event);
          if (part) onSelect(part.range);
        }}
        onDoubleClick={(event) => {
          const part = at(event);
          if (part) onOpen(part.range);
        }}
        onKeyDown={onKeyDown}
      />
      {hover && (
        <div
          className="map-tip"
          style={{ left: Math.min(hover.x, Math.max(0, width - 220)), top: kHeight + 6 }}
        >
          <b>{hover.range.kind.replaceAll('_', ' ')}</b> @{count(hover.range.o)} +
          {count(hover.range.n)}
          {hover.count > 1 ? ` and ${hover.count - 1} more` : ''}
        </div>
      )}
      <ul className="legend">
        {totals.map((total) => (
          <li key={total.kind}>
            <span className={`swatch tone-${toneOf(total.kind)}`} aria-hidden="true" />
            {plural(
              total.count,
              total.kind.replaceAll('_', ' '),
              total.kind.replaceAll('_', ' '),
            )}{' '}
            <b>{bytes(total.bytes)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function hatch(context: CanvasRenderingContext2D, part: MapBox, color: string) {
  context.save();
  context.beginPath();
  context.rect(part.x, 0, part.width, kHeight);
  context.clip();
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  for (let x = part.x - kHeight; x < part.x + part.width; x += 6) {
    context.beginPath();
    context.moveTo(x, kHeight);
    context.lineTo(x + kHeight, 0);
    context.stroke();
  }
  context.restore();
}
