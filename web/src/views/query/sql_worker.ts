// SPDX-License-Identifier: Apache-2.0
// The worker that has SQLite. The page ends it when a statement takes too long.
import wasm from 'sql.js/dist/sql-wasm-browser.wasm?url';
import type { SqlAnswer, SqlCall } from './protocol';
import type { Result } from './result';
import { openSql, type Sql } from './sql';

const ready = openSql({ locateFile: () => wasm });

const say = (answer: SqlAnswer) => self.postMessage(answer);

function done(sql: Sql, call: SqlCall): Result | null {
  switch (call.do) {
    case 'create':
      sql.create(call.name, call.columns);
      return null;
    case 'add':
      sql.add(call.name, call.rows);
      return null;
    case 'run':
      return sql.run(call.sql);
  }
}

let last: Promise<void> = Promise.resolve();
self.onmessage = ({ data }: MessageEvent<SqlCall>) => {
  last = last.then(async () => {
    try {
      say({ result: done(await ready, data) });
    } catch (error) {
      say({ error: error instanceof Error ? error.message : String(error) });
    }
  });
};
