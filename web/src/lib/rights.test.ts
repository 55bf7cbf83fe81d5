// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Right } from '@/api/openapi';
import { may, rightText } from './rights';

describe('rights', () => {
  const rights: Right[] = [
    { access: 'read', target: 'orders' },
    { access: 'write', target: 'stock', cf: 'default' },
  ];

  it('cover what is needed, or it is not allowed', () => {
    expect(may(rights, 'read', 'orders')).toBe(true);
    expect(may(rights, 'read', 'orders', 'any')).toBe(true);
    expect(may(rights, 'write', 'orders', 'any')).toBe(false);
    expect(may(rights, 'write', 'stock', 'default')).toBe(true);
    expect(may(rights, 'read', 'stock', 'default')).toBe(true);
    expect(may(rights, 'read', 'stock')).toBe(false);
    expect(may(rights, 'read', 'stock', 'log')).toBe(false);
    expect(may([], 'read', 'orders')).toBe(false);
    expect(may([{ access: 'write' }], 'write', 'any', 'any')).toBe(true);
  });

  it('are told to people', () => {
    expect(rights.map(rightText)).toEqual(['read orders', 'write stock/default']);
    expect(rightText({ access: 'write' })).toBe('write everything');
  });
});
