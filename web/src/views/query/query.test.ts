// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { Budget, cellOfBytes } from './table';
import { kBounds } from './result';
import { openSql } from './sql';
import { kTables } from './tables';
import { asPart, countsOf, literalOf, narrowed, tablesIn } from './text';

const wasmBinary = readFileSync(
  createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'),
);
const open = (bounds = kBounds) => openSql({ wasmBinary }, bounds);

describe('SQL over tables that are filled', () => {
  it('keeps whole numbers of 64 bits, bytes, and what is missing', async () => {
    const sql = await open();
    sql.create('t', 'seq INTEGER, key BLOB, level INTEGER');
    sql.add('t', [
      ['72057594037927935', new Uint8Array([0, 255]), null],
      ['7', 'a', 3],
    ]);
    expect(sql.run('SELECT seq + 0, key, level FROM t ORDER BY seq').rows).toEqual([
      [7, 'a', 3],
      [72057594037927935n, new Uint8Array([0, 255]), null],
    ]);
  });

  it('says what of several statements has an answer, and leaves tables as they are', async () => {
    const sql = await open();
    sql.create('t', 'a');
    sql.add('t', [[1]]);
    expect(sql.run('SELECT 1; SELECT a AS b FROM t; ')).toMatchObject({
      columns: ['b'],
      rows: [[1]],
    });
    for (const change of ['DROP TABLE t', 'DELETE FROM t', 'CREATE TABLE u (a)'])
      expect(() => sql.run(change)).toThrow(/readonly/);
    for (const change of [
      'PRAGMA query_only = 0; DELETE FROM t WHERE a = 1',
      'PRAGMA query_only = 0; CREATE TEMP TABLE t (b)',
    ])
      expect(() => sql.run(change)).toThrow(/readonly/);
    sql.run('BEGIN; SELECT 1'); // Does not outlive the call.
    expect(sql.run('SELECT a FROM t').rows).toEqual([[1]]);
    sql.create('t', 'a, b'); // Filled anew.
    expect(sql.run('SELECT * FROM t')).toMatchObject({ columns: ['a', 'b'], rows: [] });
  });

  it('is bounded in rows, bytes and memory, and goes on after', async () => {
    const sql = await open({ rows: 10, bytes: 1000, heap: 64 << 20 });
    const count = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
    const many = sql.run(`${count} SELECT i FROM n`);
    expect([many.rows.length, many.more]).toEqual([10, 'rows']);
    expect(sql.run("SELECT 'x' FROM (VALUES (1), (2))").more).toBeNull();
    expect(sql.run('SELECT hex(zeroblob(900)) FROM (VALUES (1))')).toMatchObject({
      rows: [],
      more: 'bytes',
    });
    expect(() => sql.run(`${count} SELECT i, randomblob(1000) AS b FROM n ORDER BY b`)).toThrow(
      /out of memory/,
    );
    expect(sql.run('SELECT 1').rows).toEqual([[1]]);
  });

  it('has every table as it is described, and its examples are statements', async () => {
    const sql = await open();
    for (const { name, columnText, columns } of kTables) {
      sql.create(name, columnText);
      expect(sql.run(`SELECT * FROM ${name}`).columns).toEqual(columns.map((one) => one.name));
    }
    for (const { name, examples } of kTables)
      for (const { sql: text } of examples) {
        expect(tablesIn(text, [name])).toEqual([name]);
        expect(sql.run(text).columns.length, text).toBeGreaterThan(0);
        expect(asPart(text), text).not.toBeNull();
        const part = asPart(text)!;
        const [column = ''] = sql.run(text).columns;
        expect(sql.run(countsOf(part, column)).columns).toEqual(['value', 'rows']);
        sql.run(narrowed(part, column, 'x'));
      }
  });
});

describe('statements as text', () => {
  it('are parts of others only if they are one', () => {
    expect(asPart('SELECT 1; -- done')).toBe('SELECT 1');
    expect(asPart("SELECT ';'")).toBe("SELECT ';'");
    expect(asPart('SELECT 1 -- all')).toBe('SELECT 1 -- all');
    expect(asPart('-- one\nWITH a AS (SELECT 1) SELECT * FROM a')).not.toBeNull();
    expect(asPart('SELECT 1; SELECT 2')).toBeNull();
    expect(asPart('EXPLAIN SELECT 1')).toBeNull();
  });

  it('compare with any value', () => {
    expect(literalOf("it's")).toBe("'it''s'");
    expect(literalOf(new Uint8Array([1, 255]))).toBe("x'01ff'");
    expect(literalOf(null)).toBe('NULL');
    expect(literalOf(72057594037927935n)).toBe('72057594037927935');
    expect(narrowed('SELECT a FROM t -- all', 'a"b', 1)).toBe(
      'SELECT * FROM (\nSELECT a FROM t -- all\n) WHERE "a""b" IS 1',
    );
  });

  it('names no table in a comment or a text', () => {
    expect(
      tablesIn("SELECT 'files' /* jobs */ FROM Levels -- edits", [
        'files',
        'jobs',
        'levels',
        'edits',
      ]),
    ).toEqual(['levels']);
  });
});

describe('what a table is filled with', () => {
  it('says whether it is all', () => {
    const whole = new Budget(2);
    whole.take([1, 2], () => 0, false);
    expect(whole.says()).toBeNull();
    const cut = new Budget(2);
    expect(cut.take([1, 2, 3], () => 0, false)).toEqual([1, 2]);
    expect(cut.says()).toBe('the first 2 rows');
    const more = new Budget(2);
    more.take([1, 2], () => 0, true);
    expect(more.says()).toBe('the first 2 rows');
    const large = new Budget(10);
    large.take([1], () => 1 << 30, true);
    expect(large.isSpent()).toBe(true);
    expect(large.says()).toMatch(/128 MiB of keys and values/);
    const damaged = new Budget(10);
    damaged.problem('block 3 is damaged');
    expect(damaged.says()).toBe('block 3 is damaged');
  });

  it('is text only where the bytes are', () => {
    expect(cellOfBytes({ hex: '61', text: 'a', len: 1 })).toBe('a');
    expect(cellOfBytes({ hex: '610a62', len: 3 })).toBe('a\nb');
    expect(cellOfBytes({ hex: '0061', len: 2 })).toEqual(new Uint8Array([0, 0x61]));
    expect(cellOfBytes({ hex: 'ff', len: 1 })).toEqual(new Uint8Array([255]));
  });
});
