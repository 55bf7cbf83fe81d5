// SPDX-License-Identifier: Apache-2.0
// One table file: its bytes from first to last, what it says about itself, index, filter, blocks.
import { Button, SegmentedControl, Tabs } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Entry, LayoutRange, TableFile, TableProperty } from '@/api/openapi';
import { ask } from '@/engine/client';
import { usePages, useResource, useRows, useTarget } from '@/engine/context';
import { toProblem } from '@/engine/problem';
import { useNeighbour } from '@/shell/keyboard';
import { useRun } from '@/shell/jobs';
import { varve } from '@/lib/cli';
import { bytes, count, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { DecoderSelects, useDecoded, useIsDecoding } from '@/plugins/decoded';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { CopyBytes } from '@/ui/CopyBytes';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { QueryForm } from '@/ui/QueryForm';
import { BytesText, Facts } from '@/ui/small';
import { Empty, ProblemNote, Shown } from '@/ui/states';
import { ByteMap } from './ByteMap';
import { BlocksTab } from './BlocksTab';
import { FilterTab } from './FilterTab';
import { IndexTab } from './IndexTab';
import { LineageTab } from './LineageTab';
import { useFilePath, type FilePath } from './path';
import { Undecoded } from './Undecoded';

const kMostRanges = 20_000;
const kEntriesPage = 1000;
const kNotListed = 'data_not_listed';

export default function FileView() {
  const { route, setQuery, go } = useRoute();
  const path = useFilePath();
  const target = useTarget().data;
  const file = useResource(ask('/targets/{t}/files/{n}', { path }));
  const inFamily = { path: { t: path.t }, query: { cf: route.cf } };
  const files = useRows(target?.db ? ask('/targets/{t}/files', inFamily) : null, (page) =>
    page.files.map(({ id }) => ({ id })),
  );
  useNeighbour((step) => {
    const all = files.data?.rows ?? [];
    const next = all[all.findIndex((one) => one.id === path.n) + step];
    if (next) go('file', [next.id], route.query.tab ? { tab: route.query.tab } : {});
  });
  const inFolder = (name: string) => (target?.db ? `./${target.target.name}/${name}` : name);
  const title = target?.db ? `${path.n.padStart(6, '0')}.sst` : (target?.target.name ?? '');
  if (file.error && isUnreadable(file.error)) {
    const name = inFolder(title);
    return (
      <div className="page">
        <Undecoded
          error={file.error}
          path={path}
          name={name}
          map={<MapPanel path={path} name={name} dataEnd={0} />}
        />
      </div>
    );
  }
  const tab = route.query.tab ?? 'properties';
  const choose = (value: string | null) =>
    setQuery({ tab: value === 'properties' ? undefined : (value ?? undefined) });
  return (
    <div className="page">
      {!file.data && <h1>{title}</h1>}
      <Shown of={file} what="reading the footer and the index" lines={6}>
        {({ file: about }) => (
          <>
            <Heading about={about} path={path} name={inFolder(about.name)} />
            <MapPanel path={path} name={inFolder(about.name)} dataEnd={about.data_bytes ?? 0} />
            <Tabs value={tab} onChange={choose} keepMounted={false} variant="outline">
              <Tabs.List>
                {kTabs.map(([id, title]) => (
                  <Tabs.Tab key={id} value={id}>
                    {title}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {kTabs.map(([id, , show]) => (
                <Tabs.Panel key={id} value={id} pt={10}>
                  {show(path, inFolder(about.name))}
                </Tabs.Panel>
              ))}
            </Tabs>
          </>
        )}
      </Shown>
    </div>
  );
}

// Damaged where it matters, or of a format that is not read: its bytes can be shown.
function isUnreadable(error: unknown): boolean {
  const { status } = toProblem(error);
  return status === 422 || status === 501;
}

const kTabs: [string, string, (path: FilePath, name: string) => ReactNode][] = [
  ['properties', 'Properties', (path, name) => <Properties path={path} name={name} />],
  ['index', 'Index', (path, name) => <IndexTab path={path} name={name} />],
  ['filter', 'Filter', (path, name) => <FilterTab path={path} name={name} />],
  ['blocks', 'Blocks', (path, name) => <BlocksTab path={path} name={name} />],
  ['entries', 'Entries', (path, name) => <Entries path={path} name={name} />],
  ['range_dels', 'Range deletions', (path, name) => <RangeDeletions path={path} name={name} />],
  ['footer', 'Footer', (path, name) => <Footer path={path} name={name} />],
  ['lineage', 'Lineage', (path) => <LineageTab path={path} />],
];

/** A table without properties, such as LevelDB's, does not say how much is in it. */
function known(n: number | undefined, shown: (n: number) => string, otherwise = 'unknown'): string {
  return n === undefined ? otherwise : shown(n);
}

function Heading({ about, path, name }: { about: TableFile; path: FilePath; name: string }) {
  const { link } = useRoute();
  const run = useRun('varve.verify/1');
  return (
    <>
      <div className="page-head">
        <h1>{about.name}</h1>
        <span className="muted">
          {about.level === undefined ? '' : `L${about.level} · `}
          {bytes(about.size)} ·{' '}
          {known(about.entries, (n) => plural(n, 'entry', 'entries'), 'entries unknown')} · format
          version {about.format_version} · {about.codec} · {about.checksum}
        </span>
        {about.level !== undefined && (
          <a href={link('lsm', [], { sel: about.id })}>on the LSM map</a>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={run.job !== null && run.result === null && run.problem === null}
          onClick={() =>
            run.start(about.id === '0' ? { kind: 'verify' } : { kind: 'verify', file: about.id })
          }
        >
          Verify
        </Button>
        {run.result &&
          (run.result.clean ? (
            <b className="good">✓ clean, {plural(run.result.blocks, 'block')}</b>
          ) : (
            <a className="bad" href={link('findings')}>
              ✗ {plural(run.result.findings_total, 'finding')}
            </a>
          ))}
      </div>
      {run.problem && <ProblemNote problem={run.problem} />}
      <Panel
        title="What it says of itself"
        source={ask('/targets/{t}/files/{n}', { path })}
        cli={varve('sst info', [name])}
      >
        <Facts
          of={[
            ['smallest key', <BytesText key="s" bytes={about.smallest?.key} most={40} />],
            ['largest key', <BytesText key="l" bytes={about.largest?.key} most={40} />],
            ['deletions', known(about.deletions, count)],
            ['range deletions', known(about.range_deletions, count)],
            ['data blocks', known(about.data_blocks, count)],
            [
              'data',
              `${known(about.data_bytes, bytes)} stored, ${known(about.raw_key_bytes, (keys) => bytes(keys + (about.raw_value_bytes ?? 0)))} of keys and values uncompressed`,
            ],
            [
              'index',
              `${about.index.kind.replaceAll('_', ' ')}, ${bytes(about.index.bytes)}${about.index.partitions > 0 ? `, ${plural(about.index.partitions, 'partition')}` : ''}`,
            ],
            [
              'filter',
              about.filter.kind === 'none'
                ? 'none'
                : `${about.filter.kind}${about.filter.partitioned ? ', partitioned' : ''}, ${bytes(about.filter.bytes)}`,
            ],
            [
              'point index',
              about.point_index.why
                ? `${about.point_index.kind}: ${about.point_index.why}`
                : `${about.point_index.kind.replaceAll('_', ' ')}${about.point_index.bytes > 0 ? `, ${bytes(about.point_index.bytes)}` : ''}`,
            ],
            [
              'comparator',
              <span key="c" className="mono">
                {about.comparator}
              </span>,
            ],
            [
              'unique id',
              <span key="u" className="mono">
                {about.unique_id || '–'}
              </span>,
            ],
          ]}
        />
        {about.warnings.map((line) => (
          <p className="warn" key={line}>
            ▲ {line}
          </p>
        ))}
      </Panel>
    </>
  );
}

function MapPanel({ path, name, dataEnd }: { path: FilePath; name: string; dataEnd: number }) {
  const { route, setQuery, go } = useRoute();
  const source = ask('/targets/{t}/files/{n}/layout', { path });
  const layout = useRows(source, (page) => page.ranges, route.query.whole ? Infinity : kMostRanges);
  const listed = layout.data?.rows.at(-1);
  const listedEnd = listed ? listed.o + listed.n : 0;
  const isCut = layout.data?.complete === false && listedEnd < dataEnd;
  // Of a large table the blocks in the middle are one part; what lies behind the data is listed.
  const rest = ask('/targets/{t}/files/{n}/layout', { path, query: { from_offset: dataEnd } });
  const behind = useRows(isCut ? rest : null, (page) => page.ranges, kMostRanges);
  const scale = route.query.scale === 'evenly' ? 'evenly' : 'bytes';
  const at = route.query.at === undefined ? null : Number(route.query.at);
  return (
    <Panel
      title="Bytes"
      source={source}
      cli={varve('sst layout', [name])}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="width of a part"
          value={scale}
          onChange={(value) => setQuery({ scale: value === 'bytes' ? undefined : value })}
          data={[
            { value: 'bytes', label: 'by size' },
            { value: 'evenly', label: 'evenly' },
          ]}
        />
      }
    >
      <Shown of={layout} lines={2}>
        {({ rows, complete, last }) => {
          const middle: LayoutRange[] = isCut
            ? [{ o: listedEnd, n: dataEnd - listedEnd, kind: kNotListed }]
            : [];
          const parts = isCut ? [...rows, ...middle, ...(behind.data?.rows ?? [])] : rows;
          const selected = parts.find((range) => range.o === at);
          return (
            <>
              {last.problems.map((line) => (
                <p className="bad" key={line}>
                  ✗ {line}
                </p>
              ))}
              <ByteMap
                ranges={parts}
                scale={scale}
                selected={at}
                onSelect={(range) => setQuery({ at: String(range.o) })}
                onOpen={(range) => go('block', [path.n, String(range.o)])}
              />
              {!complete && (
                <p className="toolbar">
                  <span className="muted">the first {count(kMostRanges)} blocks one by one</span>{' '}
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setQuery({ whole: '1' })}
                  >
                    All of them
                  </Button>
                </p>
              )}
              <p className="muted" aria-live="polite">
                {selected ? (
                  <>
                    {selected.kind.replaceAll('_', ' ')} at {count(selected.o)},{' '}
                    {plural(selected.n, 'byte')} ·{' '}
                    <a
                      href={`#${location.hash}`}
                      onClick={(event) => {
                        event.preventDefault();
                        go('block', [path.n, String(selected.o)]);
                      }}
                    >
                      show its bytes
                    </a>
                  </>
                ) : (
                  'A click chooses a part, a double click or Enter shows its bytes.'
                )}
              </p>
            </>
          );
        }}
      </Shown>
    </Panel>
  );
}

function Properties({ path, name }: { path: FilePath; name: string }) {
  const source = ask('/targets/{t}/files/{n}/properties', { path });
  const properties = useResource(source);
  const columns: Column<TableProperty>[] = [
    {
      id: 'name',
      header: 'property',
      value: (p) => p.name,
      width: 'minmax(260px, 1fr)',
      mono: true,
    },
    {
      id: 'decoded',
      header: 'means',
      value: (p) => p.decoded,
      width: 'minmax(200px, 1.4fr)',
      mono: true,
    },
    {
      id: 'raw',
      header: 'stored, in hex',
      value: (p) => p.raw.hex ?? '',
      cell: (p) => <BytesText bytes={p.raw} as="hex" most={60} />,
      width: 'minmax(160px, 1fr)',
    },
  ];
  return (
    <Panel title="Properties" source={source} cli={varve('sst info', [name])}>
      <Shown of={properties}>
        {(document) => (
          <DataGrid
            label="properties"
            saveName="properties"
            rows={document.properties}
            columns={columns}
            rowId={(p) => p.name}
            height={520}
          />
        )}
      </Shown>
    </Panel>
  );
}

const kNone: Entry[] = [];
const kOfEntry = { key: (e: Entry) => e.key, value: (e: Entry) => e.value };

function Entries({ path, name }: { path: FilePath; name: string }) {
  const { from, to } = useRoute().route.query;
  const range = { from, to };
  const source = ask('/targets/{t}/files/{n}/entries', { path, query: range });
  const full = ask('/targets/{t}/files/{n}/entries', { path, query: { ...range, bytes: 'full' } });
  const entries = usePages(useIsDecoding() ? full : source, (page) => page.entries, kEntriesPage);
  const decoded = useDecoded(entries.data?.rows ?? kNone, kOfEntry);
  const [chosen, setChosen] = useState<Entry | null>(null);
  const idOf = (e: Entry) => `${e.key.hex}@${e.seq}`;
  const columns: Column<Entry>[] = [
    {
      id: 'key',
      header: 'key',
      value: (e) => e.key.hex ?? '',
      cell: (e, near) => <BytesText bytes={e.key} near={near.map((other) => other.key)} />,
      width: 'minmax(160px, 1fr)',
    },
    { id: 'seq', header: 'sequence', value: (e) => Number(e.seq), numeric: true, width: '110px' },
    { id: 'type', header: 'type', value: (e) => e.type, width: '120px' },
    {
      id: 'value',
      header: 'value',
      value: (e) => e.value?.text ?? e.value?.hex ?? '',
      cell: (e) => <BytesText bytes={e.value} most={140} />,
      width: 'minmax(200px, 2fr)',
    },
    ...decoded.columns,
  ];
  return (
    <Panel
      title="Entries as stored"
      source={source}
      cli={varve('sst entries', [name], range)}
      actions={<DecoderSelects />}
    >
      {decoded.note}
      <QueryForm
        of={[
          { name: 'from', label: 'from key' },
          { name: 'to', label: 'to (not itself)' },
        ]}
        send="Show"
      />
      <Shown of={entries}>
        {({ rows }) => (
          <DataGrid
            label="entries"
            saveName="entries"
            rows={rows}
            columns={columns}
            rowId={idOf}
            height={520}
            more={entries}
            selected={chosen && idOf(chosen)}
            onSelect={setChosen}
          />
        )}
      </Shown>
      {chosen && (
        <p aria-live="polite">
          <BytesText bytes={chosen.key} most={200} /> <CopyBytes of={chosen.key} what="key" />
          {chosen.value && chosen.value.len > 0 && (
            <>
              {' '}
              <BytesText bytes={chosen.value} most={200} />{' '}
              <CopyBytes of={chosen.value} what="value" />
            </>
          )}
        </p>
      )}
      {chosen && decoded.about(chosen)}
    </Panel>
  );
}

function RangeDeletions({ path, name }: { path: FilePath; name: string }) {
  const whole = { path, query: { page_size: 1000 } };
  const deletions = useResource(ask('/targets/{t}/files/{n}/range_dels', whole));
  return (
    <Panel
      title="Range deletions"
      source={ask('/targets/{t}/files/{n}/range_dels', { path })}
      cli={varve('sst entries', [name])}
    >
      <Shown of={deletions}>
        {(document) =>
          document.range_dels.length === 0 ? (
            <Empty>None.</Empty>
          ) : (
            <PlainTable name="range deletions">
              <thead>
                <tr>
                  <th>from</th>
                  <th>to (not itself)</th>
                  <th className="num">sequence</th>
                </tr>
              </thead>
              <tbody>
                {document.range_dels.map((d, i) => (
                  <tr key={i}>
                    <td>
                      <BytesText bytes={d.from} />
                    </td>
                    <td>
                      <BytesText bytes={d.to} />
                    </td>
                    <td className="num">{d.seq}</td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          )
        }
      </Shown>
    </Panel>
  );
}

function Footer({ path, name }: { path: FilePath; name: string }) {
  const source = ask('/targets/{t}/files/{n}/footer', { path });
  const footer = useResource(source);
  return (
    <Panel title="Footer and metaindex" source={source} cli={varve('sst layout', [name])}>
      <Shown of={footer}>
        {(document) => (
          <>
            <Facts
              of={[
                ['table type', document.footer.table_type.replaceAll('_', ' ')],
                ['format version', document.footer.format_version],
                ['checksum', document.footer.checksum],
                [
                  'metaindex',
                  `@${count(document.footer.metaindex.offset)} +${count(document.footer.metaindex.size)}`,
                ],
                [
                  'index',
                  `@${count(document.footer.index.offset)} +${count(document.footer.index.size)}`,
                ],
                [
                  'base context checksum',
                  <span key="b" className="mono">
                    {document.footer.base_context_checksum}
                  </span>,
                ],
              ]}
            />
            <PlainTable name="metaindex">
              <thead>
                <tr>
                  <th>named by the metaindex</th>
                  <th className="num">offset</th>
                  <th className="num">bytes</th>
                </tr>
              </thead>
              <tbody>
                {document.metaindex.map((block) => (
                  <tr key={block.name}>
                    <td className="mono">{block.name}</td>
                    <td className="num">{count(block.offset)}</td>
                    <td className="num">{count(block.size)}</td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          </>
        )}
      </Shown>
    </Panel>
  );
}
