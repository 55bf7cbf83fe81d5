// SPDX-License-Identifier: Apache-2.0
// What a plugin's view gave, checked and bounded: data, which the page draws by its own means.
import { isRecord } from '@/lib/guards';
import { PluginError } from './manifest';

export type Cell = string | number | null;

export type Block =
  | { kind: 'heading' | 'text' | 'code'; text: string }
  | { kind: 'facts'; facts: [string, Cell][] }
  | { kind: 'bars'; title: string; inBytes: boolean; bars: [string, number][] }
  | { kind: 'table'; title: string; columns: string[]; rows: Cell[][] };

const kBlocksMax = 100;
const kRowsMax = 20_000; // Of all blocks together.
const kColumnsMax = 64;

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isFact = (value: unknown): value is [string, Cell] =>
  Array.isArray(value) && value.length === 2 && isText(value[0]) && isCell(value[1]);
const isBar = (value: unknown): value is [string, number] =>
  isFact(value) && typeof value[1] === 'number' && value[1] >= 0;
const isListOf = <T>(value: unknown, is: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(is);

function blockOf(said: unknown, at: number): Block {
  const wrong = (why: string) => new PluginError(`block ${at + 1} of its view ${why}`);
  if (!isRecord(said)) throw wrong('is no object');
  for (const kind of ['heading', 'text', 'code'] as const) {
    const text = said[kind];
    if (isText(text)) return { kind, text };
  }
  if (said.facts !== undefined) {
    if (!isListOf(said.facts, isFact)) throw wrong('has facts that are no [name, value]');
    return { kind: 'facts', facts: said.facts };
  }
  const { title } = said;
  if (said.bars !== undefined) {
    if (!isText(title)) throw wrong('has bars without a title');
    if (!isListOf(said.bars, isBar)) throw wrong('has bars that are no [label, number from 0]');
    return { kind: 'bars', title, inBytes: said.unit === 'bytes', bars: said.bars };
  }
  if (isRecord(said.table)) {
    const { columns, rows } = said.table;
    if (!isText(title)) throw wrong('has a table without a title');
    if (!isListOf(columns, isText) || columns.length === 0 || columns.length > kColumnsMax)
      throw wrong(`has a table without names of 1 to ${kColumnsMax} columns`);
    const isRow = (row: unknown): row is Cell[] =>
      isListOf(row, isCell) && row.length === columns.length;
    if (!isListOf(rows, isRow)) throw wrong('has rows that are not a cell for each column');
    return { kind: 'table', title, columns, rows };
  }
  throw wrong('is none that the page can draw');
}

const rowsIn = (block: Block) =>
  block.kind === 'table'
    ? block.rows.length
    : block.kind === 'bars'
      ? block.bars.length
      : block.kind === 'facts'
        ? block.facts.length
        : 1;

export function blocksOf(said: unknown): Block[] {
  if (!Array.isArray(said)) throw new PluginError('its view gave no list of blocks');
  if (said.length > kBlocksMax)
    throw new PluginError(`its view gave more than ${kBlocksMax} blocks`);
  const blocks = said.map(blockOf);
  if (blocks.reduce((sum, block) => sum + rowsIn(block), 0) > kRowsMax)
    throw new PluginError(`its view gave more than ${kRowsMax} rows`);
  return blocks;
}
