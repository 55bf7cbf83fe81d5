// SPDX-License-Identifier: Apache-2.0
// What the worker that has the engine answers: messages have no types, so their shape is checked.
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isReply(value: unknown): value is Reply {
  return (
    isObject(value) &&
    'status' in value &&
    typeof value.status === 'number' &&
    'headers' in value &&
    Array.isArray(value.headers) &&
    'body' in value &&
    value.body instanceof Uint8Array
  );
}

export function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array;
}

// A list of objects with a name, for which `isRight` holds.
const areNamed = (value: unknown, isRight: (one: object) => boolean) =>
  Array.isArray(value) &&
  value.every((one) => isObject(one) && 'name' in one && isText(one.name) && isRight(one));

export function isFiles(value: unknown): value is Files {
  return areNamed(value, (file) => 'bytes' in file && isBytes(file.bytes));
}

export function isSizes(value: unknown): value is FileSize[] {
  return areNamed(value, (file) => 'size' in file && isNumber(file.size));
}

export function isWritten(value: unknown): value is Written {
  return isObject(value) && 'written' in value && isNumber(value.written);
}

export function isMade(value: unknown): value is { target: string; repaired?: string } {
  return isObject(value) && 'target' in value && isText(value.target);
}

export async function resultOf<T>(guard: Guard<T>, answer: Promise<unknown>): Promise<T> {
  const result = await answer;
  if (guard(result)) return result;
  throw new Error('the engine and the page do not understand each other: load the page again');
}
