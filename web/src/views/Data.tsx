// SPDX-License-Identifier: Apache-2.0
// The records: by prefix, by range, every version if asked; as text, hex, numbers or JSON; saved.
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Bytes, ScanRow } from '@/api/openapi';
import { ask, type Asked, type Page } from '@/engine/client';
import { useClient, useFamilyPath, useMayWrite, useTarget } from '@/engine/context';
import {
  decode,
  decoderOf,
  fromHex,
  kDecoders,
  literal,
  rawBytes,
  type Decoder,
} from '@/lib/bytes';
import { saveAs } from '@/lib/csv';
import { varve } from '@/lib/cli';
import { count, plural } from '@/lib/format';
import { branches } from '@/lib/prefix';
import { DecoderSelects, useDecoded, useIsDecoding } from '@/plugins/decoded';
import { useRoute } from '@/lib/route';
import { CopyBytes } from '@/ui/CopyBytes';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { QueryForm } from '@/ui/QueryForm';
import { BytesText } from '@/ui/small';
import { Empty, Loading, ProblemNote } from '@/ui/states';
import { toProblem } from '@/engine/problem';
import { LastChange, RecordEditor, type Made, type Task } from './data/RecordEditor';

type RecordPages = Asked<Page & { rows: ScanRow[] }>;

// Records of a family, or entries of a table alone: asked for alike.
interface RecordSource {
  source: Asked<unknown>;
  pages: RecordPages;
  whole: RecordPages; // Long keys and values are not cut.
  full: RecordPages; // Likewise, as text where they are text: what plugins read.
}

const kPage = 500;

function useRecords(): RecordSource {
  const path = useFamilyPath();
  const { from, to, prefix, versions } = useRoute().route.query;
  const query = { from, to, prefix, versions: versions === '1' || undefined };
  const source = ask('/targets/{t}/cfs/{cf}/scan', { path, query });
  const whole = ask('/targets/{t}/cfs/{cf}/scan', { path, query: { ...query, bytes: 'hex' } });
  const full = ask('/targets/{t}/cfs/{cf}/scan', { path, query: { ...query, bytes: 'full' } });
  return { source, pages: source, whole, full };
}

function useEntries(): RecordSource {
  const path = { t: useFamilyPath().t, n: '0' };
  const { from, to } = useRoute().route.query;
  const query = { from, to };
  const source = ask('/targets/{t}/files/{n}/entries', { path, query });
  const whole = ask('/targets/{t}/files/{n}/entries', { path, query: { ...query, bytes: 'hex' } });
  const full = ask('/targets/{t}/files/{n}/entries', { path, query: { ...query, bytes: 'full' } });
  const pagesOf = (asked: typeof source): RecordPages => ({
    url: asked.url,
    of: async (api) => {
      const { entries, ...page } = await asked.of(api);
      return { ...page, rows: entries };
    },
  });
  return { source, pages: pagesOf(source), whole: pagesOf(whole), full: pagesOf(full) };
}

// What is being changed in one family is not in another.
export default function Data() {
  const { route } = useRoute();
  return <OfFamily key={`${route.engine} ${route.target} ${route.cf}`} />;
}

function OfFamily() {
  const { route, setQuery } = useRoute();
  const { query } = route;
  const target = useTarget().data?.target;
  const isTable = target?.kind === 'sst';
  const decoder = decoderOf(query.as, 'auto');
  const versions = isTable || query.versions === '1';
  const ofFamily = useRecords();
  const ofTable = useEntries();
  const records = isTable ? ofTable : ofFamily;
  const range = { from: query.from, to: query.to };
  const name = target?.name ?? '';
  const isDecoding = useIsDecoding();
  const mayWrite = useMayWrite() && !isTable;
  const [task, setTask] = useState<Task | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  return (
    <div className="page">
      <div className="page-head">
        <h1>{isTable ? 'Entries' : 'Data'}</h1>
        <span className="muted">
          {isTable ? 'as stored, newest version of a key first' : `visible records of ${route.cf}`}
        </span>
      </div>
      <Ranges />
      <div className={isTable ? '' : 'with-side'}>
        {!isTable && <PrefixTree />}
        <Panel
          title="Records"
          source={records.source}
          cli={
            isTable
              ? varve('sst entries', [name], range)
              : varve('scan', [`./${name}`], {
                  ...range,
                  prefix: query.prefix,
                  versions: query.versions === '1' || undefined,
                  cf: route.cf,
                })
          }
          actions={
            <>
              {!isTable && (
                <Checkbox
                  size="xs"
                  label="versions"
                  checked={versions}
                  onChange={(event) =>
                    setQuery({ versions: event.currentTarget.checked ? '1' : undefined })
                  }
                />
              )}
              <NativeSelect
                size="xs"
                aria-label="show bytes as"
                value={decoder}
                onChange={(event) =>
                  setQuery({
                    as:
                      event.currentTarget.value === 'auto' ? undefined : event.currentTarget.value,
                  })
                }
                data={kDecoders}
              />
              <DecoderSelects />
              <SaveButtons of={records.whole} />
              {mayWrite && (
                <Button size="compact-xs" variant="light" onClick={() => setTask({ what: 'add' })}>
                  New record
                </Button>
              )}
            </>
          }
        >
          <Records
            of={isDecoding ? records.full : records.pages}
            isTable={isTable}
            versions={versions}
            decoder={decoder}
            onTask={mayWrite ? setTask : null}
          />
          {made && <LastChange made={made} onUndo={() => setTask({ what: 'undo', made })} />}
          {task && (
            <RecordEditor
              task={task}
              onMade={(now) => {
                setMade(now);
                setTask(null);
              }}
              onClose={() => setTask(null)}
            />
          )}
        </Panel>
      </div>
    </div>
  );
}

