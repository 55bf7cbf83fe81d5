// SPDX-License-Identifier: Apache-2.0
// SQL as text: which tables it names, and statements that are made of one that is there.
import { toHex } from '@/lib/bytes';
import type { Cell } from './result';

export function nameText(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

// Comments and what is in single quotes are no names.
function withoutTexts(sql: string): string {
  return sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'/g, ' ');
}

// Those of `tables` whose names are in the statement.
export function tablesIn(sql: string, tables: string[]): string[] {
  const words = new Set(withoutTexts(sql).toLowerCase().match(/\w+/g));
  return tables.filter((name) => words.has(name.toLowerCase()));
}

// One statement that can stand in parentheses, without what ends it; null: it is something else.
export function asPart(sql: string): string | null {
  const rest = withoutTexts(sql).trim().replace(/;\s*$/, '');
  if (!/^(select|with|values)\b/i.test(rest) || rest.includes(';')) return null;
  return sql.replace(/;\s*(?:--[^\n]*\s*)*$/, '');
}

export function literalOf(value: Cell): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value instanceof Uint8Array ? `x'${toHex(value)}'` : String(value);
}

// How many rows of the statement have each value of that column, the most frequent first.
export function countsOf(sql: string, column: string): string {
  return `SELECT ${nameText(column)} AS value, count(*) AS rows\nFROM (${sql}\n)\nGROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1000`;
}

// The rows of the statement that have that value there.
export function narrowed(sql: string, column: string, value: Cell): string {
  return `SELECT * FROM (\n${sql}\n) WHERE ${nameText(column)} IS ${literalOf(value)}`;
}

// As it is shown and saved.
export function textOf(value: Cell): string | number {
  if (value === null) return '';
  if (value instanceof Uint8Array) return literalOf(value);
  return typeof value === 'bigint' ? String(value) : value;
}
