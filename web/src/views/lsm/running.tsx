// SPDX-License-Identifier: Apache-2.0
// Compactions at work: on the map, and in words.
import type { FileSummary, RunningCompaction } from '@/api/openapi';
import { hexOf } from '@/lib/bytes';
import { bytes, plural } from '@/lib/format';
import { BytesText } from '@/ui/small';
import type { KeyAxis } from './axis';
import type { RunningSpan } from './draw';

export function spansOf(running: RunningCompaction[], axis: KeyAxis): RunningSpan[] {
  return running.map((one) => ({
    inputs: new Set(one.inputs),
    level: one.output_level,
    span: { from: axis.at(hexOf(one.from)), to: axis.at(hexOf(one.to)) },
  }));
}

// "3 files of L0 and 1 of L6, 12.0 MiB". Files that the map does not know yet, or any more, count
// without a level.
export function inputsText({ inputs }: RunningCompaction, files: FileSummary[]): string {
  const wanted = new Set(inputs);
  const levels = new Map<number, number>();
  let size = 0;
  let known = 0;
  for (const file of files) {
    if (!wanted.has(file.id)) continue;
    known += 1;
    size += file.size;
    levels.set(file.level, (levels.get(file.level) ?? 0) + 1);
  }
  const parts = [...levels]
    .sort(([a], [b]) => a - b)
    .map(([level, n], i) => `${i === 0 ? plural(n, 'file') : n} of L${level}`);
  if (known === 0) return plural(inputs.length, 'file');
  const rest = inputs.length > known ? `${plural(inputs.length - known, 'file')} more` : '';
  return [...parts, rest].filter(Boolean).join(' and ') + `, ${bytes(size)}`;
}

export function RunningList({ of, files }: { of: RunningCompaction[]; files: FileSummary[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="running" aria-label="compactions at work">
      {of.map((one) => (
        <li key={one.inputs.join()}>
          compaction of {inputsText(one, files)} → L{one.output_level}, keys{' '}
          <BytesText bytes={one.from} most={32} /> to <BytesText bytes={one.to} most={32} />
        </li>
      ))}
    </ul>
  );
}
