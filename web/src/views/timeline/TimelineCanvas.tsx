// SPDX-License-Identifier: Apache-2.0
// The drawn timeline. What it shows is also in the tables below it.
import { Button } from '@mantine/core';
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react';
import { count, plural } from '@/lib/format';
import { useColors, useSize } from '@/ui/canvas';
import { useSpanHands, type Place, type Span } from '@/ui/span_hands';
import { valueAt, type Counter } from './counters';
import { drawTimeline, kCounter, kRow, kStrip, layoutOf, partOf, type Scene } from './draw';
import type { Events } from './events';
import { durationText, figureText, momentText, partText } from './scale';
import { density, kColumn, piecesOf, type Piece, type Track } from './track';

export interface TimelineHandle {
  show: (span: Span) => void;
}

interface TimelineCanvasProps {
  events: Events;
  found: Track[] | null;
  linked: Span; // What the link shows,
  onRest: (span: Span) => void; // and what it is to show once the picture has come to rest.
  selected: number | null;
  onSelect: (event: number) => void;
  handle: Ref<TimelineHandle>;
}

const kRest = 300; // ms

// The narrowest part of the axis: of an axis of time, ten microseconds.
export const leastOf = ({ from, to, clock }: Events) =>
  Math.min(1, (clock === 'edit' ? 2 : 10) / (to - from));

interface Hit {
  piece: Piece;
  track: Track;
  at: Place;
}

interface CounterHit {
  counter: Counter;
  time: number;
  at: Place;
}

export function TimelineCanvas(props: TimelineCanvasProps) {
  const { events, found, linked, onRest, selected, onSelect, handle } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(box);
  const colors = useColors();
  const [moving, setMoving] = useState<Span | null>(null);
  const [hover, setHover] = useState<Hit | CounterHit | null>(null);
  const shown = moving ?? linked;
  const layout = useMemo(() => layoutOf(events, width), [events, width]);
  const pixels = Math.max(50, width - layout.label - 6);
  const strip = useMemo(
    () => density(found ?? events.tracks, events.from, events.to, Math.floor(pixels / 3)),
    [events, found, pixels],
  );

  useImperativeHandle(handle, () => ({ show: setMoving }), []);
  useEffect(() => {
    if (!moving) return undefined;
    const timer = setTimeout(() => {
      onRest(moving);
      setMoving(null);
    }, kRest);
    return () => clearTimeout(timer);
  }, [moving, onRest]);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || width === 0) return;
    const scale = window.devicePixelRatio || 1;
    canvas.current!.width = width * scale;
    canvas.current!.height = layout.height * scale;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const scene: Scene = { events, found, layout, shown, pixels, strip, selected, colors };
    drawTimeline(context, scene);
  }, [width, events, found, layout, shown, pixels, strip, selected, colors]);

  function hit(at: Place | null): Hit | null {
    if (!at) return null;
    const lane = layout.tops.findIndex((top) => at.y >= top && at.y < top + kRow - 2);
    if (lane < 0) return null;
    const track = (found ?? events.tracks)[lane]!;
    const { from, to } = partOf(events, shown);
    const x = at.x - layout.label;
    // A little beside it will do.
    const piece = piecesOf(track, from, to, pixels).findLast(
      (one) => x >= one.x - kColumn && x <= one.x + one.width + kColumn,
    );
    return piece ? { piece, track, at } : null;
  }

  function counterAt(at: Place | null): CounterHit | null {
    if (!at || at.x < layout.label) return null;
    const i = layout.counters.findIndex((top) => at.y >= top && at.y < top + kCounter - 4);
    const counter = events.counters[i];
    const { from, to } = partOf(events, shown);
    return counter
      ? { counter, at, time: from + ((at.x - layout.label) / pixels) * (to - from) }
      : null;
  }

  const { zoom, handlers } = useSpanHands({
    canvas,
    shown,
    onShown: setMoving,
    least: leastOf(events),
    left: layout.label,
    pixels,
    strip: kStrip,
    onHover: (at) => setHover(hit(at) ?? counterAt(at)),
    onClick: (at) => {
      const on = hit(at);
      if (!on) return;
      if (on.piece.count > 1) zoom(0.2, (at.x - layout.label) / pixels);
      else onSelect(on.track.event[on.piece.first]!);
    },
  });
  const part = partOf(events, shown);
  return (
    <>
      <p className="toolbar">
        <span className="mono timeline-where">{partText(part.from, part.to, events.clock)}</span>
        <Button.Group>
          <Button size="compact-xs" variant="default" onClick={() => zoom(0.5)}>
            Zoom in
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => zoom(2)}>
            Zoom out
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            disabled={shown.from <= 0 && shown.to >= 1}
            onClick={() => setMoving({ from: 0, to: 1 })}
          >
            Whole
          </Button>
        </Button.Group>
      </p>
      <div className="map timeline-map" ref={box}>
        <canvas
          ref={canvas}
          style={{ height: layout.height }}
          tabIndex={0}
          role="application"
          aria-label={`timeline of ${count(events.count)} events in ${plural(events.tracks.length, 'lane')} and of ${plural(events.counters.length, 'counter')}; a and d or arrow keys pan, w and s or plus and minus zoom, 0 shows the whole, brackets choose an event. The tables below hold the same.`}
          {...handlers}
        />
        {hover &&
          ('piece' in hover ? (
            <Tip hover={hover} events={events} width={width} />
          ) : (
            <CounterTip hover={hover} events={events} width={width} />
          ))}
      </div>
    </>
  );
}

const leftOf = ({ x }: Place, width: number) =>
  Math.min(Math.max(0, x + 12), Math.max(0, width - 300));

interface CounterTipProps {
  hover: CounterHit;
  events: Events;
  width: number;
}

function CounterTip({ hover: { counter, time, at }, events, width }: CounterTipProps) {
  const value = valueAt(counter, time);
  return (
    <div className="map-tip" style={{ left: leftOf(at, width), top: at.y + 14 }}>
      <b>{counter.name}</b>: {value === null ? 'not known yet' : figureText(value)}
      <br />
      {momentText(time, events.clock)}
    </div>
  );
}

function Tip({ hover, events, width }: { hover: Hit; events: Events; width: number }) {
  const { piece, track, at } = hover;
  const { first } = piece;
  const left = leftOf(at, width);
  const [from, to] = [track.from[first]!, track.to[first]!];
  return (
    <div className="map-tip" style={{ left, top: at.y + 14 }}>
      {piece.count > 1 ? (
        <>
          <b>{count(piece.count)} events</b> begin here: a click zooms in
        </>
      ) : (
        <>
          <b>{events.nameOf(track.event[first]!)}</b>
          <br />
          {momentText(from, events.clock)}
          {to > from && events.clock !== 'edit' && ` · ${durationText(to - from)}`}
        </>
      )}
    </div>
  );
}
