// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { copyForms, decode, escape, literal, literalHex, sharedLength } from './bytes';
import { varve } from './cli';
import { csv, records } from './csv';
import { bytes, percent } from './format';
import { unpack } from './gallery';
import { recognizeBytes } from './recognize';
import { formatRoute, parseRoute } from './route';
import { eventsOf } from './sse';
import { kSamples, readSample } from '../../tools/samples.mjs';

describe('bytes', () => {
  it('finds a literal that means exactly the bytes', () => {
    expect(literal({ hex: '757365723a3432', text: 'user:42', len: 7 })).toBe('user:42');
    expect(literal({ hex: '6b31', text: 'k1', len: 2 })).toBe('k1');
    expect(literal({ hex: '6865783a30', text: 'hex:0', len: 5 })).toBe('hex:6865783a30');
    expect(literal({ hex: '00ff', len: 2 })).toBe('hex:00ff');
    expect(literal({ hex: '', text: '', len: 0 })).toBe('hex:');
  });
  it('are copied as text only if they are text, else as what means the same', () => {
    const of = (hex: string) =>
      Object.fromEntries(
        copyForms({ hex, len: hex.length / 2 }).map(({ form, text }) => [form, text]),
      );
    expect(of('c3a9')).toEqual({ text: 'é', hex: 'c3a9', base64: 'w6k=', literal: 'hex:c3a9' });
    expect(of('00ff')).toEqual({ hex: '00ff', base64: 'AP8=', literal: 'hex:00ff' });
    expect(literalHex(of('00ff').literal!)).toBe('00ff');
  });
  it('reads every kind of literal', () => {
    expect(literalHex('hex:00FF')).toBe('00ff');
    expect(literalHex('esc:a\\x00b\\\\')).toBe('6100625c');
    expect(literalHex('u64be:258')).toBe('0000000000000102');
    expect(literalHex('u64be:18446744073709551616')).toBeNull();
    expect(literalHex('b64:AAE=')).toBe('0001');
    expect(literalHex('utf8:é')).toBe('c3a9');
    expect(literalHex('plain')).toBe('706c61696e');
    expect(literalHex('hex:0')).toBeNull();
  });
  it('decodes', () => {
    expect(decode({ hex: '0000000000000102', len: 8 }, 'u64be')).toBe('258');
    expect(decode({ hex: '7b2261223a317d', len: 7 }, 'json')).toBe('{\n "a": 1\n}');
    expect(decode({ hex: 'ff41', len: 2 }, 'utf8')).toBe('\\xffA');
    expect(escape(Uint8Array.of(0x5c, 0x0a))).toBe('\\\\\\x0a');
  });
});

describe('what keys share', () => {
  it('ends where the key differs from each of its neighbours', () => {
    expect(sharedLength('users/000017', ['users/000016', 'users/0001'])).toBe(11);
    expect(sharedLength('users/000017', ['zebra'])).toBe(0);
    expect(sharedLength('a', [])).toBe(0);
  });
  it('is never the whole key, nor half of an escape', () => {
    expect(sharedLength('abc', ['abcd'])).toBe(2);
    expect(sharedLength('abc', ['abc'])).toBe(0);
    expect(sharedLength('ab\\x01', ['ab\\x02'])).toBe(2);
    expect(sharedLength('ab\\x0123', ['ab\\x0124'])).toBe(7);
  });
});

describe('route', () => {
  it('survives being written and read', () => {
    const link = '#/h/t/t1/cf/b%C3%A9ta%20cf/lsm?edit=180&key=user%3A42';
    const route = parseRoute(link);
    expect(route).toMatchObject({
      engine: 'h',
      target: 't1',
      cf: 'béta cf',
      page: 'lsm',
      query: { edit: '180', key: 'user:42' },
    });
    expect(formatRoute(route)).toBe(link);
  });
  it('knows pages without a target', () => {
    expect(parseRoute('#/playground')).toMatchObject({ engine: null, page: 'playground' });
    expect(parseRoute('').page).toBe('landing');
    expect(parseRoute('#/h/t/t1').page).toBe('overview');
    const open = formatRoute({ ...parseRoute('#/h/t/t1'), page: 'landing' });
    expect(parseRoute(open)).toMatchObject({ target: 't1', page: 'landing' });
    expect(parseRoute('#/h/t/t1/block/123/0').rest).toEqual(['123', '0']);
  });
});

