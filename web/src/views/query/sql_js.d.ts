// SPDX-License-Identifier: Apache-2.0
// Of sql.js, what is used here, with whole numbers of 64 bits, which its own types leave out.
declare module 'sql.js' {
  export type SqlValue = string | number | bigint | Uint8Array | null;

  export interface Statement {
    step(): boolean;
    get(params: null, config: { useBigInt: true }): SqlValue[];
    getColumnNames(): string[];
    run(values: SqlValue[]): void;
    free(): boolean;
  }

  export interface Database {
    run(sql: string): Database;
    prepare(sql: string): Statement;
    iterateStatements(sql: string): Iterable<Statement>;
    close(): void;
  }

  interface Config {
    locateFile?: (name: string) => string;
    wasmBinary?: Uint8Array;
  }
  export default function initSqlJs(config: Config): Promise<{ Database: new () => Database }>;
}
