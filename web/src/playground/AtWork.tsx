// SPDX-License-Identifier: Apache-2.0
// The tree at work: the way of the newest write and read drawn over the levels, with what the step made
// of each table. Everything that moves on the map is a row of the table below it.
import { Button } from '@mantine/core';
import { Fragment, useMemo, useSyncExternalStore } from 'react';
import { ask } from '@/engine/client';
import { bytes, count, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { Facts, KeySpan, Sideways } from '@/ui/small';
import { Empty, Loading } from '@/ui/states';
import type { Account, ReadAccount } from './account';
import { levelsOf } from './levels';
import type { Game } from './useGame';
import { WorkMap } from './WorkMap';
import { amplificationOf, tablesOf, times, writtenBy, type Table } from './work_map';
import './work.css';

const kRows = 12;

export function AtWork({ game }: { game: Game }) {
  const { link } = useRoute();
  const { account, written } = useSyncExternalStore(game.work.onChange, game.work.now);
  const tables = useMemo(() => (account ? tablesOf(account) : []), [account]);
  return (
    <Panel
      title="The tree at work"
      className="wide"
      {...(account && { source: ask('/targets/{t}/files', { path: { t: account.after.target } }) })}
      actions={
        <Button component="a" size="compact-xs" variant="light" href={link('lsm')}>
          LSM map
        </Button>
      }
    >
      {account ? (
        <>
          <p className="muted work-line">
            {written ? (
              <>
                <code>{written.line}</code>: {count(written.written)} of {count(written.of)}
              </>
            ) : account.line ? (
              <>
                after <code>{account.line}</code>
              </>
            ) : (
              'as it is'
            )}
          </p>
          <WayOfWrite account={account} />
          {tables.length === 0 ? (
            <Empty>No file yet: flush makes one.</Empty>
          ) : (
            <WorkMap tables={tables} read={account.read} />
          )}
          {account.read && <WayOfRead key={account.line} read={account.read} />}
          <Figures account={account} log={game.log.flatMap(({ read }) => read ?? [])} />
          {tables.length > 0 && <TableList tables={tables} />}
        </>
      ) : (
        <Loading what="the tree" lines={3} />
      )}
    </Panel>
  );
}

// Log, memtable, levels: what each holds, and what the step brought.
function WayOfWrite({ account: { before, after } }: { account: Account }) {
  const { log, flush, compaction } = writtenBy(before?.tickers, after.tickers);
  const grew = after.memtable - (before?.memtable ?? after.memtable);
  const emptied = before !== null && flush > 0;
  const stop = (name: string, held: string, step: string) => ({ name, held, step });
  const stops = [
    stop('log', bytes(after.log), before && log > 0 ? `+${bytes(log)}` : ''),
    stop(
      'memtable',
      bytes(after.memtable),
      emptied ? 'flushed' : grew > 0 ? `+${bytes(grew)}` : '',
    ),
    stop('flush', '', emptied ? `${bytes(flush)} written` : ''),
    ...levelsOf(after.files).map((level) =>
      stop(`L${level.level}`, `${bytes(level.bytes)}, ${plural(level.files, 'table')}`, ''),
    ),
    stop('compaction', '', before && compaction > 0 ? `${bytes(compaction)} rewritten` : ''),
  ];
  return (
    <ol className="way" aria-label="the way of a write">
      {stops.map(({ name, held, step }, i) => (
        <li
          key={`${name} ${step}`}
          className={step ? 'touched' : ''}
          style={{ animationDelay: `${i * 120}ms` }}
        >
          {name} {held && <b>{held}</b>} {step && <span className="step">{step}</span>}
        </li>
      ))}
    </ol>
  );
}

// Each place in its order; one after the other where things may move.
function WayOfRead({ read }: { read: ReadAccount }) {
  return (
    <section aria-label="the way of the read">
      <h3>
        How <code>{read.of}</code> was read
      </h3>
      <ol className="way reads">
        {read.stops.map(({ n, place, verdict, filter, blocks }, i) => (
          <li key={n} className="touched" style={{ animationDelay: `${i * 250}ms` }}>
            {n}. {place}{' '}
            {filter !== undefined && (
              <span className="tag">
                {filter ? 'filter: may be there' : 'filter: is not there'}
              </span>
            )}
            {blocks.map((block) => (
              <span key={block} className="tag">
                {block}
              </span>
            ))}
            <b>{verdict}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}

const each = (sum: number, by: number) =>
  by > 0 ? (sum / by).toFixed(sum % by === 0 ? 0 : 1) : '–';

// Of the step, and of everything since the database was opened.
function Figures({
  account: { before, after, read },
  log,
}: {
  account: Account;
  log: ReadAccount[];
}) {
  const step = before && writtenBy(before.tickers, after.tickers);
  const whole = writtenBy(undefined, after.tickers);
  const now = amplificationOf(after.tickers, after.files);
  const sum = (of: (one: ReadAccount) => number) => log.reduce((total, one) => total + of(one), 0);
  const keys = sum((one) => one.keys);
  const written = (of: typeof whole) =>
    of.operations > 0
      ? bytes(Math.round((of.log + of.flush + of.compaction) / of.operations))
      : '–';
  return (
    <div className="work-figures">
      <Facts
        of={[
          ['write amplification', times(now.write)],
          [
            'read amplification, blocks for each read',
            each(
              sum((one) => one.blocks),
              keys,
            ),
          ],
          ['space amplification', times(now.space)],
          ['sorted runs', String(now.runs)],
        ]}
      />
      <Sideways of="the cost of operations">
        <PlainTable name="cost of operations">
          <thead>
            <tr>
              <th>for each operation</th>
              <th className="num">this step</th>
              <th className="num">all steps</th>
            </tr>
          </thead>
          <tbody>
            {[
              ['bytes written, a write', step ? written(step) : '–', written(whole)],
              [
                'bytes read, a read',
                read ? bytes(Math.round(read.bytes / read.keys)) : '–',
                keys > 0 ? bytes(Math.round(sum((one) => one.bytes) / keys)) : '–',
              ],
              [
                'blocks read, a read',
                read ? each(read.blocks, read.keys) : '–',
                each(
                  sum((one) => one.blocks),
                  keys,
                ),
              ],
              [
                'key comparisons, a read',
                read ? each(read.comparisons, read.keys) : '–',
                each(
                  sum((one) => one.comparisons),
                  keys,
                ),
              ],
            ].map(([name, here, all]) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="num">{here}</td>
                <td className="num">{all}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </Sideways>
    </div>
  );
}

const kFates = { new: 'new', moved: 'moved', died: 'died', stayed: '' };

// Those that the step touched come first.
function TableList({ tables }: { tables: Table[] }) {
  const { link } = useRoute();
  const rows = useMemo(
    () => [...tables].sort((a, b) => Number(a.fate === 'stayed') - Number(b.fate === 'stayed')),
    [tables],
  );
  return (
    <>
      <Sideways of="tables, and what became of them">
        <PlainTable name="tables">
          <thead>
            <tr>
              <th>level</th>
              <th>table</th>
              <th className="num">size</th>
              <th>keys</th>
              <th>in this step</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, kRows).map(({ file, fate, why }) => (
              <tr key={`${file.id}${fate}`} className={fate === 'died' ? 'muted' : ''}>
                <td>L{file.level}</td>
                <td>
                  {fate === 'died' ? file.name : <a href={link('file', [file.id])}>{file.name}</a>}
                </td>
                <td className="num" data-value={file.size}>
                  {bytes(file.size)}
                </td>
                <td>
                  <KeySpan of={file} most={20} />
                </td>
                <td>
                  {fate !== 'stayed' && (
                    <Fragment>
                      <b>{kFates[fate]}</b> {why}
                    </Fragment>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </Sideways>
      {rows.length > kRows && <p className="muted">and {count(rows.length - kRows)} more</p>}
    </>
  );
}
