// SPDX-License-Identifier: Apache-2.0
// What the worker that has the engine answers: messages have no types, so their shape is checked.
import { isRecord } from '@/lib/guards';
import type { FileSize, Playground, Written } from './engine';

export interface Reply {
  status: number;
  headers: [string, string][];
  body: Uint8Array<ArrayBuffer>;
}

type Guard<T> = (value: unknown) => value is T;
type Files = Awaited<ReturnType<Playground['files']>>;

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

export function isReply(value: unknown): value is Reply {
  return (
    isRecord(value) && isNumber(value.status) && Array.isArray(value.headers) && isBytes(value.body)
  );
}

export function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

// A list of objects with a name, for which `isRight` holds.
const areNamed = (value: unknown, isRight: (one: Record<string, unknown>) => boolean) =>
  Array.isArray(value) && value.every((one) => isRecord(one) && isText(one.name) && isRight(one));

export function isFiles(value: unknown): value is Files {
  return areNamed(value, (file) => isBytes(file.bytes));
}

export function isSizes(value: unknown): value is FileSize[] {
  return areNamed(value, (file) => isNumber(file.size));
}

export function isWritten(value: unknown): value is Written {
  return isRecord(value) && isNumber(value.written);
}

export function isMade(value: unknown): value is { target: string; repaired?: string } {
  return isRecord(value) && isText(value.target);
}

export async function resultOf<T>(guard: Guard<T>, answer: Promise<unknown>): Promise<T> {
  const result = await answer;
  if (guard(result)) return result;
  throw new Error('the engine and the page do not understand each other: load the page again');
}
