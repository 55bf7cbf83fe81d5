// SPDX-License-Identifier: Apache-2.0
// The write-ahead logs: batches with their offsets, operations and damage.
import type { WalRecord, WalSegment } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useResource, useRows, useTarget, useTargetPath } from '@/engine/context';
import { varve } from '@/lib/cli';
import { bytes, count, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { BytesText, Facts } from '@/ui/small';
import { Empty, Shown } from '@/ui/states';

export default function Wal() {
  const { target } = useTarget().data ?? {};
  if (!target) return null;
  return target.kind === 'db' ? <Segments /> : <LogAlone name={target.name} />;
}

// A log without its database: nothing says whether it is still needed.
function LogAlone({ name }: { name: string }) {
  return (
    <div className="page">
      <div className="page-head">
        <h1>Log</h1>
        <span className="muted">writes as they came, batch by batch</span>
      </div>
      <Records segment={{ id: '0', name, damage: [] }} cli={varve('wal records', [`./${name}`])} />
    </div>
  );
}

function Segments() {
  const { route, setQuery } = useRoute();
  const path = useTargetPath();
  const name = `./${useTarget().data?.target.name ?? ''}`;
  const wals = useResource(ask('/targets/{t}/wal', { path, query: { page_size: 1000 } }));
  const columns: Column<WalSegment>[] = [
    { id: 'name', header: 'log', value: (s) => s.name, mono: true },
    { id: 'size', header: 'size', value: (s) => s.size, cell: (s) => bytes(s.size), numeric: true },
    { id: 'state', header: 'state', value: (s) => (s.live ? 'needed' : 'obsolete') },
    { id: 'batches', header: 'batches', value: (s) => s.batches, numeric: true },
    { id: 'ops', header: 'operations', value: (s) => s.operations, numeric: true },
    {
      id: 'seqs',
      header: 'sequences',
      value: (s) => Number(s.first_seq ?? 0),
      cell: (s) => (s.first_seq ? `${s.first_seq}–${s.last_seq}` : '–'),
      numeric: true,
    },
    {
      id: 'damage',
      header: 'damage',
      value: (s) => s.damaged_bytes,
      cell: (s) =>
        s.damaged_bytes > 0 ? <span className="bad">{bytes(s.damaged_bytes)}</span> : 'none',
      numeric: true,
    },
  ];
  return (
    <div className="page">
      <div className="page-head">
        <h1>Logs</h1>
        <span className="muted">writes that are not in tables yet</span>
      </div>
      <Shown of={wals}>
        {(document) => {
          if (document.segments.length === 0) return <Empty>There is no log.</Empty>;
          const shown =
            document.segments.find((s) => s.id === route.query.wal) ?? document.segments.at(-1)!;
          return (
            <>
              <Panel
                title="Segments"
                source={ask('/targets/{t}/wal', { path })}
                cli={varve('wal segments', [name])}
              >
                <DataGrid
                  label="logs"
                  rows={document.segments}
                  columns={columns}
                  rowId={(s) => s.id}
                  height={220}
                  selected={shown.id}
                  onSelect={(s) => setQuery({ wal: s.id, sel: undefined })}
                />
              </Panel>
              <Records segment={shown} cli={varve('wal records', [name, shown.id])} />
            </>
          );
        }}
      </Shown>
    </div>
  );
}

function Records({
  segment,
  cli,
}: {
  segment: Pick<WalSegment, 'id' | 'name' | 'damage'>;
  cli: string;
}) {
  const { route, setQuery } = useRoute();
  const path = { ...useTargetPath(), n: segment.id };
  const source = ask('/targets/{t}/wal/{n}/records', { path });
  const records = useRows(source, (page) => page.records, 5000);
  const columns: Column<WalRecord>[] = [
    { id: 'offset', header: 'offset', value: (b) => b.offset, numeric: true, width: '100px' },
    { id: 'size', header: 'bytes', value: (b) => b.size, numeric: true, width: '90px' },
    {
      id: 'seq',
      header: 'sequence',
      value: (b) => Number(b.seq ?? -1),
      cell: (b) => b.seq ?? '–',
      numeric: true,
      width: '100px',
    },
    {
      id: 'ops',
      header: 'operations',
      value: (b) => b.ops?.length ?? 0,
      numeric: true,
      width: '100px',
    },
    {
      id: 'what',
      header: 'what',
      value: (b) => b.damage ?? b.ops?.[0]?.key.text ?? '',
      cell: (b) => <BatchWords batch={b} />,
      width: 'minmax(240px, 3fr)',
    },
  ];
  return (
    <Panel title={`Batches of ${segment.name}`} source={source} cli={cli}>
      {segment.damage.map((line) => (
        <p className="bad" key={line}>
          {line}
        </p>
      ))}
      <Shown of={records}>
        {({ rows, complete }) => {
          if (rows.length === 0) return <Empty>The log holds no batch.</Empty>;
          const selected = rows.find((batch) => String(batch.offset) === route.query.sel);
          return (
            <>
              <DataGrid
                label="batches"
                saveName="wal"
                rows={rows}
                columns={columns}
                rowId={(batch) => String(batch.offset)}
                height={380}
                selected={route.query.sel ?? null}
                onSelect={(batch) => setQuery({ sel: String(batch.offset) })}
                note={complete ? '' : 'the first'}
              />
              {selected && <BatchDetail batch={selected} />}
            </>
          );
        }}
      </Shown>
    </Panel>
  );
}

function BatchWords({ batch }: { batch: WalRecord }) {
  if (batch.damage) return <span className="bad">{batch.damage}</span>;
  if (batch.unfinished) return <span className="warn">unfinished</span>;
  const [first] = batch.ops ?? [];
  if (!first) return <span className="muted">no operation</span>;
  const more = (batch.ops?.length ?? 1) - 1;
  return (
    <>
      {first.type} <BytesText bytes={first.key} most={30} />{' '}
      {first.value.len > 0 && (
        <span className="muted">
          = <BytesText bytes={first.value} most={40} />
        </span>
      )}
      {more > 0 && <span className="muted"> and {more} more</span>}
    </>
  );
}

function BatchDetail({ batch }: { batch: WalRecord }) {
  return (
    <section className="record" aria-live="polite" aria-label="selected batch">
      <Facts
        of={[
          ['offset', count(batch.offset)],
          ['bytes', count(batch.size)],
          [
            'checksum',
            <span className="mono" key="c">
              {batch.crc ?? '–'}
            </span>,
          ],
          ['first sequence', batch.seq ?? '–'],
          ['operations', plural(batch.ops?.length ?? 0, 'operation')],
        ]}
      />
      <PlainTable name="operations">
        <thead>
          <tr>
            <th className="num">sequence</th>
            <th>family</th>
            <th>type</th>
            <th>key</th>
            <th>value</th>
          </tr>
        </thead>
        <tbody>
          {(batch.ops ?? []).slice(0, 200).map((op, i) => (
            <tr key={i}>
              <td className="num">{op.seq ?? '–'}</td>
              <td>{op.cf ?? op.cf_id}</td>
              <td>{op.type}</td>
              <td>
                <BytesText bytes={op.key} />
              </td>
              <td>
                <BytesText bytes={op.value} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}
