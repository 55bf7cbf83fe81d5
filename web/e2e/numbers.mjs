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

// Of a slice of the key space, all bytes and those of dead entries.
function space({ live, shadowed, tombstones }) {
  if (!isObject(live) || !isObject(shadowed) || !isObject(tombstones)) return {};
  const debt = shadowed.bytes + tombstones.bytes;
  const parts = { live: live.bytes, shadowed: shadowed.bytes, tombstones: tombstones.bytes };
  return { ...parts, debt, whole: live.bytes + debt };
}

// What views write that is computed from several members of an object.
const computed = (object) => ({ ...raw(object), ...space(object) });

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
    for (const [name, value] of Object.entries({ ...one, ...computed(one) }))
      if (typeof value === 'number') sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

// The sums of a list, and of what it has on each level.
function allSumsOf(list) {
  const objects = list.filter(isObject);
  const levels = new Set(objects.map(({ level }) => level));
  const byLevel = [...levels].map((level) => objects.filter((one) => one.level === level));
  return [objects, ...byLevel].map(sumsOf);
}

// What may be written of a reply: its numbers; how long its lists are; the sums of a member of all
// of a list's elements, and of those on each level; what computed() and growth() say.
export function numbersOf(reply, into = new Set()) {
  if (typeof reply === 'number') into.add(reply);
  else if (typeof reply === 'string') {
    if (/^\d+$/.test(reply)) into.add(Number(reply));
  } else if (Array.isArray(reply)) {
    into.add(reply.length);
    for (const one of reply) numbersOf(one, into);
    for (const sums of allSumsOf(reply)) for (const sum of Object.values(sums)) into.add(sum);
    for (const size of growth(reply.filter(isObject))) into.add(size);
  } else if (isObject(reply)) {
    for (const value of Object.values({ ...reply, ...computed(reply) })) numbersOf(value, into);
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

// Members of which views write one as a part of the other, of an object or of a list's sums.
const kParts = [
  ['ratio', 'raw_size', 'size'],
  ['ratio', 'raw', 'size'],
  ['percent', 'deletions', 'entries'],
  ['percent', 'debt', 'whole'],
];

// What views show of a text that is no figure of a reply, each with the reason.
const kNamed = [
  [/\b(xxh3|xxh64|crc32c|lz4(hc)?|bzip2)\b/gi, 'names of algorithms'],
  [/\bsince 1970\b/g, 'the unit of times'],
  [/^\d+(\.\d)? m?s(?=, of |$)/gm, 'the time of a query, which the page itself takes'],
  [/\bL\d+\b/g, 'names of levels, which are counted from 0'],
  [
    /^[0-9a-f]{8}\n([0-9a-f]{2}\n){1,16}.*$/gm,
    'rows of a hex view, compared by the group of that name',
  ],
];

const kBare = /\d[\d\u202f]*(?:\.\d+)?/g;
const kWord = /[\w\u202f.…-]*\d[\w\u202f.…-]*/g;

// The names and texts of a reply; bytes as the text that they may be.
function stringsOf(reply, into = []) {
  if (typeof reply === 'string') into.push(reply);
  else if (isObject(reply))
    for (const [name, value] of Object.entries(reply)) {
      into.push(name);
      if (name === 'hex' && typeof value === 'string')
        into.push(Buffer.from(value, 'hex').toString());
      stringsOf(value, into);
    }
  return into;
}

function partsOf(reply, format, into = []) {
  if (!isObject(reply)) return into;
  const wholes = Array.isArray(reply) ? allSumsOf(reply) : [{ ...reply, ...computed(reply) }];
  for (const [write, part, of] of kParts)
    for (const whole of wholes)
      if (whole[of] > 0)
        into.push(
          write === 'percent'
            ? format.percent(whole[part], whole[of])
            : format.ratio(whole[part] / whole[of]),
        );
  for (const value of Object.values(reply)) partsOf(value, format, into);
  return into;
}

// Words with digits of which nothing was said: each must be made of numbers of the replies, written
// by the app's own functions, or be in a text of a reply or in `link`, which says what was asked.
export function unsaidBare(text, replies, link, format) {
  const said = new Set();
  const add = (written) => {
    for (const [number] of written.matchAll(kBare)) said.add(number);
  };
  for (const reply of replies) {
    for (const n of numbersOf(reply)) {
      for (const write of [format.bytes, format.count, format.ratio]) add(write(n));
      if (n > 1e9 && n < 4e9) add(format.time(n));
    }
    for (const written of partsOf(reply, format)) add(written);
  }
  const texts = [link, ...replies.flatMap((reply) => stringsOf(reply))].join('\n');
  for (const [named] of kNamed) text = text.replace(named, ' ');
  return [...text.matchAll(kWord)]
    .map(([word]) => word.replace(/[.…-]+$/, ''))
    .filter((word) => /\d/.test(word))
    .filter((word) => ![...word.matchAll(kBare)].every(([number]) => said.has(number)))
    .filter((word) =>
      /^\d+$/.test(word)
        ? !new RegExp(`(?<!\\d)${word}(?!\\d)`).test(texts)
        : !texts.includes(word),
    );
}

// A text's bare numbers of three digits and more, each changed into another number.
export function changedNumbers(text, { count }) {
  const found = text.match(/(?<![\w.\u202f])\d[\d\u202f]{2,}(?![\w.\u202f])/g) ?? [];
  return [...new Set(found)].map((number) =>
    count(3 * Number(number.replaceAll('\u202f', '')) + 1001),
  );
}
