// SPDX-License-Identifier: Apache-2.0
// What happened to the tree, edit by edit, and what differs between two moments.
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { Edit, VersionsChange } from '@/api/openapi';
import { ask, type Asked } from '@/engine/client';
import { useResource, useRows, useTarget, useTargetPath } from '@/engine/context';
import { useNeighbour } from '@/shell/keyboard';
import { varve } from '@/lib/cli';
import { bytes, count, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Chart, type ChartData, type Series } from '@/ui/Chart';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { QueryForm } from '@/ui/QueryForm';
import { BytesText, Facts, KeySpan } from '@/ui/small';
import { Empty, Shown } from '@/ui/states';
import { Drawn } from './Drawn';
import { SaveTrace } from './SaveTrace';
import { added, sizesOf } from './sizes';

const kViews = ['edits', 'drawn', 'diff'] as const;

export default function Timeline() {
  const { route, setQuery } = useRoute();
  const view = kViews.find((one) => one === route.query.view) ?? 'edits';
  const name = `./${useTarget().data?.target.name ?? ''}`;
  return (
    <div className="page">
      <div className="page-head">
        <h1>Timeline</h1>
        <SegmentedControl
          size="xs"
          aria-label="show"
          value={view}
          onChange={(value) => setQuery({ view: value === 'edits' ? undefined : value })}
          data={[...kViews]}
        />
        <SaveTrace name={name} />
      </div>
      {view === 'diff' && <Diff name={name} />}
      {view === 'edits' && <Edits name={name} />}
      {view === 'drawn' && <Drawn name={name} />}
    </div>
  );
}

function Edits({ name }: { name: string }) {
  const source = ask('/targets/{t}/manifest/edits', { path: useTargetPath() });
  const edits = useRows(source, (page) => page.edits);
  return (
    <Shown of={edits} lines={10}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Empty>The MANIFEST holds no edit.</Empty>
        ) : (
          <EditList edits={rows} name={name} source={source} />
        )
      }
    </Shown>
  );
}

const kSeries: Series[] = [
  { label: 'flushed', color: '--level-1', bars: true },
  { label: 'compacted', color: '--level-4', bars: true },
  { label: 'all tables', color: '--level-6' },
];

function EditList({
  edits,
  name,
  source,
}: {
  edits: Edit[];
  name: string;
  source: Asked<unknown>;
}) {
  const { route, setQuery } = useRoute();
  const data = useMemo((): ChartData => {
    const { flushed, compacted, total } = sizesOf(edits);
    return [edits.map((edit) => Number(edit.edit)), flushed, compacted, total];
  }, [edits]);
  const pick = useCallback(
    (index: number) => setQuery({ sel: edits[index]?.edit }),
    [edits, setQuery],
  );
  const at = edits.findIndex((edit) => edit.edit === route.query.sel);
  const selected = edits[at];
  useNeighbour((step) => pick(Math.max(0, at + step)));

  const columns: Column<Edit>[] = [
    {
      id: 'edit',
      header: 'edit',
      value: (edit) => Number(edit.edit),
      numeric: true,
      width: '70px',
    },
    {
      id: 'kind',
      header: 'what',
      value: (edit) => edit.kind.replaceAll('_', ' '),
      width: 'minmax(100px, .8fr)',
    },
    { id: 'cf', header: 'family', value: (edit) => edit.cf, width: 'minmax(90px, .8fr)' },
    {
      id: 'plus',
      header: '+files',
      value: (edit) => edit.added.length,
      numeric: true,
      width: '80px',
    },
    {
      id: 'minus',
      header: '−files',
      value: (edit) => edit.deleted.length,
      numeric: true,
      width: '80px',
    },
    {
      id: 'bytes',
      header: 'added',
      value: added,
      cell: (edit) => bytes(added(edit)),
      numeric: true,
      width: '110px',
    },
    {
      id: 'seq',
      header: 'last sequence',
      value: (edit) => Number(edit.counters.last_seq ?? 0),
      cell: (edit) => edit.counters.last_seq ?? '–',
      numeric: true,
      width: '120px',
    },
    { id: 'offset', header: 'offset', value: (edit) => edit.offset, numeric: true, width: '90px' },
  ];
  return (
    <>
      <Panel
        title="Bytes written, and bytes of all tables"
        source={source}
        cli={varve('manifest edits', [name])}
      >
        <Chart
          label={`bytes by edit, ${edits.length} edits; the table below holds the same`}
          data={data}
          series={kSeries}
          height={190}
          xLabel="edit"
          yValue={bytes}
          onPick={pick}
        />
      </Panel>
      <div className="with-detail">
        <Panel
          title={plural(edits.length, 'edit')}
          source={source}
          cli={varve('manifest edits', [name])}
        >
          <DataGrid
            label="edits"
            saveName="edits"
            rows={edits}
            columns={columns}
            rowId={(edit) => edit.edit}
            height={460}
            selected={route.query.sel ?? null}
            onSelect={(edit) => setQuery({ sel: edit.edit })}
          />
        </Panel>
        <aside className="panel detail" aria-label="selected edit" aria-live="polite">
          {selected ? (
            <EditDetail edit={selected} />
          ) : (
            <p className="muted">Choose an edit, or step with [ and ].</p>
          )}
        </aside>
      </div>
    </>
  );
}

