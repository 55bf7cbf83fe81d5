// SPDX-License-Identifier: Apache-2.0
// What the database has written and keeps for what was given to it: write, space and read
// amplification, and the way of a write from log to last level.
import { ask } from '@/engine/client';
import { useResource, useRows } from '@/engine/context';
import { bytes, plural } from '@/lib/format';
import { Panel } from '@/ui/Panel';
import { Facts } from '@/ui/small';
import { Shown } from '@/ui/states';
import { levelsOf, sortedRuns } from './levels';

const ratio = (part: number, whole: number) => (whole > 0 ? `${(part / whole).toFixed(2)} ×` : '–');

export function Costs({ path, title = 'Costs' }: { path: { t: string }; title?: string }) {
  const source = ask('/targets/{t}/stats', { path });
  const stats = useResource(source);
  const files = useRows(ask('/targets/{t}/files', { path }), (page) => page.files);
  const wals = useResource(ask('/targets/{t}/wal', { path }));
  return (
    <Panel title={title} source={source}>
      <Shown of={stats} lines={4}>
        {({ stats: { tickers, memtable_bytes } }) => {
          const given = tickers['rocksdb.bytes.written'];
          const tables =
            tickers['rocksdb.flush.write.bytes'] + tickers['rocksdb.compact.write.bytes'];
          const levels = levelsOf(files.data?.rows ?? []);
          const kept = levels.reduce((sum, level) => sum + level.bytes, 0);
          const log = (wals.data?.segments ?? [])
            .filter((segment) => segment.live)
            .reduce((sum, segment) => sum + segment.size, 0);
          return (
            <>
              <ol className="write-path" aria-label="the way of a write">
                <li>
                  log <b>{bytes(log)}</b>
                </li>
                <li>
                  memtable <b>{bytes(memtable_bytes)}</b>
                </li>
                {levels.map((level) => (
                  <li key={level.level}>
                    L{level.level} <b>{bytes(level.bytes)}</b> {plural(level.files, 'table')}
                  </li>
                ))}
              </ol>
              <Facts
                of={[
                  ['keys and values given', bytes(given)],
                  ['written to the log', bytes(tickers['rocksdb.wal.bytes'])],
                  ['written by flushes', bytes(tickers['rocksdb.flush.write.bytes'])],
                  ['written by compactions', bytes(tickers['rocksdb.compact.write.bytes'])],
                  ['write amplification, tables', ratio(tables, given)],
                  ['kept in tables for what was given', ratio(kept, given)],
                  ['sorted runs that a scan merges', String(sortedRuns(levels))],
                ]}
              />
              <p className="muted">Since the database was opened.</p>
            </>
          );
        }}
      </Shown>
    </Panel>
  );
}
