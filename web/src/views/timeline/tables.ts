// SPDX-License-Identifier: Apache-2.0
// What jobs do to tables: from which job each came to which, and what the tree was after each edit.
import type { HistoryJob } from '@/api/openapi';
import { spanOf } from './lanes';

export interface Passed {
  file: string;
  maker: HistoryJob;
  consumer: HistoryJob;
}

// Every table that one job made and another consumed. `jobs`: in the order of the history.
export function passedOn(jobs: HistoryJob[]): Passed[] {
  const makers = new Map<string, HistoryJob>();
  const passed: Passed[] = [];
  for (const consumer of jobs) {
    for (const { file } of consumer.inputs) {
      const maker = makers.get(file);
      if (maker) passed.push({ file, maker, consumer });
    }
    for (const { file } of consumer.outputs) makers.set(file, consumer);
  }
  return passed;
}

export interface TreeFigures {
  job: HistoryJob;
  at: number | null; // When the job ended, in microseconds since 1970; null: it is not known.
  level0: number; // Files of its family on L0 after it,
  bytes: number; // and of all its tables.
}

// After each edit of the MANIFEST; what only a LOG tells of was before, when the tree is not known.
export function figuresOf(jobs: HistoryJob[]): TreeFigures[] {
  interface Tables {
    files: Map<string, { level: number; size: number }>;
    level0: number;
    bytes: number;
  }
  const families = new Map<number, Tables>();
  const figures: TreeFigures[] = [];
  for (const job of jobs) {
    if (job.edit === undefined) continue;
    const of = families.get(job.cf_id) ?? { files: new Map(), level0: 0, bytes: 0 };
    families.set(job.cf_id, of);
    const remove = (file: string) => {
      const known = of.files.get(file);
      if (!known) return;
      of.files.delete(file);
      of.bytes -= known.size;
      if (known.level === 0) of.level0 -= 1;
    };
    for (const { file } of job.inputs) remove(file);
    for (const { file, level, size } of job.outputs) {
      remove(file);
      of.files.set(file, { level, size });
      of.bytes += size;
      if (level === 0) of.level0 += 1;
    }
    const span = spanOf(job);
    figures.push({ job, at: span && (span.to ?? span.from), level0: of.level0, bytes: of.bytes });
  }
  return figures;
}
