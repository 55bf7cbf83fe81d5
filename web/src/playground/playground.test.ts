// SPDX-License-Identifier: Apache-2.0
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import explain from '../../../tests/contract/golden/explain.json';
import type { Playground } from '@/engine/engine';
import { zipOf } from './download';
import { figuresOf, kLessons } from './lessons';
import { linesOf, parseLine, runStep, ScriptError } from './script';

// Writes down what it is asked to do.
function recorder(): Playground & { done: string[] } {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const done: string[] = [];
  const say = (line: string) => Promise.resolve(void done.push(line));
  return {
    target: 't1',
    done,
    put: (key, value) => say(`${text(key)}=${text(value)}`),
    delete: (key) => say(`-${text(key)}`),
    deleteRange: (from, to) => say(`-${text(from)}..${text(to)}`),
    flush: () => say('flush'),
    compact: () => say('compact'),
    work: () => say('work').then(() => true),
    files: () =>
      Promise.resolve([
        { name: 'CURRENT', bytes: new TextEncoder().encode('MANIFEST-000001\n') },
        { name: 'LOCK', bytes: new Uint8Array() },
      ]),
    close: () => Promise.resolve(),
  };
}

describe('the script', () => {
  it('does what its lines say', async () => {
    const on = recorder();
    for (const line of linesOf(
      '# a comment\nput a one two\nfill 3/5 k# v#\nerase 2 k#\ndelete_range a b\n\nflush\nwork\ncompact',
    )) {
      const step = parseLine(line);
      if (step) await runStep(on, step);
    }
    expect(on.done).toEqual([
      'a=one two',
      'k0000=v0000',
      'k0005=v0005',
      'k0010=v0010',
      '-k0000',
      '-k0001',
      '-a..b',
      'flush',
      'work',
      'compact',
    ]);
  });
  it('refuses what it does not understand', () => {
    for (const line of ['jump', 'put a', 'fill x k v', 'fill 0 k v', 'fill 99999999 k v'])
      expect(() => parseLine(line)).toThrow(ScriptError);
  });
});

describe('lessons', () => {
  it('have scripts that make sense and an answer for every outcome they ask about', () => {
    for (const lesson of kLessons) {
      for (const line of linesOf(lesson.script)) parseLine(line);
      expect(lesson.choices.length).toBeGreaterThan(1);
      expect(lesson.variants.length).toBeGreaterThan(0);
    }
    const filters = kLessons.find((lesson) => lesson.id === 'filters')!;
    expect(filters.right([{ 'data blocks read': 4 }, { 'data blocks read': 0 }])).toBe(1);
    expect(filters.right([{ 'data blocks read': 4 }, { 'data blocks read': 1 }])).toBe(-1); // A false positive.
  });
  it('take their figures from the account of the engine', () => {
    expect(figuresOf(explain as never)).toEqual({
      figures: {
        'data blocks read': 1,
        'metadata blocks read': 0,
        'files looked at': 1,
        'filters asked': 0,
        'bytes read': 4033,
        'key comparisons': 6,
      },
    });
  });
});

describe('the download', () => {
  it('is a folder with every file but the lock', async () => {
    const files = unzipSync(await zipOf(recorder(), 'db'));
    expect(Object.keys(files)).toEqual(['db/CURRENT']);
    expect(new TextDecoder().decode(files['db/CURRENT'])).toBe('MANIFEST-000001\n');
  });
});
