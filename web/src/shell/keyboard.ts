// SPDX-License-Identifier: Apache-2.0
// Single keys, for people who keep their hands on the keyboard. They can be switched off (WCAG
// 2.1.4), and never act while something is being typed.
import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface KeyActions {
  goPage: (key: string) => boolean;
  help: () => void;
  neighbour: (step: 1 | -1) => void;
}

const kOffItem = 'varve.keys-off';
const listeners = new Set<() => void>();

export function keysAreOn(): boolean {
  return localStorage.getItem(kOffItem) === null;
}

export function setKeysOn(on: boolean): void {
  if (on) localStorage.removeItem(kOffItem);
  else localStorage.setItem(kOffItem, '1');
  for (const listener of listeners) listener();
}

export function useKeysOn(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, keysAreOn);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;
}

export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    let afterG = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !keysAreOn())
        return;
      const act = latest.current;
      if (Date.now() - afterG < 1200) {
        afterG = 0;
        if (act.goPage(event.key)) event.preventDefault();
        return;
      }
      if (event.key === 'g') afterG = Date.now();
      else if (event.key === '?') act.help();
      else if (event.key === '[') act.neighbour(-1);
      else if (event.key === ']') act.neighbour(1);
      else if (event.key === '/') {
        const field =
          document.querySelector<HTMLInputElement>('main [data-filter]') ??
          document.querySelector<HTMLInputElement>('#go-to-key');
        field?.focus();
        event.preventDefault();
      } else if (event.key === 'c') {
        const line = document.querySelector<HTMLElement>('main [data-cli]')?.dataset.cli;
        if (line) void navigator.clipboard.writeText(line);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

// What `[` and `]` mean on the page that is shown.
const kNeighbourEvent = 'varve:neighbour';

declare global {
  interface WindowEventMap {
    [kNeighbourEvent]: CustomEvent<1 | -1>;
  }
}

export function announceNeighbour(step: 1 | -1): void {
  window.dispatchEvent(new CustomEvent(kNeighbourEvent, { detail: step }));
}

export function useNeighbour(move: (step: 1 | -1) => void): void {
  const latest = useRef(move);
  useEffect(() => {
    latest.current = move;
  });
  useEffect(() => {
    const onMove = (event: CustomEvent<1 | -1>) => latest.current(event.detail);
    window.addEventListener(kNeighbourEvent, onMove);
    return () => window.removeEventListener(kNeighbourEvent, onMove);
  }, []);
}
