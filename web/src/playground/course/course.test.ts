// SPDX-License-Identifier: Apache-2.0
// Runs every lesson on the engine itself, as it is and with its change.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@/engine/engine';
import { linesOf, parseLine } from '../script';
import { engineHere } from '../test_engine';
import { kChapters, kLessons } from '.';
import { answerOfEngine } from './answer';
import { changed } from './lesson';

// What the answers must be, by what is known of such trees: as it is, and after the change. Null: that
// depends on the machine, or on where the nodes of a list happen to be.
const kRight: Record<string, [number | null, number | null]> = {
  'log-first': [2, 1],
  'torn-log': [1, 0],
  versions: [2, 0],
  snapshot: [1, 0],
  merge: [2, 0],
  get: [0, 1],
  fingers: [2, null],
  blocks: [0, 1],
  'shared-keys': [0, 2],
  compression: [0, 1],
  filters: [1, 2],
  bits: [1, 2],
  ribbon: [0, 1],
  partitions: [0, 1],
  ingest: [0, 2],
  compaction: [0, 2],
  'one-per-level': [0, 2],
  'write-amplification': [2, 0],
  universal: [0, 1],
  'universal-space': [1, 0],
  'trivial-move': [0, 1],
  tombstones: [2, 0],
  'range-deletion': [1, 2],
  stall: [2, 0],
  fifo: [1, 0],
  absent: [0, 1],
  scan: [2, 0],
  cache: [0, 2],
  multiget: [0, 2],
  'file-search': [null, null],
  readahead: [0, 2],
  'all-or-nothing': [2, 1],
  'damaged-log': [2, 1],
  checksum: [2, 3],
  verify: [1, 0],
  repair: [1, 2],
  manifest: [2, 0],
  sequence: [2, 0],
};

// What each grade of these optimisations has less of than the one before.
const kFewer: Record<string, string> = {
  partitions: 'blocks not in the cache, of 600 gets',
  readahead: 'reads waited for',
};

describe('the course', () => {
  it('has five chapters and twenty lessons or more, each with a name of its own', () => {
    expect(kChapters).toHaveLength(5);
    expect(kLessons.length).toBeGreaterThanOrEqual(20);
    expect(new Set(kLessons.map(({ id }) => id)).size).toBe(kLessons.length);
    expect(kLessons.map(({ id }) => id)).toEqual(Object.keys(kRight));
    const published = kLessons.filter((lesson) => lesson.published);
    expect(published).toHaveLength(5);
    // Off, as published, and what this engine has beyond.
    for (const { variants, id } of published) expect(variants, id).toHaveLength(3);
  });
  it('has scripts that make sense, and a change in each lesson', () => {
    for (const lesson of kLessons) {
      expect(lesson.otherwise, lesson.id).toBeDefined();
      for (const { script, variants } of [lesson, changed(lesson)])
        for (const one of variants) linesOf(one.script ?? script).forEach(parseLine);
    }
  });
});

describe.skipIf(!__HAS_ENGINE__)('the engine answers', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await engineHere();
  });
  for (const lesson of kLessons)
    it(lesson.id, { timeout: 120_000 }, async () => {
      const answers = [
        await answerOfEngine(engine, lesson),
        await answerOfEngine(engine, changed(lesson)),
      ];
      if (process.env.SHOW) console.log(lesson.id, JSON.stringify(answers));
      for (const { right } of answers) {
        expect(right).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThan(lesson.choices.length);
      }
      const should = kRight[lesson.id]!;
      expect(answers.map(({ right }, n) => (should[n] === null ? null : right))).toEqual(should);
      const fewer = kFewer[lesson.id];
      if (fewer) {
        const [off, published, beyond] = answers[0]!.measured.map((figures) => figures[fewer]!);
        expect(published).toBeLessThan(off!);
        expect(beyond).toBeLessThan(published!);
      }
      if (should[0] !== null) expect(answers[0]!.right).not.toBe(answers[1]!.right);
    });
});
