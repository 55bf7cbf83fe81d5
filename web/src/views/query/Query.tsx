// SPDX-License-Identifier: Apache-2.0
// SQL over what is inside: records in a range, and the reports of the API as tables. SQLite runs in a
// worker of this tab, on a copy of what a statement names.
import { Button, Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useClient, useTarget } from '@/engine/context';
import { toProblem } from '@/engine/problem';
import { plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { QueryForm } from '@/ui/QueryForm';
import { Bar } from '@/ui/small';
import { Empty, Loading } from '@/ui/states';
import { startDesk, type Desk, type Told } from './desk';
import { kBounds, type Cell } from './result';
import type { Kind, Range } from './table';
import { Tables } from './Tables';
import { tablesOf } from './tables';
import './query.css';
import { asPart, countsOf, narrowed, textOf } from './text';

const kLimit = 10_000; // Rows of each table, unless the link says otherwise.
const kLimitMax = 1_000_000;

function useRange(): Range {
  const { from, to, prefix, versions } = useRoute().route.query;
  return { from, to, prefix, versions: versions === '1' };
}

export default function Query() {
  const { target } = useTarget().data ?? {};
  return target ? <QueryOf kind={target.kind} /> : null;
}

function QueryOf({ kind }: { kind: Kind }) {
  const { route, setQuery } = useRoute();
  const [desk] = useState(startDesk);
  useEffect(() => () => desk.end(), [desk]);
  const { sql = '', versions } = route.query;
  const range = useRange();
  const limit = Math.min(kLimitMax, Number(route.query.limit) || kLimit);
  const [progress, setProgress] = useState('');
  const asked = useSql(desk, sql, { kind, limit, onProgress: setProgress });
  const { isFetching, stop, again } = asked;
  return (
    <div className="page sql-page">
      <div className="page-head">
        <h1>Query</h1>
        <span className="muted">SQL, by SQLite in this tab, over a copy of what it names</span>
      </div>
      <div className="with-detail">
        <div className="stack">
          <Panel title="Statement">
            <QueryForm
              of={[
                {
                  name: 'sql',
                  label: 'SQL',
                  lines: 7,
                  isFilter: true,
                  placeholder: 'SELECT … — Control and Enter ask',
                },
                ...(kind === 'db' || kind === 'sst'
                  ? [
                      { name: 'from', label: 'from key' },
                      { name: 'to', label: 'to (not itself)' },
                    ]
                  : []),
                ...(kind === 'db' ? [{ name: 'prefix', label: 'prefix' }] : []),
                {
                  name: 'limit',
                  label: 'rows of each table',
                  number: { unset: kLimit, max: kLimitMax },
                },
                {
                  node: kind === 'db' && (
                    <Checkbox
                      key="versions"
                      size="xs"
                      mt="auto"
                      label="versions"
                      checked={versions === '1'}
                      onChange={(event) =>
                        setQuery({ versions: event.currentTarget.checked ? '1' : undefined })
                      }
                    />
                  ),
                },
              ]}
              send="Run"
              onSame={again}
            >
              {isFetching && (
                <Button size="xs" variant="default" mt="auto" onClick={stop}>
                  Stop
                </Button>
              )}
              <span className="muted" role="status">
                {isFetching ? progress : ''}
              </span>
            </QueryForm>
          </Panel>
          <Answer asked={asked} sql={sql} />
          {route.query.facet !== undefined && asked.data && (
            <Facet
              desk={desk}
              kind={kind}
              limit={limit}
              sql={sql}
              column={asked.data.result.columns[Number(route.query.facet)] ?? ''}
            />
          )}
        </div>
        <Tables kind={kind} range={range} />
      </div>
    </div>
  );
}

interface Settings {
  kind: Kind;
  limit: number;
  onProgress: (says: string) => void;
}

function useSql(desk: Desk, sql: string, { kind, limit, onProgress }: Settings) {
  const client = useClient();
  const queries = useQueryClient();
  const { route } = useRoute();
  const range = useRange();
  const { target: t, cf } = route;
  const of = JSON.stringify([client?.engine.letter, t, cf, range, limit]);
  const queryKey = ['sql', of, sql];
  const query = useQuery<Told>({
    queryKey,
    queryFn: ({ signal }) =>
      desk.ask(
        {
          sql,
          tables: tablesOf(kind),
          context: { client: client!, t, cf, kind, range, limit },
          of,
          onProgress,
        },
        signal,
      ),
    enabled: client !== null && sql.trim() !== '',
    retry: false,
    staleTime: Infinity,
    gcTime: 0, // What a page has left, its worker has forgotten.
  });
  const [stopped, setStopped] = useState('');
  return {
    data: query.data,
    error: query.error,
    isFetching: query.isFetching,
    isStopped: stopped === of + sql && !query.data && !query.isFetching,
    stop: () => {
      setStopped(of + sql);
      void queries.cancelQueries({ queryKey });
    },
    again: () => {
      setStopped('');
      desk.end();
      void query.refetch();
    },
  };
}

type Asked = ReturnType<typeof useSql>;

function Answer({
  asked: { data, error, isFetching, isStopped },
  sql,
}: {
  asked: Asked;
  sql: string;
}) {
  if (error && !isFetching) {
    const problem = toProblem(error);
    return (
      <p className="bad sql-error" role="alert">
        {problem.detail ?? problem.title}
      </p>
    );
  }
  if (isStopped) return <Empty>Stopped. Run asks again.</Empty>;
  if (data) return <Rows told={data} sql={sql} />;
  return isFetching ? (
    <Loading what="asking" />
  ) : (
    <Empty>Choose an example of a table, or write a statement. Nothing that it does is kept.</Empty>
  );
}

interface ResultRow {
  at: number;
  cells: Cell[];
}

function columnsOf(names: string[], rows: Cell[][]): Column<ResultRow>[] {
  return names.map((header, i) => ({
    id: `c${i}`,
    header,
    value: ({ cells }) => textOf(cells[i] ?? null),
    cell: ({ cells }) => <CellText of={cells[i] ?? null} />,
    numeric: rows.length > 0 && rows.every((row) => isNumeric(row[i] ?? null)),
    width: 'minmax(90px, 1fr)',
  }));
}

const isNumeric = (cell: Cell) =>
  cell === null || typeof cell === 'number' || typeof cell === 'bigint';

const kCellText = 300; // Characters; the selected row shows all.

function CellText({ of }: { of: Cell }) {
  if (of === null) return <span className="muted">NULL</span>;
  const text = String(textOf(of));
  return text.length > kCellText ? `${text.slice(0, kCellText)}…` : text;
}

function Rows({ told: { result, filled, ms }, sql }: { told: Told; sql: string }) {
  const { route, setQuery } = useRoute();
  const { columns, more } = result;
  const rows = useMemo(() => result.rows.map((cells, at) => ({ at, cells })), [result]);
  const defined = useMemo(() => columnsOf(columns, result.rows), [columns, result]);
  const parts = filled.filter(({ part }) => part !== null);
  const selected = rows[Number(route.query.sel ?? NaN)];
  const canCount = asPart(sql) !== null;
  return (
    <Panel title="Answer">
      {parts.map(({ name, rows: read, part }) => (
        <p className="warn" key={name} role="note">
          About a part: of {name}, {part} ({plural(read, 'row')}).
        </p>
      ))}
      {more && (
        <p className="warn" role="note">
          {more === 'rows'
            ? `The first ${plural(rows.length, 'row')} of the answer; there are more.`
            : `As many rows of the answer as have ${kBounds.bytes >> 20} MiB; there are more.`}
        </p>
      )}
      <p className="muted">
        {ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`}
        {filled.length > 0 && ', of '}
        {filled.map(({ name, rows: read }) => `${name} (${plural(read, 'row')})`).join(', ')}
      </p>
      {columns.length === 0 ? (
        <Empty>The statement has no answer.</Empty>
      ) : (
        <DataGrid
          label="answer"
          saveName="query"
          rows={rows}
          columns={defined}
          rowId={({ at }) => String(at)}
          selected={route.query.sel ?? null}
          onSelect={({ at }) => setQuery({ sel: String(at) })}
          height={440}
        />
      )}
      {canCount && columns.length > 0 && (
        <div className="toolbar facets" role="group" aria-label="counts by value">
          <span className="muted">counts by</span>
          {columns.map((name, i) => (
            <Button
              key={i}
              size="compact-xs"
              variant={route.query.facet === String(i) ? 'filled' : 'default'}
              aria-pressed={route.query.facet === String(i)}
              onClick={() =>
                setQuery({ facet: route.query.facet === String(i) ? undefined : String(i) }, true)
              }
            >
              {name}
            </Button>
          ))}
        </div>
      )}
      {selected && (
        <section className="record" aria-label="selected row" aria-live="polite">
          <dl className="sql-row">
            {columns.map((name, i) => (
              <div key={i}>
                <dt>{name}</dt>
                <dd className="mono">{String(textOf(selected.cells[i] ?? null)) || '–'}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </Panel>
  );
}

interface Counted {
  value: Cell;
  rows: number;
}

// How many rows of the whole answer, not only of those that are shown, have each value of a column.
function Facet({
  desk,
  kind,
  limit,
  sql,
  column,
}: {
  desk: Desk;
  kind: Kind;
  limit: number;
  sql: string;
  column: string;
}) {
  const { setQuery } = useRoute();
  const part = asPart(sql);
  const counts = useSql(desk, part && column ? countsOf(part, column) : '', {
    kind,
    limit,
    onProgress: () => undefined,
  });
  if (!part || !column) return null;
  const all = (counts.data?.result.rows ?? []).map(([value = null, rows]): Counted => ({
    value,
    rows: Number(rows),
  }));
  const most = Math.max(1, ...all.map(({ rows }) => rows));
  const columns: Column<Counted>[] = [
    {
      id: 'value',
      header: column,
      value: ({ value }) => textOf(value),
      cell: ({ value }) => <CellText of={value} />,
      width: 'minmax(120px, 2fr)',
    },
    { id: 'rows', header: 'rows', value: ({ rows }) => rows, numeric: true, width: '90px' },
    {
      id: 'share',
      header: 'share',
      value: ({ rows }) => rows / most,
      cell: ({ rows }) => <Bar value={rows} most={most} label={`${rows} rows`} />,
    },
  ];
  return (
    <Panel title={`Counts by ${column}`}>
      {counts.error ? (
        <p className="bad" role="alert">
          {counts.error.message}
        </p>
      ) : !counts.data ? (
        <Loading what="counting" />
      ) : (
        <>
          <p className="muted">A value, chosen, narrows the statement to its rows.</p>
          <DataGrid
            label={`counts by ${column}`}
            saveName="counts"
            rows={all}
            columns={columns}
            rowId={({ value }) => `${typeof value} ${String(textOf(value))}`}
            onOpen={({ value }) =>
              setQuery(
                { sql: narrowed(part, column, value), facet: undefined, sel: undefined },
                true,
              )
            }
            height={300}
            note={all.length === 1000 ? 'the most frequent' : ''}
          />
        </>
      )}
    </Panel>
  );
}
