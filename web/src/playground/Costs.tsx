// SPDX-License-Identifier: Apache-2.0
// What the database has written and keeps for what was given to it: write, space and read
// amplification, and the way of a write from log to last level.
import { ask } from '@/engine/client';
import { useResource, useRows } from '@/engine/context';
import { bytes, plural } from '@/lib/format';
import { Panel } from '@/ui/Panel';
import { Facts } from '@/ui/small';
import { Shown } from '@/ui/states';
import { levelsOf } from './levels';
import { amplificationOf, times, writtenBy } from './work_map';

export function Costs({ path, title = 'Costs' }: { path: { t: string }; title?: string }) {
  const source = ask('/targets/{t}/stats', { path });
  const stats = useResource(source);
  const files = useRows(ask('/targets/{t}/files', { path }), (page) => page.files);
  const wals = useResource(ask('/targets/{t}/wal', { path }));
  return (
    <Panel title={title} source={source}>
      <Shown of={stats} lines={4}>
        {({ stats: { tickers, memtable_bytes } }) => {
          const rows = files.data?.rows ?? [];
          const { given, log: logged, flush, compaction } = writtenBy(undefined, tickers);
          const { write, space, runs } = amplificationOf(tickers, rows);
          const levels = levelsOf(rows);
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
                  ['written to the log', bytes(logged)],
                  ['written by flushes', bytes(flush)],
                  ['written by compactions', bytes(compaction)],
                  ['write amplification', times(write)],
                  ['space amplification', times(space)],
                  ['sorted runs that a scan merges', String(runs)],
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
