// SPDX-License-Identifier: Apache-2.0
// Going back shows what was in sight. An entry of the browser's history has a name, under which the
// places of what scrolls on its page are kept; a new entry knows none and begins at the top.
import { useEffect, useRef, type RefObject } from 'react';

const kPatience = 3000; // ms in which a page may still grow to the place that is wanted.

interface EntryState {
  entry: string;
}

const isEntryState = (state: unknown): state is EntryState =>
  typeof state === 'object' && state !== null && 'entry' in state;

let made = 0;
const places = new Map<string, number>();

// The name of the entry that is shown; it gets one if it has none.
export function entryName(): string {
  const state: unknown = history.state;
  if (isEntryState(state)) return state.entry;
  const entry = newEntry();
  history.replaceState(entry, '');
  return entry.entry;
}

export function newEntry(): EntryState {
  made += 1;
  return { entry: `${Date.now().toString(36)}-${made}` };
}

export function placeOf(entry: string, what: string): number {
  return places.get(`${entry} ${what}`) ?? 0;
}

export function keepPlace(entry: string, what: string, place: number): void {
  places.set(`${entry} ${what}`, place);
}

// Scrolls to `place` as soon as there is so much to scroll, unless the reader scrolls first. The
// function that it returns gives up.
function restore(element: HTMLElement, place: number): () => void {
  const until = Date.now() + kPatience;
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const kind of ['wheel', 'touchmove', 'keydown'] as const)
      element.removeEventListener(kind, stop);
  };
  const attempt = () => {
    element.scrollTop = place;
    if (Math.abs(element.scrollTop - place) < 2 || Date.now() > until) stop();
    else frame = requestAnimationFrame(attempt);
  };
  for (const kind of ['wheel', 'touchmove', 'keydown'] as const)
    element.addEventListener(kind, stop, { passive: true });
  attempt();
  return stop;
}

// Keeps where `of` is scrolled to. On a page that is gone back to, it is scrolled there once it is
// ready.
export function useScrollMemory(
  of: RefObject<HTMLElement | null>,
  what: string,
  isReady: boolean,
): void {
  useEffect(() => {
    const element = of.current;
    if (!element || !isReady) return undefined;
    const place = placeOf(entryName(), what);
    const stop = place > 0 ? restore(element, place) : () => undefined;
    const onScroll = () => keepPlace(entryName(), what, element.scrollTop);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      stop();
      element.removeEventListener('scroll', onScroll);
    };
  }, [of, what, isReady]);
}

// The same for what outlives its pages: `page` is the one that it shows. A page that is new in the
// history begins at its top, and gets the focus if what had it is gone.
export function usePageMemory(of: RefObject<HTMLElement | null>, page: string): void {
  useScrollMemory(of, 'page', true);
  const before = useRef(page);
  useEffect(() => {
    const element = of.current;
    if (!element || before.current === page) return undefined;
    before.current = page;
    if (document.activeElement === document.body) element.focus({ preventScroll: true });
    return restore(element, placeOf(entryName(), 'page'));
  }, [of, page]);
}