describe('format', () => {
  it('keeps the digits that mean something', () => {
    expect([0, 1023, 1024, 1536, 10_485_760].map(bytes)).toEqual([
      '0 B',
      '1023 B',
      '1.00 KiB',
      '1.50 KiB',
      '10.0 MiB',
    ]);
    expect(percent(1, 0)).toBe('–');
    expect(percent(1, 100_000)).toBe('<0.1 %');
  });
});

describe('csv', () => {
  it('quotes, and disarms formulas', () => {
    expect(
      csv(
        ['a', 'b'],
        [
          ['x,"y"', '=1+1'],
          ['-5', 'z'],
        ],
      ),
    ).toBe('a,b\r\n"x,""y""",\'=1+1\r\n-5,z\r\n');
  });
});

describe('command lines', () => {
  it('quotes words for a shell and leaves defaults out', () => {
    expect(varve('get', ['./my db', "it's"], { cf: 'default', 'at-seq': undefined })).toBe(
      `varve get './my db' 'it'\\''s'`,
    );
    expect(varve('lsm files', ['./db'], { edit: '3', 'all-cfs': true })).toBe(
      'varve lsm files ./db --edit 3 --all-cfs',
    );
  });
});

describe('server-sent events', () => {
  it('puts events together from pieces of any size', async () => {
    const text =
      'event: job\ndata: {"a":1}\n\n: still here\n\nevent: job\r\ndata: {"b":\r\ndata: 2}\r\n\r\n';
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const events = [];
    for await (const event of eventsOf(pieces)) events.push(event);
    expect(events).toEqual([
      { event: 'job', data: '{"a":1}' },
      { event: 'job', data: '{"b":\n2}' },
    ]);
  });
});

describe('recognising files', () => {
  const magic = (hex: string) =>
    Uint8Array.from(hex.match(/../g)!, (h) => parseInt(h, 16)).reverse();
  it('goes by the last bytes of tables', () => {
    expect(recognizeBytes(new Uint8Array(64), magic('88e241b785f4cff7'), 1000).kind).toBe('sst');
    expect(recognizeBytes(new Uint8Array(64), magic('db4775248b80fb57'), 1000).kind).toBe('sst');
  });
  it('goes by the first bytes of everything else', () => {
    const head = (text: string) => new TextEncoder().encode(text);
    expect(recognizeBytes(head('MANIFEST-000005\n'), new Uint8Array(8), 16).kind).toBe('current');
    expect(
      recognizeBytes(head('# This is a RocksDB option file.'), new Uint8Array(8), 900).kind,
    ).toBe('options');
    expect(recognizeBytes(head('hello there, this is not ours'), new Uint8Array(8), 900).kind).toBe(
      'unknown',
    );
    expect(recognizeBytes(new Uint8Array(0), new Uint8Array(0), 0).what).toBe('an empty file');
  });
});

describe('the samples', () => {
  it('are small, and are what they were made of', () => {
    const whole = __SAMPLES__.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(whole).toBeLessThan(400 * 1024);
    for (const sample of kSamples) {
      const { about, source } = readSample(sample);
      const files = unpack(JSON.parse(source));
      expect(files.reduce((sum, { file }) => sum + file.size, 0)).toBe(about.bytes);
      expect(files.every(({ path }) => path.startsWith(sample.id))).toBe(true);
    }
  });
  it('are refused if they are something else', () => {
    expect(() => unpack({ files: [{ path: 1 }] })).toThrow('no sample');
    expect(() => unpack([])).toThrow('no sample');
  });
});

describe('a table as JSON', () => {
  it('has an object for each row, and every column', () => {
    const rows = JSON.parse(
      records(
        ['level', 'n', 'n'],
        [
          [0, 'a', 9007199254740993n.toString()],
          [1, '=b', ''],
        ],
      ),
    ) as unknown;
    expect(rows).toEqual([
      { level: 0, n: 'a', n_2: '9007199254740993' },
      { level: 1, n: '=b', n_2: '' },
    ]);
  });
});
