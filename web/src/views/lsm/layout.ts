// SPDX-License-Identifier: Apache-2.0
// Which rectangles an LSM map is made of: pure, so that it can be tested and is the same for the
// canvas and for what the pointer hits.
//
//   L0  every file a row of its own, newest first: they overlap
//   L1… one row a level
//
// Files narrower than a pixel run together into one box that says how many they are, so that 10^5
// files cost no more than the pixels of a row.
import type { FileSummary } from '@/api/openapi';
import type { Span } from '@/ui/span_hands';
import type { KeyAxis } from './axis';

export interface Row {
  level: number;
  label: string;
  files: FileSummary[]; // By where they begin; within a row they do not overlap.
}

export interface Box {
  row: number;
  x: number; // Pixels.
  width: number;
  file: FileSummary; // The first.
  count: number;
  bytes: number;
}

const kMostL0Rows = 24;

// `empty`: levels that have a row even without files.
export function rowsOf(
  files: FileSummary[],
  axis: KeyAxis,
  empty: ReadonlySet<number> = new Set(),
): Row[] {
  const levels = new Map<number, FileSummary[]>();
  for (const level of empty) levels.set(level, []);
  for (const file of files) {
    const level = levels.get(file.level);
    if (level) level.push(file);
    else levels.set(file.level, [file]);
  }
  const rows: Row[] = [];
  for (const level of [...levels.keys()].sort((a, b) => a - b)) {
    const members = levels.get(level)!;
    if (level === 0 && members.length > 0) rows.push(...l0Rows(members));
    else {
      members.sort((a, b) => axis.spans.get(a)!.from - axis.spans.get(b)!.from);
      rows.push({ level, label: `L${level}`, files: members });
    }
  }
  return rows;
}

// The newest file first. Of very many, the oldest share the last row.
function l0Rows(files: FileSummary[]): Row[] {
  const newest = [...files].sort(
    (a, b) => Number(BigInt(b.largest_seq) - BigInt(a.largest_seq)) || Number(b.id) - Number(a.id),
  );
  const rows: Row[] = newest
    .slice(0, kMostL0Rows)
    .map((file, i) => ({ level: 0, label: i === 0 ? 'L0' : '', files: [file] }));
  if (newest.length > kMostL0Rows)
    rows.push({
      level: 0,
      label: `+${newest.length - kMostL0Rows}`,
      files: newest.slice(kMostL0Rows),
    });
  return rows;
}

// The boxes of one row in the part of the axis that is shown.
export function boxesOf(
  row: Row,
  index: number,
  axis: KeyAxis,
  shown: Span,
  pixels: number,
): Box[] {
  const scale = pixels / (shown.to - shown.from);
  const boxes: Box[] = [];
  let last: Box | undefined;
  for (const file of row.files) {
    const span = axis.spans.get(file)!;
    if (span.to < shown.from || span.from > shown.to) continue;
    const width = (span.to - span.from) * scale;
    // A hair's breadth stays between neighbours that are wide enough to spare it.
    const drawn = Math.max(1, width > 4 ? width - 1 : width);
    // A file of one key at the very end is seen, too.
    const x = Math.min((span.from - shown.from) * scale, pixels - Math.min(3, drawn));
    // Narrow files whose pixel is taken join the box that has it.
    if (last && drawn <= 1.5 && last.width <= 1.5 && Math.floor(x) === Math.floor(last.x)) {
      last.count += 1;
      last.bytes += file.size;
      continue;
    }
    last = { row: index, x, width: drawn, file, count: 1, bytes: file.size };
    boxes.push(last);
  }
  return boxes;
}

// How many bytes lie over each of `slots` equal parts of the axis.
export function density(files: FileSummary[], axis: KeyAxis, slots: number): Float64Array {
  const change = new Float64Array(slots + 1);
  for (const file of files) {
    const span = axis.spans.get(file)!;
    const from = Math.min(slots - 1, Math.floor(span.from * slots));
    const to = Math.max(from + 1, Math.ceil(span.to * slots));
    change[from]! += file.size / (to - from);
    change[to]! -= file.size / (to - from);
  }
  for (let i = 1; i < slots; i += 1) change[i]! += change[i - 1]!;
  return change.subarray(0, slots);
}
