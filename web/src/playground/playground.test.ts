// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import explain from '../../../tests/contract/golden/explain.json';
import type { Change, Engine, Given, Playground } from '@/engine/engine';
import { writeAll, writeNumbered } from '@/engine/write_all';
import { numbered, numbersOf } from '@/lib/numbered';
import { assignmentOf, assignmentText, lessonOf } from './assignment';
import { figuresOf } from './course/measure';
import { levelsOf, sortedRuns } from './levels';
import { engineOptions, optionsOf, optionsText } from './options';
import { progressOf } from './progress';
import { linesOf, parseLine, ScriptError } from './script';
import { Session } from './session';

const text = (bytes: Uint8Array | Blob | undefined) =>
  bytes instanceof Blob ? '' : new TextDecoder().decode(bytes);
const bytesOf = (name: string) => new TextEncoder().encode(name);
const kFiles = ['CURRENT', 'LOCK', '000003.log', '000012.log', '000007.sst'];

// An engine whose playgrounds write down what they are asked to do.
function recorder() {
  const done: string[] = [];
  const given: (Given | undefined)[] = [];
  const say = (line: string) => Promise.resolve(void done.push(line));
  const shown = ({ kind, key, value, family }: Change) =>
    `${kind} ${family} ${text(key)}=${text(value)}`;
  const playground: Playground = {
    target: 't1',
    write: (changes) => {
      done.push(...changes.map(shown));
      return Promise.resolve({ written: changes.length });
    },
    writeNumbered: (slice) =>
      Promise.resolve(
        writeNumbered(
          {
            write: (change) => void done.push(shown({ ...change, family: change.family ?? '' })),
            step: () => false,
          },
          slice,
        ),
      ),
    ingest: (records, family) => say(`ingest ${family} ${records.length}`),
    createFamily: (name) => say(`family ${name}`),
    snapshot: () => say('snapshot').then(() => 17),
    release: (sequence) => say(`release ${sequence}`),
    searchNanoseconds: () => Promise.resolve(1),
    flush: () => say('flush'),
    compact: () => say('compact'),
    work: () => say('work').then(() => true),
    files: () => Promise.resolve(kFiles.map((name) => ({ name, bytes: bytesOf(name) }))),
    sizes: () => Promise.resolve(kFiles.map((name) => ({ name, size: name.length }))),
    read: (name, offset, size) => Promise.resolve(bytesOf(name).slice(offset, offset + size)),
    close: () => say('close'),
  };
  const engine: Engine = {
    letter: 'w',
    name: 'wasm',
    fetch: () => Promise.reject(new Error('nothing is asked here')),
    playground: (_options, _kept, from) => {
      given.push(from);
      return Promise.resolve(playground);
    },
  };
  return { done, given, engine, playground };
}

describe('the script', () => {
  it('does what its lines say', async () => {
    const { done, engine } = recorder();
    const session = await Session.start(engine, {});
    for (const line of linesOf(
      '# a comment\nput a one two\nfill 3/5 k# v#\nerase 2 k#\ndelete_range a b\n\nflush\nwork\ncompact\nfamily f\nin f merge a b\ningest 4 i# v\nsnapshot s\nrelease s',
    ))
      expect((await session.run(line)).refused).toBe(false);
    expect(done).toEqual([
      'put default a=one two',
      'put default k0000=v0000',
      'put default k0005=v0005',
      'put default k0010=v0010',
      'delete default k0000=',
      'delete default k0001=',
      'range_delete default a=b',
      'flush',
      'work',
      'compact',
      'family f',
      'merge f a=b',
      'ingest default 4',
      'snapshot',
      'release 17',
    ]);
  });
  it('refuses what it does not understand', () => {
    for (const line of [
      'jump',
      'put a',
      'fill x k v',
      'fill 0 k v',
      'fill 99999999 k v',
      'damage house 3',
      'damage log',
      'crash soon',
      'reopen fast',
      'in f',
    ])
      expect(() => parseLine(line), line).toThrow(ScriptError);
  });
  it('counts through every number once, in order or not', () => {
    const of = { count: 100, by: 2, scattered: true };
    const scattered = [...numbersOf(of)];
    expect([...scattered].sort((a, b) => a - b)).toEqual([
      ...numbersOf({ ...of, scattered: false }),
    ]);
    expect(scattered.slice(0, 3)).not.toEqual([0, 2, 4]);
    expect([...numbersOf(of, 0, 30), ...numbersOf(of, 30)]).toEqual(scattered);
  });
  it('makes letters that differ and are the same each time', () => {
    expect(numbered('~', 1)).toMatch(/^[\w-]{64}$/);
    expect(numbered('~', 1)).toBe(numbered('~', 1));
    expect(numbered('~', 1)).not.toBe(numbered('~', 2));
  });
});