function Ranges() {
  const isTable = useTarget().data?.target.kind === 'sst';
  return (
    <QueryForm
      of={[
        { name: 'from', label: 'from', isFilter: true },
        { name: 'to', label: 'to (not itself)' },
        ...(isTable ? [] : [{ name: 'prefix', label: 'prefix' }]),
      ]}
      send="Show"
    />
  );
}

const kOfRow = { key: (row: ScanRow) => row.key, value: (row: ScanRow) => row.value };

function Records({
  of,
  isTable,
  versions,
  decoder,
  onTask,
}: {
  of: RecordSource['pages'];
  isTable: boolean;
  versions: boolean;
  decoder: Decoder;
  onTask: ((task: Task) => void) | null; // Null: nothing may be changed.
}) {
  const client = useClient();
  const { route, setQuery, link } = useRoute();
  const pages = useInfiniteQuery({
    queryKey: [client?.engine.letter, 'records', of.url],
    queryFn: ({ pageParam, signal }) =>
      of.of(client!.api(signal, { page_size: kPage, page_token: pageParam })),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_page_token,
  });
  const rows = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? [], [pages.data]);
  const decoded = useDecoded(rows, kOfRow);
  if (pages.error)
    return <ProblemNote problem={toProblem(pages.error)} retry={() => void pages.refetch()} />;
  if (!pages.data) return <Loading lines={10} />;
  const problem = pages.data.pages.at(-1)?.problem;
  if (rows.length === 0)
    return problem ? <ProblemNote problem={problem} /> : <Empty>No record in this range.</Empty>;

  const columns: Column<ScanRow>[] = [
    {
      id: 'key',
      header: 'key',
      value: (row) => decode(row.key, decoder),
      cell: (row, near) => (
        <BytesText bytes={row.key} as={decoder} most={120} near={near.map((other) => other.key)} />
      ),
      width: 'minmax(160px, 1fr)',
    },
    {
      id: 'value',
      header: 'value',
      value: (row) => (row.value ? decode(row.value, decoder) : ''),
      cell: (row) => <BytesText bytes={row.value} as={decoder} most={160} />,
      width: 'minmax(180px, 2fr)',
    },
    ...decoded.columns,
    ...(versions
      ? [
          {
            id: 'seq',
            header: 'sequence',
            value: (row: ScanRow) => Number(row.seq),
            numeric: true,
            width: '100px',
          },
          { id: 'type', header: 'type', value: (row: ScanRow) => row.type ?? '', width: '110px' },
        ]
      : []),
  ];
  const id = (row: ScanRow) => `${literal(row.key)}@${row.seq ?? ''}`;
  const selected = rows.find((row) => id(row) === route.query.sel);
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      {decoded.note}
      <DataGrid
        label="records"
        rows={rows}
        columns={columns}
        rowId={id}
        height={520}
        selected={route.query.sel ?? null}
        onSelect={(row) => setQuery({ sel: id(row) })}
        note={pages.hasNextPage ? 'so far' : ''}
      />
      {pages.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          mt={8}
          loading={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {count(kPage)} more
        </Button>
      )}
      {selected && (
        <section className="record" aria-label="selected record" aria-live="polite">
          <h3>
            <BytesText bytes={selected.key} most={200} />{' '}
            <span className="muted">{selected.key.len} B</span>{' '}
            <CopyBytes of={selected.key} what="key" />
            {!isTable && (
              <>
                {' '}
                · <a href={link('explain', [], { key: literal(selected.key) })}>explain</a> ·{' '}
                <a href={link('lsm', [], { key: literal(selected.key) })}>on the map</a>
              </>
            )}
          </h3>
          <div className="toolbar">
            {selected.value && <CopyBytes of={selected.value} what="value" />}
            {onTask &&
              !versions &&
              (['edit', 'delete'] as const).map((what) => (
                <Button
                  key={what}
                  size="compact-xs"
                  variant="default"
                  onClick={() => onTask({ what, key: rawBytes(selected.key) })}
                >
                  {what === 'edit' ? 'Edit' : 'Delete'}
                </Button>
              ))}
          </div>
          {selected.value && (
            <pre className="json" tabIndex={0}>
              {decode(selected.value, decoder === 'auto' ? 'json' : decoder)}
            </pre>
          )}
          {decoded.about(selected)}
          {selected.value?.truncated && (
            <p className="muted">the first bytes of {count(selected.value.len)}</p>
          )}
        </section>
      )}
    </>
  );
}

