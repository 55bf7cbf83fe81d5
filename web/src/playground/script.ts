// SPDX-License-Identifier: Apache-2.0
// The playground's little language, a step a line:
//
//   put KEY VALUE          delete KEY          delete_range FROM TO
//   fill N KEY VALUE       `#` in KEY and VALUE becomes 0000, 0001, …; fill N/STEP KEY VALUE counts
//                          in steps
//   erase N KEY            deletes the same keys again
//   flush
//   compact                everything, to the last level
//   work                   one flush or compaction that is due, if one is
//   # anything             is for people
import type { Playground } from '@/engine/engine';

export type Step =
  | { do: 'put'; key: string; value: string }
  | { do: 'delete'; key: string }
  | { do: 'delete_range'; from: string; to: string }
  | { do: 'fill'; count: number; by: number; key: string; value: string }
  | { do: 'erase'; count: number; by: number; key: string }
  | { do: 'flush' | 'compact' | 'work' };

const kMostFilled = 200_000;

export class ScriptError extends Error {}

function counted(text: string | undefined, line: string): { count: number; by: number } {
  const match = /^(\d+)(?:\/(\d+))?$/.exec(text ?? '');
  const count = Number(match?.[1] ?? 0);
  if (!match || count < 1 || count > kMostFilled)
    throw new ScriptError(`“${line}”: a count from 1 to ${kMostFilled} is wanted`);
  return { count, by: Math.max(1, Number(match[2] ?? 1)) };
}

// Null for lines that do nothing.
export function parseLine(line: string): Step | null {
  const words = line.trim().split(/\s+/);
  const [verb, ...rest] = words;
  if (!verb || verb.startsWith('#')) return null;
  const need = (n: number) => {
    if (rest.length < n)
      throw new ScriptError(`“${line}”: ${verb} wants ${n} ${n === 1 ? 'word' : 'words'}`);
  };
  switch (verb) {
    case 'put':
      need(2);
      return { do: 'put', key: rest[0]!, value: rest.slice(1).join(' ') };
    case 'delete':
      need(1);
      return { do: 'delete', key: rest[0]! };
    case 'delete_range':
      need(2);
      return { do: 'delete_range', from: rest[0]!, to: rest[1]! };
    case 'fill':
      need(3);
      return {
        do: 'fill',
        ...counted(rest[0], line),
        key: rest[1]!,
        value: rest.slice(2).join(' '),
      };
    case 'erase':
      need(2);
      return { do: 'erase', ...counted(rest[0], line), key: rest[1]! };
    case 'flush':
    case 'compact':
    case 'work':
      return { do: verb };
    default:
      throw new ScriptError(
        `“${verb}” is no step: put, delete, delete_range, fill, erase, flush, compact, work`,
      );
  }
}

export function numbered(pattern: string, n: number): string {
  return pattern.replaceAll('#', String(n).padStart(4, '0'));
}

const bytes = (text: string) => new TextEncoder().encode(text);

export async function runStep(on: Playground, step: Step): Promise<void> {
  switch (step.do) {
    case 'put':
      return on.put(bytes(step.key), bytes(step.value));
    case 'delete':
      return on.delete(bytes(step.key));
    case 'delete_range':
      return on.deleteRange(bytes(step.from), bytes(step.to));
    case 'fill':
      for (let i = 0; i < step.count; i += 1)
        await on.put(
          bytes(numbered(step.key, i * step.by)),
          bytes(numbered(step.value, i * step.by)),
        );
      return;
    case 'erase':
      for (let i = 0; i < step.count; i += 1)
        await on.delete(bytes(numbered(step.key, i * step.by)));
      return;
    case 'flush':
      return on.flush();
    case 'compact':
      return on.compact();
    case 'work':
      await on.work();
  }
}

export function linesOf(script: string): string[] {
  return script.split('\n').filter((line) => line.trim() !== '');
}
