// SPDX-License-Identifier: Apache-2.0
// SQLite in memory, compiled to WebAssembly (sql.js): tables that are filled row by row, and what a
// statement says of them, within bounds. Runs in a worker (sql_worker.ts), where it can be ended.
import initSqlJs, { type Database } from 'sql.js';
import { kBounds, type Bounds, type Cell, type Result } from './result';
import { nameText } from './text';

type Source = Parameters<typeof initSqlJs>[0];

export async function openSql(source: Source, bounds = kBounds): Promise<Sql> {
  const { Database } = await initSqlJs(source);
  return new Sql(new Database(), bounds);
}

export class Sql {
  constructor(
    private readonly db: Database,
    private readonly bounds: Bounds,
  ) {
    // What is sorted stays where the bound counts it.
    db.run(`PRAGMA hard_heap_limit = ${bounds.heap}; PRAGMA temp_store = memory`);
  }

  // A table of that name, empty; one that there was is gone.
  create(name: string, columns: string): void {
    this.writable(() => {
      this.db.run(`DROP TABLE IF EXISTS ${nameText(name)}`);
      this.db.run(`CREATE TABLE ${nameText(name)} (${columns})`);
    });
  }

  add(name: string, rows: Cell[][]): void {
    const [first] = rows;
    if (!first) return;
    this.writable(() => {
      this.db.run('BEGIN');
      const places = first.map(() => '?').join(', ');
      const insert = this.db.prepare(`INSERT INTO ${nameText(name)} VALUES (${places})`);
      try {
        for (const row of rows) insert.run(row);
        insert.free();
        this.db.run('COMMIT');
      } catch (error) {
        insert.free();
        this.db.run('ROLLBACK');
        throw error;
      }
    });
  }

  // Of several statements, what the last one says that has columns.
  run(sql: string): Result {
    let result: Result = { columns: [], rows: [], more: null };
    try {
      for (const statement of this.db.iterateStatements(sql)) {
        // PRAGMA query_only = 0 has its effect when it is prepared.
        this.db.run('PRAGMA query_only = 1');
        const columns = statement.getColumnNames();
        if (columns.length === 0) while (statement.step());
        else result = { columns, ...this.take(statement) };
      }
    } finally {
      this.endTransaction();
    }
    return result;
  }

  private take(statement: { step(): boolean; get: TakeRow }): Pick<Result, 'rows' | 'more'> {
    const rows: Cell[][] = [];
    let bytes = 0;
    while (statement.step()) {
      if (rows.length === this.bounds.rows) return { rows, more: 'rows' };
      const row = statement.get(null, { useBigInt: true }).map(plain);
      bytes += row.reduce<number>((sum, cell) => sum + sizeOf(cell), 0);
      if (bytes > this.bounds.bytes) return { rows, more: 'bytes' };
      rows.push(row);
    }
    return { rows, more: null };
  }

  // One that a statement of the user began: nothing could be filled within it.
  private endTransaction(): void {
    try {
      this.db.run('ROLLBACK');
    } catch {
      // There is none.
    }
  }

  // Statements of the user cannot change a table: it stays what it was filled with.
  private writable(body: () => void): void {
    this.db.run('PRAGMA query_only = 0');
    try {
      body();
    } finally {
      this.db.run('PRAGMA query_only = 1');
    }
  }
}

type TakeRow = (params: null, config: { useBigInt: true }) => Cell[];

// A number where it is exact.
function plain(cell: Cell): Cell {
  return typeof cell === 'bigint' &&
    cell === BigInt(Number(cell)) &&
    Number.isSafeInteger(Number(cell))
    ? Number(cell)
    : cell;
}

function sizeOf(cell: Cell): number {
  return typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
}
