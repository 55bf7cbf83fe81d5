// @vitest-environment node
// SPDX-License-Identifier: Apache-2.0
// What a plugin can do, and what it cannot, on the interpreter that the page has.
import { readFileSync } from 'node:fs';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import { describe, expect, it } from 'vitest';
import { kBounds as kOwnBounds, Sandbox, type Ask } from './sandbox';

// Times go by also while other programs have the processor.
const kBounds = { ...kOwnBounds, loadMs: 3000, decodeMs: 3000 };
const quickjs = await newQuickJSWASMModuleFromVariant(variant);

const open = (text: string, bounds = kBounds) => new Sandbox(quickjs, text, bounds);
const decoder = (body: string, bounds = kBounds) =>
  open(
    `export default { name: 'mine', title: 'Mine', value: { decode(value, key) { ${body} } } }`,
    bounds,
  );
const decoded = (body: string, bytes: number[] = []) =>
  decoder(body).decode('value', [{ bytes: Uint8Array.from(bytes), other: Uint8Array.of(1) }])[0];
const view = (body: string, bounds = kBounds) =>
  open(
    `export default { name: 'mine', title: 'Mine', view: { async draw({ ask, pages, set }) { ${body} } } }`,
    bounds,
  );
const nobody: Ask = () => Promise.resolve({ failed: 'nobody is there' });
const shipped = (name: string) =>
  open(readFileSync(new URL(`../../plugins/${name}.js`, import.meta.url), 'utf8'));

describe('what a plugin gives', () => {
  it('is what JSON can say, and a little more', () => {
    expect(decoded('return { a: [1, null, "é\\u0000"] }')).toEqual({ is: { a: [1, null, 'é\0'] } });
    expect(decoded('return 2n ** 64n')).toEqual({ is: '18446744073709551616' });
    expect(decoded('return value', [1, 255])).toEqual({ is: 'hex:01ff' });
    expect(decoded('return new Map([["a", new Set([1])]])')).toEqual({ is: { a: [1] } });
    expect(decoded('return [NaN, -Infinity]')).toEqual({ is: ['NaN', '-Infinity'] });
    expect(decoded('return key.length')).toEqual({ is: 1 });
    expect(decoded('')).toBeNull();
  });

  it('knows UTF-8 as browsers do', () => {
    const texts = ['', 'a', 'é', '€', '😀', '\0'];
    for (const text of texts)
      expect(decoded('return new TextDecoder().decode(value)', [...Buffer.from(text)])).toEqual({
        is: text,
      });
    for (const bytes of [
      [0x80],
      [0xc0, 0x80],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf5],
      [0xe2, 0x82],
      [0xf0, 0x9f, 0x98, 0x41],
    ])
      expect(decoded('return new TextDecoder().decode(value)', bytes)).toEqual({
        is: new TextDecoder().decode(Uint8Array.from(bytes)),
      });
    expect(
      decoded('return new TextDecoder("utf-8", { fatal: true }).decode(value)', [0xff]),
    ).toEqual({ failed: 'TypeError: this is not UTF-8' });
    expect(decoded('return new TextEncoder().encode("é€😀\\ud800")')).toEqual({
      is: `hex:${Buffer.from('é€😀\ufffd').toString('hex')}`,
    });
  });

  it('may fail for one value', () => {
    const one = decoder('if (value.length === 0) throw new Error("empty"); return value.length');
    expect(
      one.decode('value', [
        { bytes: new Uint8Array(), other: undefined },
        { bytes: new Uint8Array(3), other: undefined },
      ]),
    ).toEqual([{ failed: 'Error: empty' }, { is: 3 }]);
  });
});

describe('a manifest', () => {
  it.each([
    ['export const a = 1', 'no object'],
    ['export default 7', 'no object'],
    ['export default {}', 'its name'],
    ["export default { name: 'A b', title: 't', value: { decode() {} } }", 'small letter'],
    ["export default { name: 'a', title: 't' }", 'shows nothing'],
    ["export default { name: 'a', title: 't', value: {} }", 'no function decode'],
    ["export default { name: 'a', title: 't', view: {} }", 'no function draw'],
    ["export default { name: 'a', title: 'x'.repeat(100), value: { decode() {} } }", 'its title'],
    ["import x from 'https://example.com/x.js'; export default x", 'module'],
    ['export default {', 'property name'],
    ['throw new Error("at once")', 'at once'],
    ['for (;;);', 'too long'],
    [`export default { get name() { for (;;); } }`, 'too long'],
  ])('%s', (text, why) => {
    expect(() => open(text)).toThrow(why);
  });
});

