// SPDX-License-Identifier: Apache-2.0
// What a plugin made of bytes, as text: in the cell of a table, and whole.
import { isRecord } from '@/lib/guards';
import type { Decoded } from './sandbox';

export function textOf(decoded: Decoded | undefined, indent = 0): string {
  if (!decoded) return '';
  if ('failed' in decoded) return `✗ ${decoded.failed}`;
  const { is } = decoded;
  return typeof is === 'string' ? is : (JSON.stringify(is, null, indent) ?? '');
}

// The member, or of a list the item, that a column has.
export function memberOf(decoded: Decoded | undefined, name: string, at: number): string | number {
  if (!decoded || 'failed' in decoded) return '';
  const { is } = decoded;
  const member: unknown = Array.isArray(is)
    ? is[at]
    : isRecord(is) && Object.hasOwn(is, name)
      ? is[name]
      : undefined;
  if (member === undefined || member === null) return '';
  return typeof member === 'number' || typeof member === 'string' ? member : JSON.stringify(member);
}