function EditDetail({ edit }: { edit: Edit }) {
  const { link } = useRoute();
  return (
    <>
      <header className="panel-head">
        <h2>
          Edit {edit.edit}: {edit.kind.replaceAll('_', ' ')}
        </h2>
      </header>
      <Facts
        of={Object.entries(edit.counters).map(([name, value]) => [
          name.replaceAll('_', ' '),
          <span className="mono" key={name}>
            {value}
          </span>,
        ])}
      />
      {edit.deleted.length > 0 && (
        <p>
          takes away{' '}
          {edit.deleted
            .slice(0, 12)
            .map((file) => `${file.file} (L${file.level})`)
            .join(', ')}
          {edit.deleted.length > 12 ? ' …' : ''}
        </p>
      )}
      {edit.added.slice(0, 12).map((file) => (
        <p key={file.file}>
          adds <a href={link('lsm', [], { edit: edit.edit, sel: file.file })}>{file.file}</a> to L
          {file.level}, {bytes(file.size)}
          <br />
          <span className="muted">
            <KeySpan of={file} most={18} />
          </span>
        </p>
      ))}
      {edit.added.length > 12 && <p className="muted">and {edit.added.length - 12} more</p>}
      <p className="toolbar">
        <a href={link('lsm', [], { edit: edit.edit })}>The tree after it</a>
        <a
          href={link('timeline', [], {
            view: 'diff',
            a: String(Math.max(1, Number(edit.edit) - 1)),
            b: edit.edit,
          })}
        >
          Diff to the one before
        </a>
      </p>
    </>
  );
}

