// SPDX-License-Identifier: Apache-2.0
// Places on a timeline as words: the ticks of its axis, and how long something takes.
import { count, nanoseconds } from '@/lib/format';
import type { Clock } from './events';

const kSecond = 1e6; // Microseconds.
const kMinute = 60 * kSecond;
const kHour = 60 * kMinute;
const kDay = 24 * kHour;
const kRound = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * kSecond),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * kMinute),
  ...[1, 2, 3, 6, 12].map((n) => n * kHour),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * kDay),
];

// The least round step that is `least` or more.
export function stepOf(least: number, clock: Clock): number {
  if (clock === 'utc' && least > kSecond / 2) {
    const round = kRound.find((step) => step >= least);
    if (round !== undefined) return round;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((n) => n * power >= least) ?? 10);
  return clock === 'edit' ? Math.max(1, step) : step;
}

export interface Mark {
  at: number;
  text: string;
}

export function marksOf(from: number, to: number, most: number, clock: Clock): Mark[] {
  const step = stepOf((to - from) / Math.max(1, most), clock);
  const marks: Mark[] = [];
  for (let n = Math.ceil(from / step); n * step <= to; n += 1)
    marks.push({ at: n * step, text: placeText(n * step, clock, step) });
  return marks;
}

// `step`: apart from what it is to be told, in the unit of the axis.
export function placeText(at: number, clock: Clock, step: number): string {
  if (clock === 'edit') return count(Math.round(at));
  const digits = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step / kSecond))));
  if (clock === 'relative') return `${(at / kSecond).toFixed(digits)} s`;
  const iso = new Date(at / 1000).toISOString();
  if (step >= kDay) return iso.slice(0, 10);
  if (step >= kMinute) return iso.slice(11, 16);
  if (digits === 0) return iso.slice(11, 19);
  const micros = String(Math.floor(((at % kSecond) + kSecond) % kSecond)).padStart(6, '0');
  return `${iso.slice(11, 19)}.${micros.slice(0, digits)}`;
}

// The whole of it, in a table and in words.
export function momentText(at: number, clock: Clock): string {
  if (clock === 'edit') return `edit ${count(Math.round(at))}`;
  if (clock === 'relative') return placeText(at, clock, 1);
  return `${new Date(at / 1000).toISOString().slice(0, 10)} ${placeText(at, clock, 1)}`;
}

export function durationText(micros: number): string {
  if (micros < 60 * kSecond) return nanoseconds(micros * 1000);
  const seconds = Math.round(micros / kSecond);
  const [days, rest] = [Math.floor(seconds / 86_400), seconds % 86_400];
  const clock = new Date(rest * 1000).toISOString().slice(11, 19);
  return days > 0 ? `${count(days)} d ${clock}` : clock;
}

// A part of the axis. Edits have no time between them: the last one that is in it is said.
export function partText(from: number, to: number, clock: Clock): string {
  if (clock === 'edit')
    return `${momentText(from, clock)} to ${momentText(Math.max(from, to - 1), clock)}`;
  const [begin, end] = [momentText(from, clock), momentText(to, clock)];
  return `${begin} to ${end} · ${durationText(to - from)}`;
}

// The value of a counter, of whatever it counts.
export function figureText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return count(value);
  return String(Number(value.toPrecision(6)));
}