describe('what a plugin cannot', () => {
  it('finds nothing of a browser', () => {
    const names =
      'fetch XMLHttpRequest WebSocket EventSource Worker SharedWorker importScripts window self document parent top location navigator localStorage sessionStorage indexedDB caches BroadcastChannel postMessage WebAssembly process require setTimeout crypto performance';
    for (const name of names.split(' '))
      expect(decoded(`return typeof ${name}`)).toEqual({ is: 'undefined' });
    expect(decoded('return typeof Function("return this")().fetch')).toEqual({ is: 'undefined' });
    expect(decoded('return this === undefined ? "" : Object.keys(this).join()')).toEqual({
      is: 'decode',
    });
  });

  it('is ended when it hangs, and stays so', () => {
    const hung = open(
      `export default { name: 'a', title: 'A', value: { decode(value) { if (value.length) for (;;); return 1; } } }`,
      { ...kBounds, decodeMs: 1000 },
    );
    const give = (size: number) =>
      hung.decode('value', [{ bytes: new Uint8Array(size), other: undefined }]);
    expect(give(0)).toEqual([{ is: 1 }]);
    expect(() => give(1)).toThrow('it took too long for one value');
    expect(() => give(0)).toThrow('it took too long for one value');
  });

  it.each([
    'for (;;) try { for (;;); } catch {}',
    'const a = []; for (;;) a.push(new Uint8Array(1 << 20))',
    'const f = () => f(); f()',
    'return "x".repeat(1 << 29)',
    'return "x".repeat(2 << 20)',
    'let a = []; for (let i = 0; i < 1e5; i += 1) a = [a]; return a',
    'const a = {}; a.a = a; return a',
    'return { toJSON() { for (;;); } }',
    'JSON.stringify = () => "}"; return 1',
    'throw { toString() { for (;;); } }',
    'return new Proxy({}, { ownKeys() { throw 1 } })',
    'String.prototype.slice = () => "x".repeat(2 << 20); throw new Error("a")',
    'return /^(a+)+$/.test("a".repeat(40) + "b")',
    'Promise.reject(1); return (async () => { for (;;); })()',
  ])('%s', (body) => {
    const one = decoder(body, { ...kBounds, decodeMs: kOwnBounds.decodeMs, memory: 16 << 20 });
    const began = Date.now();
    let said: unknown;
    try {
      said = one.decode('value', [{ bytes: new Uint8Array(), other: undefined }])[0];
    } catch (error) {
      said = { failed: String(error) };
    }
    expect(said).toHaveProperty('failed');
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});

it('what a plugin holds has a bound, in however many pieces', () => {
  const one = decoder('const k = []; for (;;) k.push(new Uint8Array(1 << 20))', {
    ...kBounds,
    decodeMs: 20_000,
  });
  const said = one.decode('value', [{ bytes: new Uint8Array(), other: undefined }]);
  expect(said[0]).toEqual({ failed: 'InternalError: out of memory' });
});

it('what is decoded in one call has a bound, too', () => {
  const one = decoder('return "x".repeat(1000)', { ...kBounds, together: 2500 });
  const item = { bytes: new Uint8Array(), other: undefined };
  const said = one.decode('value', [item, item, item]);
  expect(said[1]).toEqual({ is: 'x'.repeat(1000) });
  expect(said[2]).toEqual({ failed: 'more than 2500 characters together' });
});

describe('a view', () => {
  it('asks, and gives blocks', async () => {
    const asked: string[] = [];
    const answers = [{ rows: [1], next_page_token: 'x y' }, { rows: [2, 3] }];
    const blocks = await view(
      `let n = 0; for await (const page of pages('/cfs/a%20b/scan', { page_size: set.size })) n += page.rows.length;
       return [{ heading: 'H' }, { facts: [['rows', n]] }, { bars: [['a', 1]], title: 'B', unit: 'bytes' },
         { table: { columns: ['a'], rows: [['<b>'], [null]] }, title: 'T' }]`,
    ).draw({ set: { size: 7 } }, (path) => {
      asked.push(path);
      return Promise.resolve({ text: JSON.stringify(answers[asked.length - 1]) });
    });
    expect(asked).toEqual([
      '/cfs/a%20b/scan?page_size=7',
      '/cfs/a%20b/scan?page_size=7&page_token=x%20y',
    ]);
    expect(blocks).toEqual([
      { kind: 'heading', text: 'H' },
      { kind: 'facts', facts: [['rows', 3]] },
      { kind: 'bars', title: 'B', inBytes: true, bars: [['a', 1]] },
      { kind: 'table', title: 'T', columns: ['a'], rows: [['<b>'], [null]] },
    ]);
  });

  it('hears why there is no answer', async () => {
    const blocks = await view(
      'try { await ask("/x") } catch (e) { return [{ text: e.message }] }',
    ).draw({}, nobody);
    expect(blocks).toEqual([{ kind: 'text', text: 'nobody is there' }]);
  });

  it.each([
    ['return 1', 'no list'],
    ['return [{ html: "<script>" }]', 'none that the page can draw'],
    ['return [{ table: { columns: ["a"], rows: [[{}]] }, title: "t" }]', 'a cell for each column'],
    ['return [{ table: { columns: ["a"], rows: [[1, 2]] }, title: "t" }]', 'a cell for each'],
    ['return [{ bars: [["a", -1]], title: "t" }]', 'number from 0'],
    ['return Array(101).fill({ text: "" })', '100 blocks'],
    ['return [{ facts: Array(20001).fill(["a", 1]) }]', '20000 rows'],
    ['return [{ text: "x".repeat(9 << 20) }]', 'characters'],
    ['await new Promise(() => {})', 'waits for nothing'],
    ['throw new Error("no")', 'Error: no'],
    ['for (;;);', 'too long'],
    ['for (;;) await 0', 'too long'],
    ['const f = () => (async () => { for (;;); })().catch(f); await f()', 'too long'],
    ['for (;;) await ask("/x").catch(() => 0)', '20 times'],
    ['for (;;) ask("/x")', '20 times'],
    ['await ask("/" + "a".repeat(9000))', 'path of more than 8192'],
  ])('%s', async (body, why) => {
    const one = view(body, { ...kBounds, drawMs: 1500, asked: 20 });
    await expect(one.draw({}, nobody)).rejects.toThrow(why);
  });
});

describe('the plugins that come with the app', () => {
  it('MessagePack', () => {
    const one = shipped('msgpack');
    const give = (hex: string) =>
      one.decode('value', [
        { bytes: Uint8Array.from(Buffer.from(hex, 'hex')), other: undefined },
      ])[0];
    // The example of msgpack.org.
    expect(give('82a7636f6d70616374c3a6736368656d6100')).toEqual({
      is: { compact: true, schema: 0 },
    });
    expect(give('9aff7fccffcdffffce00010000d080d1ff7fd2ffff7fffcb3ff8000000000000c0')).toEqual({
      is: [-1, 127, 255, 65535, 65536, -128, -129, -32769, 1.5, null],
    });
    expect(give('93cfffffffffffffffffd3ffffffffffffffffc403010203')).toEqual({
      is: ['18446744073709551615', -1, 'hex:010203'],
    });
    expect(give('d6ff5f5e1000')).toEqual({ is: '2020-09-13T12:26:40Z' });
    expect(give('d9026869')).toEqual({ is: 'hi' });
    expect(give('c1')).toEqual({ failed: 'RangeError: no object begins with 0xc1' });
    expect(give('dd7fffffff')).toEqual({ failed: 'RangeError: it ends too early' });
    expect(give('0001')).toEqual({ failed: 'RangeError: 1 bytes are left behind the object' });
    expect(give('91'.repeat(200))).toHaveProperty('failed');
  });

  it('tuples', () => {
    const one = shipped('tuple');
    const give = (hex: string) =>
      one.decode('key', [{ bytes: Uint8Array.from(Buffer.from(hex, 'hex')), other: undefined }])[0];
    // The examples of its design document: "F\u00d4O\u0000bar", a nested tuple, -5551212.
    expect(give('0246c3944f00ff62617200')).toEqual({ is: ['FÔO\0bar'] });
    expect(give('0502466f6f000' + '0ff050000')).toHaveProperty('is');
    expect(give('0501666f6f0062617200')).toHaveProperty('failed');
    expect(give('11ab4b93')).toEqual({ is: [-5551212] });
    expect(give('212000000000000000')).toHaveProperty('is');
    expect(give('203dd7ffff')).toEqual({ is: [expect.closeTo(-42, 5)] });
    expect(give('1415011502' + '1602 00'.replace(' ', ''))).toEqual({ is: [0, 1, 2, 512] });
    expect(give('01666f6f00ff00' + '2627')).toEqual({ is: ['hex:666f6f00', false, true] });
    expect(give('02757365720015 2a'.replace(' ', ''))).toEqual({ is: ['user', 42] });
    expect(give('ff')).toEqual({ failed: 'RangeError: no item begins with 0xff' });
    expect(give('0261')).toEqual({ failed: 'RangeError: a text or bytes have no end' });
    expect(one.manifest.key).toEqual({ columns: ['1st', '2nd', '3rd'] });
  });

  it('value sizes', async () => {
    const one = shipped('value_sizes');
    const rows = [0, 1, 5, 6].map((len, i) => ({
      key: { text: i < 2 ? 'aaaa1' : 'bbbb2', len: 5 },
      value: { len },
    }));
    const blocks = await one.draw(
      { target: 't', family: 'default', set: { letters: 4, records: 10_000, prefix: '' } },
      () => Promise.resolve({ text: JSON.stringify({ rows, complete: true }) }),
    );
    expect(blocks[1]).toEqual({
      kind: 'bars',
      title: 'Records by bytes of the value',
      inBytes: false,
      bars: [
        ['0', 1],
        ['1', 1],
        ['4 to 7', 2],
      ],
    });
    expect(blocks.at(-1)).toMatchObject({
      rows: [
        ['bbbb', 2, 11, 6, 6],
        ['aaaa', 2, 1, 1, 1],
      ],
    });
  });
});
