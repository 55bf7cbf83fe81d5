// SPDX-License-Identifier: Apache-2.0
// Whether each number that a view shows is one that the API has said. A view may add up, count and
// round; what it may not do is show another number.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

// The app's own ways to write numbers.
export async function formats(web) {
  const source = readFileSync(join(web, 'src/lib/format.ts'), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

const isObject = (value) => typeof value === 'object' && value !== null;

// A table's keys and values together.
function raw({ raw_key_bytes: keys, raw_value_bytes: values }) {
  return typeof keys === 'number' ? { raw: keys + (values ?? 0) } : {};
}

// Of all tables after each job, as the overview draws them.
function growth(jobs) {
  const bytesOf = (files) => files.reduce((sum, { size }) => sum + size, 0);
  let sum = 0;
  return jobs
    .filter(({ inputs, outputs, kind }) => inputs && outputs && kind !== 'trivial_move')
    .map(({ kind, inputs, outputs }) => {
      sum += bytesOf(outputs) - (kind === 'snapshot' ? 0 : bytesOf(inputs));
      return sum;
    });
}

function sumsOf(list) {
  const sums = {};
  for (const one of list.filter(isObject))
    for (const [name, value] of Object.entries({ ...one, ...raw(one) }))
      if (typeof value === 'number') sums[name] = (sums[name] ?? 0) + value;
  return Object.values(sums);
}

// What may be written of a reply: its numbers; how long its lists are; the sums of a member of all
// of a list's elements, and of those on each level; what raw() and growth() say.
export function numbersOf(reply, into = new Set()) {
  if (typeof reply === 'number') into.add(reply);
  else if (typeof reply === 'string') {
    if (/^\d+$/.test(reply)) into.add(Number(reply));
  } else if (Array.isArray(reply)) {
    into.add(reply.length);
    for (const one of reply) numbersOf(one, into);
    const objects = reply.filter(isObject);
    const levels = new Set(objects.map(({ level }) => level));
    const byLevel = [...levels].map((level) => objects.filter((one) => one.level === level));
    for (const list of [objects, ...byLevel]) for (const sum of sumsOf(list)) into.add(sum);
    for (const size of growth(objects)) into.add(size);
  } else if (isObject(reply)) {
    for (const value of Object.values({ ...reply, ...raw(reply) })) numbersOf(value, into);
  }
  return into;
}

// Amounts with a unit, and counts of something: "58.5 KiB", "8 files", "1 042 entries".
const kAmount =
  /(\d[\d\u202f]*(?:\.\d+)?) (B|KiB|MiB|GiB|files?|entries|rows?|edits|blocks?|parts?)\b/g;

// Those that nobody has said.
export function unsaid(text, replies, { bytes, count }) {
  const said = new Set();
  for (const reply of replies) for (const n of numbersOf(reply)) said.add(bytes(n)).add(count(n));
  return [...text.matchAll(kAmount)]
    .map(([, number, unit]) => (/^([KMG]i)?B$/.test(unit) ? `${number} ${unit}` : number))
    .filter((one) => !said.has(one));
}