function Diff({ name }: { name: string }) {
  const { route, setQuery } = useRoute();
  const newest = Number(useTarget().data?.as_of.edit ?? 1);
  const { against } = route.query;
  const other = useResource(against ? ask('/targets/{t}', { path: { t: against } }) : null);
  const targets = useResource(ask('/targets', {})).data?.targets ?? [];
  const newestB = against ? Number(other.data?.as_of.edit ?? 1) : newest;
  const a = route.query.a ?? String(against ? newest : Math.max(1, newest - 1));
  const b = route.query.b ?? String(newestB);
  const path = useTargetPath();
  const query = { a, b, against, cf: route.cf };
  const cli = against ? { against: `./${other.data?.target.name ?? ''}` } : { edits: `${a}..${b}` };
  const whole = { ...query, page_size: 2000 };
  const diff = useResource(
    against && !other.data ? null : ask('/targets/{t}/versions:diff', { path, query: whole }),
  );
  const columns: Column<VersionsChange>[] = [
    {
      id: 'change',
      header: 'change',
      value: (c) => c.change,
      cell: (c) => (
        <span className={c.change === 'added' ? 'good' : c.change === 'removed' ? 'bad' : ''}>
          {c.change === 'added' ? '+ added' : c.change === 'removed' ? '− removed' : '→ moved'}
        </span>
      ),
      width: '110px',
    },
    { id: 'id', header: 'file', value: (c) => Number(c.file.id), numeric: true, width: '80px' },
    {
      id: 'level',
      header: 'level',
      value: (c) => c.file.level,
      cell: (c) =>
        c.from && c.from.level !== c.file.level
          ? `L${c.from.level} → L${c.file.level}`
          : `L${c.file.level}`,
      width: '110px',
    },
    {
      id: 'size',
      header: 'size',
      value: (c) => c.file.size,
      cell: (c) => bytes(c.file.size),
      numeric: true,
      width: '110px',
    },
    {
      id: 'from',
      header: 'smallest key',
      value: (c) => c.file.smallest.key.hex ?? '',
      cell: ({ file: { smallest, largest } }) => (
        <BytesText bytes={smallest.key} most={40} near={[largest.key]} />
      ),
    },
    {
      id: 'to',
      header: 'largest key',
      value: (c) => c.file.largest.key.hex ?? '',
      cell: ({ file: { smallest, largest } }) => (
        <BytesText bytes={largest.key} most={40} near={[smallest.key]} />
      ),
    },
  ];
  return (
    <>
      <QueryForm
        of={[
          { name: 'a', label: 'after edit', number: { unset: Number(a), max: newest } },
          {
            node: (
              <NativeSelect
                key="against"
                size="xs"
                label="to"
                value={against ?? ''}
                onChange={(event) =>
                  setQuery(
                    { against: event.currentTarget.value || undefined, a: undefined, b: undefined },
                    true,
                  )
                }
                data={[
                  { value: '', label: 'the same database' },
                  ...targets
                    .filter(
                      (t) => t.id !== route.target && (t.kind === 'db' || t.kind === 'manifest'),
                    )
                    .map((t) => ({ value: t.id, label: t.name })),
                ]}
              />
            ),
          },
          {
            name: 'b',
            label: 'after edit',
            says: 'to after edit',
            number: { unset: Number(b), max: newestB },
          },
        ]}
        send="Compare"
      />
      <Shown of={diff}>
        {(document) => (
          <Panel
            title={`From edit ${document.a.edit} to edit ${document.b.edit}${other.data ? ` of ${other.data.target.name}` : ''}`}
            source={ask('/targets/{t}/versions:diff', { path, query })}
            cli={varve('lsm show', [name], cli)}
          >
            {document.cfs.map((family) => (
              <div key={family.cf}>
                <p>
                  <b>{family.cf}</b>: <span className="good">+{family.added} added</span>,{' '}
                  <span className="bad">−{family.removed} removed</span>, {family.moved} moved,{' '}
                  {family.same} the same
                </p>
                {family.levels.length > 0 && (
                  <PlainTable name={`levels of ${family.cf}`}>
                    <thead>
                      <tr>
                        <th>level</th>
                        <th className="num">files before</th>
                        <th className="num">after</th>
                        <th className="num">bytes before</th>
                        <th className="num">after</th>
                      </tr>
                    </thead>
                    <tbody>
                      {family.levels.map((level) => (
                        <tr key={level.level}>
                          <td>L{level.level}</td>
                          <td className="num">{count(level.files_a)}</td>
                          <td className="num">{count(level.files_b)}</td>
                          <td className="num" data-value={level.bytes_a}>
                            {bytes(level.bytes_a)}
                          </td>
                          <td className="num" data-value={level.bytes_b}>
                            {bytes(level.bytes_b)}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </PlainTable>
                )}
              </div>
            ))}
            {document.equal ? (
              <p className="empty">Nothing differs.</p>
            ) : (
              <DataGrid
                label="changes"
                saveName="diff"
                rows={document.changes}
                columns={columns}
                rowId={(change) => change.file.id}
              />
            )}
          </Panel>
        )}
      </Shown>
    </>
  );
}
