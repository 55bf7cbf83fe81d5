// SPDX-License-Identifier: Apache-2.0
// The debt map: over which keys do bytes lie that nobody can read any more, and where do scans step
// over the most.
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import type { Bytes, KeyspaceFamily, KeyspaceSlice } from '@/api/openapi';
import type { Asked } from '@/engine/client';
import { useTarget } from '@/engine/context';
import { useAnalysis, type Run } from '@/shell/jobs';
import { literal } from '@/lib/bytes';
import { varve } from '@/lib/cli';
import { bytes, count, percent, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { Bar, BytesText, Parts } from '@/ui/small';
import { Empty, ProblemNote } from '@/ui/states';

export default function Keyspace() {
  const { route } = useRoute();
  const { source, run, result: keyspace } = useAnalysis('keyspace');
  const { source: runsSource, run: runs, result: tombstones } = useAnalysis('tombstones');
  const name = `./${useTarget().data?.target.name ?? ''}`;
  const family = keyspace?.cfs.find((f) => f.name === route.cf) ?? keyspace?.cfs[0];
  const walked = tombstones?.cfs.find((f) => f.name === route.cf) ?? tombstones?.cfs[0];
  return (
    <div className="page">
      <div className="page-head">
        <h1>Keyspace</h1>
        <span className="muted">what lies where, and what of it is debt</span>
      </div>
      {!family ? (
        <Panel title="Not measured yet" cli={varve('db space', [name])}>
          <p className="muted">
            To tell live bytes from debt, every entry of every table has to be looked at.
          </p>
          <JobControl
            run={run}
            label="Measure the key space"
            start={() => run.start({ kind: 'analysis', analysis: 'keyspace' })}
          />
        </Panel>
      ) : (
        <DebtMap family={family} source={source} name={name} />
      )}
      <Panel
        title="Longest runs of dead entries"
        source={runsSource}
        cli={varve('db space', [name])}
      >
        {!walked ? (
          <JobControl
            run={runs}
            label="Find the runs"
            start={() => runs.start({ kind: 'analysis', analysis: 'tombstones' })}
          />
        ) : walked.longest_runs.length === 0 ? (
          <Empty>A scan steps over nothing.</Empty>
        ) : (
          <>
            <p className="muted">
              A scan of everything yields {plural(walked.keys, 'key')} and steps over{' '}
              {plural(walked.skipped, 'dead entry', 'dead entries')}; the worst places:
            </p>
            <PlainTable name="runs of dead entries">
              <thead>
                <tr>
                  <th className="num">stepped over</th>
                  <th className="num">tombstones</th>
                  <th>after</th>
                  <th>before</th>
                </tr>
              </thead>
              <tbody>
                {walked.longest_runs.slice(0, 12).map((hole, i) => (
                  <tr key={i}>
                    <td className="num">{count(hole.skipped)}</td>
                    <td className="num">{count(hole.tombstones)}</td>
                    <td>{hole.after ? <KeyLink of={hole.after} /> : 'the beginning'}</td>
                    <td>{hole.before ? <KeyLink of={hole.before} /> : 'the end'}</td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          </>
        )}
      </Panel>
    </div>
  );
}

function KeyLink({ of }: { of: Bytes }) {
  const { link } = useRoute();
  return (
    <a href={link('data', [], { from: literal(of) })}>
      <BytesText bytes={of} most={40} />
    </a>
  );
}

function JobControl<Result>({
  run,
  label,
  start,
}: {
  run: Run<Result>;
  label: string;
  start: () => void;
}) {
  if (run.problem) return <ProblemNote problem={run.problem} retry={start} />;
  if (run.job) {
    return (
      <p className="toolbar">
        <Bar
          value={run.job.progress.done}
          most={Math.max(1, run.job.progress.total)}
          label="progress"
        />
        <span className="muted">
          {bytes(run.job.progress.done)} of {bytes(run.job.progress.total)}
        </span>
      </p>
    );
  }
  return (
    <Button size="compact-sm" variant="light" mt={8} onClick={start}>
      {label}
    </Button>
  );
}

const debtOf = (slice: KeyspaceSlice) => slice.shadowed.bytes + slice.tombstones.bytes;
const wholeOf = (slice: KeyspaceSlice) => slice.live.bytes + debtOf(slice);

function DebtMap({
  family,
  source,
  name,
}: {
  family: KeyspaceFamily;
  source: Asked<unknown>;
  name: string;
}) {
  const { route, setQuery, link } = useRoute();
  const columns: Column<KeyspaceSlice>[] = useMemo(
    () => [
      {
        id: 'from',
        header: 'from key',
        value: (slice) => slice.from.hex ?? '',
        cell: (slice) =>
          slice.from.len === 0 ? (
            <span className="muted">the beginning</span>
          ) : (
            <BytesText bytes={slice.from} most={48} />
          ),
        width: 'minmax(150px, 1.4fr)',
      },
      {
        id: 'keys',
        header: 'keys',
        value: (slice) => slice.keys,
        cell: (slice) => count(slice.keys),
        numeric: true,
      },
      {
        id: 'live',
        header: 'live',
        value: (slice) => slice.live.bytes,
        cell: (slice) => bytes(slice.live.bytes),
        numeric: true,
      },
      {
        id: 'shadowed',
        header: 'shadowed',
        value: (slice) => slice.shadowed.bytes,
        cell: (slice) => bytes(slice.shadowed.bytes),
        numeric: true,
      },
      {
        id: 'tombstones',
        header: 'tombstones',
        value: (slice) => slice.tombstones.bytes,
        cell: (slice) => bytes(slice.tombstones.bytes),
        numeric: true,
      },
      {
        id: 'debt',
        header: 'debt',
        value: (slice) => debtOf(slice) / Math.max(1, wholeOf(slice)),
        cell: (slice) => percent(debtOf(slice), wholeOf(slice)),
        numeric: true,
      },
    ],
    [],
  );
  if (family.not_supported)
    return (
      <Empty>
        {family.name}: {family.not_supported}.
      </Empty>
    );
  const total = (part: 'live' | 'shadowed' | 'tombstones') =>
    family.slices.reduce((sum, slice) => sum + slice[part].bytes, 0);
  const selected = family.slices.find((slice) => literal(slice.from) === route.query.sel);
  return (
    <Panel title={`Debt of ${family.name}`} source={source} cli={varve('db space', [name])}>
      <Parts
        show={bytes}
        of={[
          { name: 'live', value: total('live'), tone: 'live' },
          { name: 'shadowed by newer versions', value: total('shadowed'), tone: 'shadowed' },
          { name: 'tombstones', value: total('tombstones'), tone: 'tombstones' },
        ]}
      />
      <Columns
        slices={family.slices}
        selected={selected}
        onSelect={(slice) => setQuery({ sel: literal(slice.from) })}
      />
      {selected && (
        <p aria-live="polite">
          from <BytesText bytes={selected.from} />: {plural(selected.keys, 'key')},{' '}
          {percent(debtOf(selected), wholeOf(selected))} debt ·{' '}
          <a href={link('data', [], selected.from.len > 0 ? { from: literal(selected.from) } : {})}>
            its records
          </a>
        </p>
      )}
      <DataGrid
        label="slices of the key space"
        saveName="keyspace"
        rows={family.slices}
        columns={columns}
        rowId={(slice) => literal(slice.from)}
        height={320}
        selected={route.query.sel ?? null}
        onSelect={(slice) => setQuery({ sel: literal(slice.from) })}
      />
    </Panel>
  );
}

// One column a slice, in key order: live below, debt hatched above it. The table says the same.
function Columns({
  slices,
  selected,
  onSelect,
}: {
  slices: KeyspaceSlice[];
  selected: KeyspaceSlice | undefined;
  onSelect: (slice: KeyspaceSlice) => void;
}) {
  const most = Math.max(1, ...slices.map(wholeOf));
  const shown = slices.length > 240 ? joined(slices, 240) : slices;
  return (
    <div
      className="columns-chart"
      role="img"
      aria-label="bytes by key: live, shadowed, tombstones; the table below holds the same"
    >
      {shown.map((slice, i) => (
        <span key={i} className={slice === selected ? 'on' : ''} onClick={() => onSelect(slice)}>
          <i
            className="tone-tombstones"
            style={{ height: `${(100 * slice.tombstones.bytes) / most}%` }}
          />
          <i
            className="tone-shadowed"
            style={{ height: `${(100 * slice.shadowed.bytes) / most}%` }}
          />
          <i className="tone-live" style={{ height: `${(100 * slice.live.bytes) / most}%` }} />
        </span>
      ))}
    </div>
  );
}

// The fullest of each run of slices stands for it.
function joined(slices: KeyspaceSlice[], columns: number): KeyspaceSlice[] {
  return Array.from({ length: columns }, (_, i) => {
    const part = slices.slice(
      Math.floor((i * slices.length) / columns),
      Math.floor(((i + 1) * slices.length) / columns),
    );
    return part.reduce((a, b) => (wholeOf(b) > wholeOf(a) ? b : a));
  });
}
