// SPDX-License-Identifier: Apache-2.0
// What drawing on a canvas needs from the page: its width and the theme's colours.
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useState, type RefObject } from 'react';

export function useSize(of: RefObject<HTMLElement | null>): { width: number } {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = of.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry!.contentRect.width)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return { width };
}

const kNames = [
  '--fg',
  '--muted',
  '--panel',
  '--panel-2',
  '--line',
  '--accent',
  '--bad',
  '--warn',
  '--ok',
  '--font',
  '--mono',
  '--kind-data',
  '--kind-index',
  '--kind-filter',
  '--kind-meta',
  '--kind-trailer',
  '--kind-footer',
  ...Array.from({ length: 7 }, (_, i) => `--level-${i}`),
];

function readColors(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(kNames.map((name) => [name, style.getPropertyValue(name).trim()]));
}

// Read anew when the theme changes.
export function useColors(): Record<string, string> {
  const scheme = useComputedColorScheme('light');
  const [colors, setColors] = useState(readColors);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setColors(readColors()));
    return () => cancelAnimationFrame(frame);
  }, [scheme]);
  return colors;
}
