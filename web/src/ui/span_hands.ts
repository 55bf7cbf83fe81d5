// SPDX-License-Identifier: Apache-2.0
// Hands of a drawing with one axis: the wheel, a drag and keys move the part of it that is shown. On
// the strip at its top, which shows the whole axis, a drag chooses that part.
import {
  useCallback,
  useEffect,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react';

// A part of an axis that goes from 0 to 1.
export interface Span {
  from: number;
  to: number;
}

// As near to it as there is; never narrower than `least`.
export function clampSpan(from: number, to: number, least: number): Span {
  const width = Math.min(1, Math.max(least, to - from));
  const start = Math.min(1 - width, Math.max(0, from));
  return { from: start, to: start + width };
}

export function zoomed({ from, to }: Span, factor: number, centre: number, least: number): Span {
  const wide = Math.max(least / factor, to - from); // At the least, the centre stays where it is.
  const middle = from + (to - from) * centre;
  return clampSpan(middle - wide * factor * centre, middle + wide * factor * (1 - centre), least);
}

export interface Place {
  x: number; // Pixels from the left and the top of the canvas.
  y: number;
}

interface Hands {
  canvas: RefObject<HTMLCanvasElement | null>;
  shown: Span;
  onShown: (span: Span) => void;
  least: number;
  left: number; // Pixels before the axis,
  pixels: number; // of the axis,
  strip: number; // and how high the strip is.
  onHover: (at: Place | null) => void;
  onClick: (at: Place) => void;
  onKey?: (key: string) => boolean; // Of other keys: whether it meant anything.
}

const kPan = 0.1; // Of what is shown.
const kZoom = 0.7;

export function useSpanHands(hands: Hands) {
  const latest = useRef(hands);
  useEffect(() => {
    latest.current = hands;
  });
  const drag = useRef<{ x: number; span: Span; strip: boolean; moved: boolean } | null>(null);

  const zoom = useCallback((factor: number, centre = 0.5) => {
    const { shown, onShown, least } = latest.current;
    onShown(zoomed(shown, factor, centre, least));
  }, []);
  const pan = useCallback((by: number, span?: Span) => {
    const { shown, onShown, least } = latest.current;
    const { from, to } = span ?? shown;
    onShown(clampSpan(from + by * (to - from), to + by * (to - from), least));
  }, []);

  // React listens to wheels passively; what zooms must keep the page from scrolling.
  const { canvas } = hands;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const onWheel = (event: WheelEvent) => {
      const { left, pixels } = latest.current;
      const { deltaX, deltaY, shiftKey } = event;
      const zooms = event.ctrlKey || event.metaKey || event.altKey;
      const sideways = shiftKey && deltaX === 0 ? deltaY : deltaX;
      if (!zooms && !shiftKey && Math.abs(deltaX) < Math.abs(deltaY)) return;
      event.preventDefault();
      if (!zooms) return pan(sideways / pixels);
      const centre = Math.min(1, Math.max(0, (event.offsetX - left) / pixels));
      zoom(Math.exp(deltaY / 300), centre);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas, pan, zoom]);

  function placeOf(event: { clientX: number; clientY: number }): Place {
    const at = canvas.current!.getBoundingClientRect();
    return { x: event.clientX - at.left, y: event.clientY - at.top };
  }

  function onPointerDown(event: PointerEvent) {
    const { x, y } = placeOf(event);
    canvas.current!.setPointerCapture(event.pointerId);
    drag.current = { x, span: hands.shown, strip: y <= hands.strip, moved: false };
  }

  function onPointerMove(event: PointerEvent) {
    const at = placeOf(event);
    const from = drag.current;
    if (!from) return hands.onHover(at);
    if (Math.abs(at.x - from.x) < 4 && !from.moved) return undefined;
    from.moved = true;
    hands.onHover(null);
    if (!from.strip) return pan((from.x - at.x) / hands.pixels, from.span);
    const [a, b] = [from.x, at.x]
      .map((x) => Math.min(1, Math.max(0, (x - hands.left) / hands.pixels)))
      .sort((p, q) => p - q);
    return hands.onShown(clampSpan(a!, b!, hands.least));
  }

  function onPointerUp(event: PointerEvent) {
    const from = drag.current;
    drag.current = null;
    if (!from || from.moved) return;
    const at = placeOf(event);
    if (!from.strip) return hands.onClick(at);
    const wide = hands.shown.to - hands.shown.from;
    const middle = (at.x - hands.left) / hands.pixels;
    hands.onShown(clampSpan(middle - wide / 2, middle + wide / 2, hands.least));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === 'ArrowLeft' || key === 'a') pan(-kPan);
    else if (key === 'ArrowRight' || key === 'd') pan(kPan);
    else if (key === '+' || key === '=' || key === 'w') zoom(kZoom);
    else if (key === '-' || key === 's') zoom(1 / kZoom);
    else if (key === '0') hands.onShown({ from: 0, to: 1 });
    else if (!hands.onKey?.(key)) return;
    event.preventDefault();
  }

  return {
    zoom,
    placeOf,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerLeave: () => hands.onHover(null),
      // The browser has taken the gesture, to scroll.
      onPointerCancel: () => {
        drag.current = null;
      },
      onKeyDown,
    },
  };
}
