// SPDX-License-Identifier: Apache-2.0
// The playground's little language, a step a line. parseLine() reads it, session.ts runs it.
//
//   put KEY VALUE          delete KEY          single_delete KEY       merge KEY OPERAND
//   delete_range FROM TO
//   fill N KEY VALUE       `#` in KEY and VALUE becomes 0000, 0001, …, `~` letters that look random;
//                          fill N/STEP KEY VALUE counts in steps
//   scatter N KEY VALUE    the same in an order that looks random
//   load N KEY VALUE       as scatter, with the flushes and compactions that become due as it goes
//   erase N KEY            deletes the keys of a fill
//   ingest N KEY VALUE     makes a table of them, past log and memtable
//   get KEY                multiget KEY KEY …                scan [FROM [TO]]
//   snapshot NAME          release NAME
//   family NAME            makes a column family
//   flush
//   compact                everything, to the last level
//   work                   one flush or compaction that is due, if one is
//   option NAME VALUE      changes an option of the running database
//   reopen [NAME=VALUE …]  closes and opens it
//   crash [BYTES]          ends it without closing; the newest log keeps BYTES, or loses -BYTES
//   damage FILE OFFSET     the same, and the byte there is another one: of log, table or manifest, the
//                          newest; a negative OFFSET counts from the end
//   lose FILE              the same, and the file is gone
//   verify                 reads everything and checks it
//   repair                 makes a new database of what can be read
//   # anything             is for people
//
// `in FAMILY` before a step: of that family. `at NAME` before a read: as of that snapshot.
import type { Change } from '@/engine/engine';
import { kMostNumbered, type Numbered } from '@/lib/numbered';

export type FileKind = 'log' | 'table' | 'manifest';

interface Place {
  family: string;
  at?: string; // A snapshot's name.
}

export type Step = Place &
  (
    | { do: 'write'; kind: Change['kind']; key: string; value: string }
    | ({ do: 'fill' | 'scatter' | 'load' | 'erase' | 'ingest' } & Numbered)
    | { do: 'get' | 'multiget'; keys: string[] }
    | { do: 'scan'; from: string; to: string }
    | { do: 'snapshot' | 'release' | 'family'; name: string }
    | { do: 'option'; name: string; value: string }
    | { do: 'reopen'; options: Record<string, string> }
    | { do: 'crash'; bytes?: number }
    | { do: 'damage'; file: FileKind; offset: number }
    | { do: 'lose'; file: FileKind }
    | { do: 'flush' | 'compact' | 'work' | 'verify' | 'repair' }
  );
type Action<Of> = Of extends Step ? Omit<Of, keyof Place> : never;

const kFiles: FileKind[] = ['log', 'table', 'manifest'];

export class ScriptError extends Error {}

// The words behind the verb, and what may be wrong with them.
class Words {
  constructor(
    readonly line: string,
    readonly verb: string,
    readonly rest: string[],
  ) {}

  need(n: number): this {
    if (this.rest.length >= n) return this;
    return this.refuse(`${this.verb} needs ${n} ${n === 1 ? 'word' : 'words'}`);
  }
  refuse(why: string): never {
    throw new ScriptError(`“${this.line.trim()}”: ${why}`);
  }
  get(n: number): string {
    return this.rest[n] ?? '';
  }
  from(n: number): string {
    return this.rest.slice(n).join(' ');
  }
  whole(n: number): number {
    const number = Number(this.get(n));
    return Number.isInteger(number) ? number : this.refuse('a whole number is needed');
  }
  file(): FileKind {
    const file = kFiles.find((one) => one === this.get(0));
    return file ?? this.refuse(`the file is one of ${kFiles.join(', ')}`);
  }
  numbered(): Numbered {
    const match = /^(\d+)(?:\/(\d+))?$/.exec(this.get(0));
    const count = Number(match?.[1] ?? 0);
    if (!match || count < 1 || count > kMostNumbered)
      return this.refuse(`a count from 1 to ${kMostNumbered} is needed`);
    const by = Math.max(1, Number(match[2] ?? 1));
    const scattered = this.verb === 'scatter' || this.verb === 'load';
    return { count, by, scattered, key: this.get(1), value: this.from(2) };
  }
  options(): Record<string, string> {
    return Object.fromEntries(
      this.rest.map((word): [string, string] => {
        const equals = word.indexOf('=');
        if (equals < 1) return this.refuse('options are NAME=VALUE');
        return [word.slice(0, equals), word.slice(equals + 1)];
      }),
    );
  }
}

const write =
  (kind: Change['kind'], words: number) =>
  (of: Words): Action<Step> => ({
    do: 'write',
    kind,
    key: of.need(words).get(0),
    value: of.from(1),
  });
const filled =
  (verb: 'fill' | 'scatter' | 'load' | 'ingest') =>
  (of: Words): Action<Step> => ({ do: verb, ...of.need(3).numbered() });
const named =
  (verb: 'snapshot' | 'release' | 'family') =>
  (of: Words): Action<Step> => ({ do: verb, name: of.need(1).get(0) });
const alone = (verb: 'flush' | 'compact' | 'work' | 'verify' | 'repair') => (): Action<Step> => ({
  do: verb,
});

const kVerbs: Record<string, (of: Words) => Action<Step>> = {
  put: write('put', 2),
  delete: write('delete', 1),
  single_delete: write('single_delete', 1),
  merge: write('merge', 2),
  delete_range: write('range_delete', 2),
  fill: filled('fill'),
  scatter: filled('scatter'),
  load: filled('load'),
  ingest: filled('ingest'),
  erase: (of) => ({ do: 'erase', ...of.need(2).numbered() }),
  get: (of) => ({ do: 'get', keys: of.need(1).rest.slice(0, 1) }),
  multiget: (of) => ({ do: 'multiget', keys: of.need(1).rest }),
  scan: (of) => ({ do: 'scan', from: of.get(0), to: of.get(1) }),
  snapshot: named('snapshot'),
  release: named('release'),
  family: named('family'),
  flush: alone('flush'),
  compact: alone('compact'),
  work: alone('work'),
  option: (of) => ({ do: 'option', name: of.need(2).get(0), value: of.from(1) }),
  reopen: (of) => ({ do: 'reopen', options: of.options() }),
  crash: (of) => ({ do: 'crash', ...(of.rest.length > 0 && { bytes: of.whole(0) }) }),
  damage: (of) => ({ do: 'damage', file: of.need(2).file(), offset: of.whole(1) }),
  lose: (of) => ({ do: 'lose', file: of.need(1).file() }),
  verify: alone('verify'),
  repair: alone('repair'),
};

// Null for lines that do nothing.
export function parseLine(line: string): Step | null {
  const words = line.trim().split(/\s+/);
  const place: Place = { family: 'default' };
  while ((words[0] === 'in' || words[0] === 'at') && words.length > 2) {
    const [which, name] = words.splice(0, 2);
    if (which === 'in') place.family = name!;
    else place.at = name!;
  }
  const [verb, ...rest] = words;
  if (!verb || verb.startsWith('#')) return null;
  const parse = kVerbs[verb];
  if (!parse) throw new ScriptError(`“${verb}” is not a step: ${Object.keys(kVerbs).join(', ')}`);
  return { ...place, ...parse(new Words(line, verb, rest)) };
}

export function linesOf(script: string): string[] {
  return script.split('\n').filter((line) => line.trim() !== '');
}
