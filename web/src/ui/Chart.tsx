// SPDX-License-Identifier: Apache-2.0
// A uPlot chart in the theme's colours, as wide as its place.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { bytes } from '@/lib/format';
import { useColors, useSize } from './canvas';

// Edits and counts are whole: so are their ticks.
const kWholeSteps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7, 1e8,
];

const kByteSteps = Array.from({ length: 50 }, (_, i) => 2 ** i);

export interface Series {
  label: string;
  color: string; // A token: "--level-0".
  bars?: boolean;
  scale?: string;
  value?: (n: number) => string;
}

export type ChartData = uPlot.AlignedData; // Columns; that of the x axis first.

interface ChartProps {
  label: string;
  data: ChartData;
  series: Series[];
  height?: number;
  xLabel?: string;
  time?: boolean;
  logX?: boolean;
  logY?: boolean;
  xValue?: (n: number) => string;
  yValue?: (n: number) => string;
  onPick?: (index: number) => void;
  legend?: boolean; // Figures below; on unless they are elsewhere.
}

// Hours, minutes and seconds in UTC, as times are everywhere.
const clock = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString().slice(11, 19);

export function Chart({
  label,
  data,
  series,
  height = 200,
  xLabel,
  time,
  logX,
  logY,
  xValue,
  yValue,
  onPick,
  legend = true,
}: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(null);
  const latest = useRef(data);
  const { width } = useSize(box);
  const colors = useColors();
  // Newer figures of the same chart: it stays, and the pointer's place on it.
  useEffect(() => {
    if (latest.current === data) return;
    latest.current = data;
    drawn.current?.setData(data);
  }, [data]);
  useEffect(() => {
    if (!box.current || width < 50) return;
    const stroke = (token: string) => colors[token] ?? '#888';
    const show = (f?: (n: number) => string) => (_: uPlot, n: number | null) =>
      n === null ? '–' : f ? f(n) : String(n);
    const withBars = !time && !logX && series.some((line) => line.bars);
    const axis: uPlot.Axis = {
      stroke: stroke('--muted'),
      grid: { stroke: stroke('--line'), width: 0.5 },
      ticks: { stroke: stroke('--line'), width: 0.5 },
    };
    const ticks = (f?: (n: number) => string) =>
      f ? { values: (_: uPlot, all: number[]) => all.map((n) => (n === null ? '' : f(n))) } : {};
    const plot = new uPlot(
      {
        width,
        height,
        legend: { show: legend },
        cursor: { drag: { x: true, y: false } },
        scales: {
          x: {
            time: time ?? false,
            ...(logX ? { distr: 3 } : {}),
            ...(withBars ? { range: (_, from, to) => [from - 0.6, to + 0.6] } : {}),
          },
          ...(logY ? { y: { distr: 3 as const } } : {}),
        },
        axes: [
          {
            ...axis,
            ...(time || logX ? {} : { incrs: kWholeSteps }),
            ...(xLabel ? { label: xLabel, labelSize: 18, labelFont: '12px system-ui' } : {}),
            ...ticks(xValue ?? (time ? clock : undefined)),
          },
          {
            ...axis,
            size: 76,
            ...(yValue === bytes ? { incrs: kByteSteps } : {}),
            ...ticks(yValue),
          },
        ],
        series: [
          { label: xLabel ?? 'x', value: show(xValue) },
          ...series.map((line) => ({
            label: line.label,
            stroke: stroke(line.color),
            width: 1.5,
            value: show(line.value ?? yValue),
            points: { show: false },
            ...(line.bars
              ? {
                  fill: stroke(line.color),
                  width: 0,
                  paths: uPlot.paths.bars!({ size: [0.85, 40] }),
                }
              : {}),
          })),
        ],
        hooks: onPick
          ? {
              ready: [
                (u) =>
                  u.over.addEventListener(
                    'click',
                    () => u.cursor.idx != null && onPick(u.cursor.idx),
                  ),
              ],
            }
          : {},
      },
      latest.current,
      box.current,
    );
    drawn.current = plot;
    return () => {
      drawn.current = null;
      plot.destroy();
    };
  }, [width, colors, series, height, xLabel, time, logX, logY, xValue, yValue, onPick, legend]);
  return (
    <div ref={box} role="img" aria-label={label} className="chart" style={{ minHeight: height }} />
  );
}
