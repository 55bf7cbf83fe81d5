// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { Client } from '@/engine/client';
import { fromHex, toHex } from '@/lib/bytes';
import { bodyOf, bytesOf, commandOf, formOf, isSame, keyOf, kForms, readNow, textOf } from './edit';

const raw = (text: string) => new TextEncoder().encode(text);
const meant = (text: string, form: 'text' | 'hex' | 'json') => {
  const said = bytesOf(text, form);
  return 'bytes' in said ? toHex(said.bytes) : said.wrong;
};

describe('a value that is typed', () => {
  it('is shown in the form that says all of it', () => {
    expect(formOf(raw('plain'))).toBe('text');
    expect(formOf(raw(''))).toBe('text');
    expect(formOf(raw('12'))).toBe('text');
    expect(formOf(raw('{"a":[1,null]}'))).toBe('json');
    expect(formOf(raw('[1,'))).toBe('text');
    expect(formOf(fromHex('00ff'))).toBe('hex');
  });
  it('is not shown as text if a field would change it, or nobody would see all of it', () => {
    for (const text of ['a\r\nb', 'a\0b', 'a\u202eb', '\ufeffa', 'a\x1b[31m'])
      expect(textOf(raw(text), 'text')).toBeNull();
    expect(textOf(fromHex('c3'), 'text')).toBeNull();
    expect(textOf(raw('a\n\tb'), 'text')).toBe('a\n\tb');
  });
  it('is the same bytes if nothing is typed', () => {
    const values = ['', 'a', 'é\n', '{"n": 12345678901234567890, "n": 1.0}', ' [ 1 ] '];
    const bytes = [...values.map(raw), fromHex('00ff80'), new Uint8Array(200).fill(255)];
    for (const value of bytes)
      for (const form of kForms) {
        const text = textOf(value, form);
        if (text !== null) expect(meant(text, form)).toBe(toHex(value));
      }
  });
  it('means what it says, or says what is wrong', () => {
    expect(meant('0A fF\n00', 'hex')).toBe('0aff00');
    expect(meant('0', 'hex')).toMatch(/pairs/);
    expect(meant('zz', 'hex')).toMatch(/pairs/);
    expect(meant('{"a":}', 'json')).toMatch(/no JSON/);
    expect(meant('{"a": 1}', 'json')).toBe(toHex(raw('{"a": 1}')));
    expect(meant('\ud800', 'text')).toMatch(/half/);
    expect(keyOf('hex:0g')).toHaveProperty('wrong');
    expect(keyOf('hex:0a')).toEqual({ bytes: Uint8Array.of(10) });
  });
});

describe('the command of a change', () => {
  const key = raw('user 1');
  it('is one line that means the same', () => {
    expect(commandOf({ op: 'put', key, value: raw("it's") }, 'db', 'default')).toBe(
      `varve put ./db 'user 1' 'it'\\''s'`,
    );
    expect(commandOf({ op: 'delete', key }, 'db', 'users')).toBe(
      "varve delete ./db 'user 1' --cf users",
    );
    expect(commandOf({ op: 'single_delete', key }, 'db', 'users')).toBe(
      "printf 'single-delete\\t%s\\n' hex:757365722031 | varve batch ./db --cf users",
    );
  });
  it('has no word that is a flag, a file or another literal', () => {
    for (const value of ['-', '--create', '@file', 'hex:00', 'a\nb', ''])
      expect(commandOf({ op: 'put', key: raw('k'), value: raw(value) }, 'db', 'default')).toBe(
        `varve put ./db k hex:${toHex(raw(value))}`,
      );
    expect(commandOf({ op: 'delete', key: raw('-k') }, 'db', 'default')).toBe(
      'varve delete ./db hex:2d6b',
    );
  });
});

describe('a change', () => {
  it('expects what was read: that value, or none', () => {
    const change = { op: 'put' as const, key: fromHex('00'), value: fromHex('ff') };
    expect(bodyOf(change, 'default', { sha256: 'ab' })).toEqual({
      ops: [{ op: 'put', cf: 'default', key: 'hex:00', value: 'b64:/w==' }],
      expect: [{ cf: 'default', key: 'hex:00', sha256: 'ab' }],
    });
    expect(bodyOf({ op: 'delete', key: fromHex('00') }, 'a', { sha256: undefined })).toEqual({
      ops: [{ op: 'delete', cf: 'a', key: 'hex:00' }],
      expect: [{ cf: 'a', key: 'hex:00' }],
    });
  });
  it('compares bytes', () => {
    expect(isSame(raw('a'), raw('a'))).toBe(true);
    expect(isSame(raw('a'), raw('ab'))).toBe(false);
    expect(isSame(raw(''), null)).toBe(false);
    expect(isSame(null, null)).toBe(true);
  });
});

describe('what a key has now', () => {
  // An engine with one record of the value `value`, which it cuts unless it is asked for all.
  const clientOf = (value: string | null, type: string) => {
    const asked: string[] = [];
    const answer = (url: URL) => {
      if (url.pathname.endsWith('/scan')) return { rows: value === null ? [] : [{ type }] };
      if (value === null) return { found: false };
      const cut = url.searchParams.get('bytes') !== 'full' && value.length > 256;
      const hex = toHex(raw(cut ? value.slice(0, 256) : value));
      return {
        found: true,
        sha256: 'd',
        value: { hex, len: value.length, ...(cut && { truncated: true }) },
      };
    };
    const client = new Client({
      letter: 'h',
      name: 'http',
      fetch: (request) => {
        const url = new URL(request.url);
        asked.push(url.pathname.split('/').at(-1)! + url.search);
        return Promise.resolve(Response.json(answer(url)));
      },
    });
    return { client, asked };
  };
  const path = { t: 't1', cf: 'default' };
  const nowOf = async (client: Client) => {
    const now = await readNow(client, path, raw('k'));
    return { ...now, value: now.value && toHex(now.value) };
  };

  it('is all of it, or its length', async () => {
    const short = clientOf('v', 'put');
    expect(await nowOf(short.client)).toEqual({
      sha256: 'd',
      value: toHex(raw('v')),
      len: 1,
      hasColumns: false,
    });
    const long = clientOf('v'.repeat(300), 'wide_columns');
    expect(await nowOf(long.client)).toMatchObject({
      len: 300,
      value: toHex(raw('v'.repeat(300))),
      hasColumns: true,
    });
    const longest = clientOf('v'.repeat(50_000), 'put');
    expect(await nowOf(longest.client)).toMatchObject({
      sha256: 'd',
      value: null,
      len: 50_000,
    });
    expect(longest.asked.some((url) => url.includes('full'))).toBe(false);
    const none = clientOf(null, 'put');
    expect(await nowOf(none.client)).toMatchObject({
      sha256: undefined,
      value: null,
    });
  });
});