// JSON lines as the engine streams them, or CSV made of them.
// To the last record, page by page; what is on the way can be stopped, and then nothing is saved.
function SaveButtons({ of }: { of: RecordPages }) {
  const client = useClient();
  const { route } = useRoute();
  const [saved, setSaved] = useState<number | null>(null); // So far; null: nothing is being saved.
  const [problem, setProblem] = useState<string | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  async function save(kind: 'jsonl' | 'tsv') {
    const decoder = decoderOf(route.query.as, 'esc');
    const line = kind === 'jsonl' ? jsonLine : (row: ScanRow) => tsvLine(row, decoder);
    const { signal } = (stop.current = new AbortController());
    const parts: string[] = [];
    let rows = 0;
    setProblem(null);
    setSaved(0);
    try {
      for await (const page of client!.pages(of, () => Infinity, signal)) {
        parts.push(page.rows.map(line).join(''));
        setSaved((rows += page.rows.length));
        if (page.problem) setProblem(page.problem.detail ?? page.problem.title);
      }
      const type = kind === 'jsonl' ? 'application/jsonl' : 'text/tab-separated-values';
      saveAs(`records.${kind}`, new Blob(parts), type);
    } catch (error) {
      if (!signal.aborted) setProblem(toProblem(error).detail ?? toProblem(error).title);
    } finally {
      setSaved(null);
    }
  }
  if (saved !== null)
    return (
      <>
        <span className="muted" role="status">
          {plural(saved, 'record')}
        </span>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => stop.current?.abort()}
        >
          Stop saving
        </Button>
      </>
    );
  return (
    <>
      {problem && (
        <span className="bad" role="alert">
          not all could be saved: {problem}
        </span>
      )}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void save('jsonl')}>
        Save JSONL
      </Button>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={() => void save('tsv')}>
        TSV
      </Button>
    </>
  );
}

const jsonLine = (row: ScanRow) => `${JSON.stringify(row)}\n`;

function tsvLine(row: ScanRow, decoder: Decoder): string {
  const cell = (bytes: Bytes | undefined) =>
    bytes ? decode(bytes, decoder).replaceAll(/[\t\r\n]/g, ' ') : '';
  const version = row.type ? `\t${row.seq}\t${row.type}` : '';
  return `${cell(row.key)}\t${cell(row.value)}${version}\n`;
}

const kMostBranches = 60;

function PrefixTree() {
  const { setQuery } = useRoute();
  return (
    <section className="panel prefixes" aria-label="prefixes">
      <header className="panel-head">
        <h2>Prefixes</h2>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => setQuery({ prefix: undefined }, true)}
        >
          All
        </Button>
      </header>
      <PrefixLevel prefix="" />
    </section>
  );
}

function PrefixLevel({ prefix }: { prefix: string }) {
  const path = useFamilyPath();
  const client = useClient();
  const { route, setQuery } = useRoute();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const level = useQuery({
    queryKey: [client?.engine.letter, 'prefixes', path, prefix],
    queryFn: () => branches(client!, path, prefix, kMostBranches),
  });
  if (level.error) return <ProblemNote problem={toProblem(level.error)} />;
  if (!level.data) return <Loading lines={2} />;
  const toggle = (child: string) =>
    setOpen((now) =>
      now.has(child) ? new Set([...now].filter((c) => c !== child)) : new Set([...now, child]),
    );
  return (
    <ul className="tree">
      {level.data.found.map((child) => {
        const bytes: Bytes = asBytes(child.prefix);
        return (
          <li key={child.prefix}>
            {!child.only && (
              <button
                type="button"
                className="twisty"
                aria-expanded={open.has(child.prefix)}
                aria-label={`branches of ${decode(bytes)}`}
                onClick={() => toggle(child.prefix)}
              >
                {open.has(child.prefix) ? '▾' : '▸'}
              </button>
            )}
            <button
              type="button"
              className="branch"
              aria-current={route.query.prefix === literal(bytes)}
              onClick={() =>
                setQuery(
                  { prefix: literal(bytes), from: undefined, to: undefined, sel: undefined },
                  true,
                )
              }
            >
              {tail(decode(bytes))}
              {child.only ? '' : '…'}
            </button>
            {open.has(child.prefix) && <PrefixLevel prefix={child.prefix} />}
          </li>
        );
      })}
      {!level.data.complete && <li className="muted">the first {kMostBranches}</li>}
      {level.data.found.length === 0 && <li className="muted">no keys</li>}
    </ul>
  );
}

// What tells neighbours apart is their end.
function tail(text: string): string {
  return text.length <= 24 ? text : `…${text.slice(-23)}`;
}

function asBytes(hex: string): Bytes {
  const raw = fromHex(hex);
  const printable = raw.every((byte) => byte >= 0x20 && byte < 0x7f);
  return { hex, len: raw.length, ...(printable ? { text: new TextDecoder().decode(raw) } : {}) };
}
