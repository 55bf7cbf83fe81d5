// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { addressOf } from './bridge';
import { memberOf, textOf } from './shown';

describe('what a view may ask', () => {
  const at = (path: string) => addressOf('http://h:1', 't1', path)?.href ?? null;

  it('is below the target', () => {
    expect(at('/cfs/a%20b/scan?key=%2Fx')).toBe(
      'http://h:1/api/v1/targets/t1/cfs/a%20b/scan?key=%2Fx',
    );
    expect(at('/cfs/../cfs/default')).toBe('http://h:1/api/v1/targets/t1/cfs/default');
  });

  it.each([
    '',
    'cfs',
    '/../t2/cfs',
    '/../../plugins',
    '/%2e%2e/t2',
    '/.%2E/t2',
    '/..\\t2',
    '/..%2ft2',
    '/cfs/..%5c..%5cx',
    '/cfs#x',
    '/..',
    '/../t1',
    'https://evil.example/',
    '@evil.example/',
    ':80/',
    `/${'x'.repeat(9000)}`,
  ])('%s is not', (path) => {
    expect(at(path)).toBeNull();
  });
});

describe('what is shown of it', () => {
  it('is text, and a member of each column', () => {
    expect(textOf({ is: 'a' })).toBe('a');
    expect(textOf({ is: { a: 1 } })).toBe('{"a":1}');
    expect(textOf({ failed: 'no' })).toBe('✗ no');
    expect(textOf(null)).toBe('');
    expect(memberOf({ is: [1, { b: 2 }] }, 'x', 1)).toBe('{"b":2}');
    expect(memberOf({ is: { x: 'y' } }, 'x', 3)).toBe('y');
    expect(memberOf({ is: 7 }, 'x', 0)).toBe('');
    expect(memberOf({ is: { x: null } }, 'x', 0)).toBe('');
  });
});