describe('failures', () => {
  async function filesAfter(line: string) {
    const { engine, given, done } = recorder();
    const session = await Session.start(engine, {});
    const ran = await session.run(line);
    const files = given.at(-1)?.files.map(({ name, bytes }) => `${name}: ${text(bytes)}`);
    return { ran, files, done };
  }
  it('leave what a crash leaves, without the lock', async () => {
    const { files, done } = await filesAfter('crash -4');
    expect(files).toEqual([
      'CURRENT: CURRENT',
      '000003.log: 000003.log',
      '000012.log: 000012',
      '000007.sst: 000007.sst',
    ]);
    expect(done).toEqual(['close']);
  });
  it('keep the first bytes of the log', async () => {
    expect((await filesAfter('crash 3')).files).toContain('000012.log: 000');
  });
  it('lose the newest file', async () => {
    expect((await filesAfter('lose log')).files).not.toContain('000012.log: 000012.log');
    expect((await filesAfter('lose log')).files).toContain('000003.log: 000003.log');
  });
  it('say why they cannot be', async () => {
    for (const line of ['crash 99', 'damage table 1000', 'lose manifest']) {
      const { ran, files } = await filesAfter(line);
      expect(ran.refused, line).toBe(true);
      expect(files).toBeUndefined();
    }
  });
});

describe('writing many', () => {
  it('ends with the first that is refused', () => {
    const key = new Uint8Array([1]);
    let left = 2;
    const write = () => {
      if (left-- === 0) throw new Error('stalled');
    };
    const changes: Change[] = Array.from({ length: 5 }, () => ({ kind: 'put', key }));
    expect(writeAll({ write }, changes)).toEqual({ written: 2, refused: 'stalled' });
  });
  it('works off what is due between writes, if it is to', () => {
    let due = 0;
    const on = {
      write: () => {
        if (due === 3) throw new Error('stalled');
        due += 1;
      },
      step: () => {
        due = Math.max(0, due - 1);
        return due > 0;
      },
    };
    const slice = { count: 10, by: 1, scattered: false, key: 'k#', value: '', family: 'default' };
    const all = { ...slice, kind: 'put' as const, from: 0, to: 10 };
    expect(writeNumbered(on, { ...all, working: true })).toEqual({ written: 10 });
    expect(writeNumbered(on, { ...all, working: false })).toEqual({
      written: 3,
      refused: 'stalled',
    });
  });
});

describe('the account of the engine', () => {
  it('gives the figures of a get', () => {
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
  it('gives levels and sorted runs', () => {
    const levels = levelsOf([
      { level: 2, size: 5 },
      { level: 0, size: 1 },
      { level: 0, size: 2 },
      { level: 2, size: 6 },
    ]);
    expect(levels).toEqual([
      { level: 0, files: 2, bytes: 3 },
      { level: 2, files: 2, bytes: 11 },
    ]);
    expect(sortedRuns(levels)).toBe(3);
  });
});

describe('options of a link', () => {
  it('are those that there are', () => {
    const values = optionsOf('block_size=1024;compression=none;path=/etc;block_cache_bytes=3');
    expect(values).toEqual({ block_size: '1024', compression: 'none' });
    expect(optionsOf(optionsText(values))).toEqual(values);
    expect(optionsText({ compression: 'lz4' })).toBeUndefined();
    expect(engineOptions({}).level0_file_num_compaction_trigger).toBe('2');
  });
});

describe('an assignment', () => {
  const made = {
    title: 'Two tables',
    text: 'Look.',
    script: 'put a b\nflush',
    options: { block_size: '1024' },
    question: 'How many?',
    figure: 'tables',
    key: '',
    choices: [0, 1, 2],
  };
  it('travels in a link', () => {
    expect(assignmentOf(assignmentText(made))).toEqual(made);
  });
  it('is right where the figure is', () => {
    const lesson = lessonOf(made);
    expect(lesson.choices).toEqual(['0', '1', '2']);
    expect(lesson.right([{ tables: 2 }])).toBe(2);
    expect(lesson.right([{ tables: 7 }])).toBe(-1);
  });
  it('is refused where something is missing', () => {
    for (const text of [undefined, '', '{', '[]', '{"script":"flush"}', 'null'])
      expect(assignmentOf(text)).toBeNull();
    expect(assignmentOf(assignmentText({ ...made, figure: 'secrets' }))).toBeNull();
  });
});

describe('progress', () => {
  it('is what was stored, and nothing else', () => {
    expect(progressOf('{"get":"right","filters":"wrong","x":3}')).toEqual({
      get: 'right',
      filters: 'wrong',
    });
    for (const text of [null, '', '{', '7', 'null']) expect(progressOf(text)).toEqual({});
  });
});
