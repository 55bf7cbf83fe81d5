// SPDX-License-Identifier: Apache-2.0
// Asks SQL of tables that are filled when a statement first names them. One statement after the other;
// one that takes too long, or is not wanted any more, ends the worker, and the next one begins another.
import type { SqlAnswer, SqlCall } from './protocol';
import type { Result } from './result';
import type { Context, Table } from './table';
import { tablesIn } from './text';

export const kSecondsMax = 30; // Of one statement, without filling its tables.

export interface Filled {
  name: string;
  rows: number;
  part: string | null; // Why it is not all that there is.
}

export interface Told {
  result: Result;
  filled: Filled[];
  ms: number; // That the statement took.
}

export interface Ask {
  sql: string;
  tables: Table[];
  context: Omit<Context, 'signal'>;
  of: string; // Tells apart what tables are filled from.
  onProgress: (says: string) => void;
}

export class Desk {
  private worker: Worker | null = null;
  private waiting: {
    resolve: (result: Result | null) => void;
    reject: (error: Error) => void;
  } | null = null;
  private of = '';
  private filled = new Map<string, Filled>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly start: () => Worker) {}

  // Rejects when the signal says so, and then nothing of it goes on.
  ask(asked: Ask, signal: AbortSignal): Promise<Told> {
    const mine = this.turn.then(() => this.answer(asked, signal));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  end(why = 'stopped'): void {
    this.worker?.terminate();
    this.worker = null;
    this.filled.clear();
    this.waiting?.reject(new Error(why));
    this.waiting = null;
  }

  private async answer(asked: Ask, signal: AbortSignal): Promise<Told> {
    signal.throwIfAborted();
    const stop = () => this.end();
    signal.addEventListener('abort', stop);
    try {
      if (asked.of !== this.of) this.end();
      this.of = asked.of;
      for (;;) {
        try {
          asked.onProgress('asking');
          const began = performance.now();
          const result = await this.bounded(asked.sql);
          const ms = performance.now() - began;
          const named = tablesIn(asked.sql, [...this.filled.keys()]);
          return {
            result,
            ms,
            filled: [...this.filled.values()].filter((f) => named.includes(f.name)),
          };
        } catch (error) {
          const table = missingTable(error, asked.tables);
          if (!table || this.filled.has(table.name)) throw error;
          await this.fill(table, asked, signal);
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private async bounded(sql: string): Promise<Result> {
    const late = setTimeout(() => this.end(`stopped after ${kSecondsMax} s`), kSecondsMax * 1000);
    try {
      const result = await this.call({ do: 'run', sql });
      if (!result) throw new Error('the worker gave no result');
      return result;
    } finally {
      clearTimeout(late);
    }
  }

  private async fill(table: Table, { context, onProgress }: Ask, signal: AbortSignal) {
    onProgress(`reading ${table.name}`);
    await this.call({ do: 'create', name: table.name, columns: table.columnText });
    let rows = 0;
    const batches = table.batches({ ...context, signal });
    for (;;) {
      const next = await batches.next();
      signal.throwIfAborted();
      if (next.done) {
        this.filled.set(table.name, { name: table.name, rows, part: next.value });
        return;
      }
      await this.call({ do: 'add', name: table.name, rows: next.value });
      rows += next.value.length;
      onProgress(`reading ${table.name}: ${rows} rows`);
    }
  }

  private call(call: SqlCall): Promise<Result | null> {
    const worker = (this.worker ??= this.begin());
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      worker.postMessage(call);
    });
  }

  private begin(): Worker {
    const worker = this.start();
    worker.onmessage = ({ data }: MessageEvent<SqlAnswer>) => {
      const { waiting } = this;
      this.waiting = null;
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.result);
    };
    worker.onerror = (event) => this.end(event.message || 'SQLite could not be loaded');
    return worker;
  }
}

// SQLite knows what a statement needs; its text alone does not say what is a table and what a column.
function missingTable(error: unknown, tables: Table[]): Table | undefined {
  const name =
    error instanceof Error ? /^no such table: (?:main\.)?(.+)$/.exec(error.message)?.[1] : '';
  return tables.find((table) => table.name === name?.toLowerCase());
}

export const startDesk = () =>
  new Desk(() => new Worker(new URL('./sql_worker.ts', import.meta.url), { type: 'module' }));
