// SPDX-License-Identifier: Apache-2.0
// A table that SQL can be asked of: its columns, and where its rows come from.
import type { Bytes, TargetSummary } from '@/api/openapi';
import type { Asked, Client, Page } from '@/engine/client';
import { decode, rawBytes, utf8 } from '@/lib/bytes';
import { bytes, count } from '@/lib/format';
import type { Cell } from './result';

export type Kind = TargetSummary['kind'];

export interface Range {
  from: string | undefined;
  to: string | undefined;
  prefix: string | undefined;
  versions: boolean;
}

export interface Context {
  client: Client;
  t: string;
  cf: string;
  kind: Kind;
  range: Range;
  limit: number; // Rows of each table.
  signal: AbortSignal;
}

export interface Column {
  name: string;
  type: 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB'; // Of BLOB: text where the bytes are text.
  says: string;
}

export interface Example {
  says: string;
  sql: string;
}

export interface Table {
  name: string;
  says: string;
  kinds: Kind[]; // Of targets that have it.
  columns: Column[];
  columnText: string; // For CREATE TABLE.
  examples: Example[];
  cli: (target: string, kind: Kind, cf: string, range: Range) => string;
  source: (context: Pick<Context, 't' | 'cf' | 'kind' | 'range'>) => Asked<unknown> | null;
  // Ends with why these are not all, or null.
  batches: (context: Context) => AsyncGenerator<Cell[][], string | null>;
}

export interface Field<Row> extends Column {
  of: (row: Row) => Cell | boolean | undefined;
}

type Described = Omit<Table, 'columns' | 'columnText' | 'batches'>;

export function table<Row>(
  about: Described & {
    fields: Field<Row>[];
    rows: (context: Context, budget: Budget) => AsyncGenerator<Row[], void>;
  },
): Table {
  const { fields, rows, ...rest } = about;
  const columns = fields.map(({ name, type, says }) => ({ name, type, says }));
  return {
    ...rest,
    columns,
    columnText: columns.map(({ name, type }) => `"${name}" ${type}`).join(', '),
    async *batches(context) {
      const budget = new Budget(context.limit);
      for await (const some of rows(context, budget))
        yield some.map((row) => fields.map((field) => cellOf(field.of(row))));
      return budget.says();
    },
  };
}

function cellOf(value: Cell | boolean | undefined): Cell {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? Number(value) : value;
}

const kBytesMax = 128 << 20;

// What is left to read of a table, and what was left out.
export class Budget {
  private bytes = 0;
  private over = false;
  private readonly problems: string[] = [];

  constructor(
    private readonly limit: number,
    private rows = limit,
  ) {}

  left = () => this.rows;
  isSpent = () => this.over;

  // Rows that may be had; `more` says that there are further ones.
  take<Row>(rows: Row[], weigh: (row: Row) => number, more: boolean): Row[] {
    const some = rows.slice(0, this.rows);
    this.rows -= some.length;
    for (const row of some) this.bytes += weigh(row);
    if (some.length < rows.length || ((this.rows === 0 || this.bytes > kBytesMax) && more))
      this.over = true;
    return some;
  }

  // That there is something that nobody has looked at.
  leaveOut(): void {
    this.over = true;
  }

  problem(says: string): void {
    this.problems.push(says);
  }

  says(): string | null {
    const cut = this.over
      ? this.bytes > kBytesMax
        ? `the first ${bytes(kBytesMax)} of keys and values`
        : `the first ${count(this.limit)} rows`
      : null;
    const all = [...(cut ? [cut] : []), ...this.problems];
    return all.length > 0 ? all.join('; ') : null;
  }
}

// A list of the API, as far as the budget goes.
export async function* listed<Document extends Page, Row>(
  { client, signal }: Context,
  budget: Budget,
  asked: Asked<Document>,
  rowsOf: (page: Document) => Row[],
  weigh: (row: Row) => number = () => 0,
): AsyncGenerator<Row[], void> {
  if (budget.left() === 0) return budget.leaveOut();
  for await (const page of client.pages(asked, () => Math.max(1, budget.left()), signal)) {
    if (page.problem) budget.problem(page.problem.detail);
    yield budget.take(rowsOf(page), weigh, page.next_page_token !== undefined);
    if (budget.isSpent()) return;
  }
}

// No text has these, and SQLite ends some texts at the first of them.
const kControl = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

// Text where the bytes are text, so that it can be compared with text; else the bytes.
export function cellOfBytes(from: Bytes | undefined): Cell {
  if (!from) return null;
  if (from.text !== undefined) return from.text;
  const raw = rawBytes(from);
  const text = utf8(raw);
  return text === null || kControl.test(text) ? raw : text;
}

// Of bounds, which are shown and seldom compared.
export const shownBytes = (from: Bytes | undefined): Cell => (from ? decode(from) : null);
