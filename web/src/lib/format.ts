// SPDX-License-Identifier: Apache-2.0
// Numbers for people. Thin spaces and units; never more digits than mean something.

export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  while (Math.abs(n) >= 1024 && unit + 1 < units.length) {
    n /= 1024;
    unit += 1;
  }
  const digits = unit === 0 ? 0 : Math.abs(n) < 10 ? 2 : Math.abs(n) < 100 ? 1 : 0;
  return `${n.toFixed(digits)} ${units[unit]}`;
}

export function count(n: number | string): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
}

export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const value = (100 * part) / whole;
  if (value > 0 && value < 0.1) return '<0.1 %';
  return `${value.toFixed(value < 10 ? 1 : 0)} %`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function nanoseconds(ns: number): string {
  if (ns < 1000) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(ns < 1e4 ? 1 : 0)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(ns < 1e7 ? 1 : 0)} ms`;
  return `${(ns / 1e9).toFixed(2)} s`;
}

export function time(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}

export function ratio(n: number): string {
  return n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0);
}
