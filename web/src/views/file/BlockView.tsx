// SPDX-License-Identifier: Apache-2.0
// One block: its entries and its bytes, each leading to the other.
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { BlockEntry, LayoutDocument, LayoutRange } from '@/api/openapi';
import { answerOf, ask, type Client } from '@/engine/client';
import { useClient, useResource, useRows, useTarget } from '@/engine/context';
import { useNeighbour } from '@/shell/keyboard';
import { fromHex, literalHex } from '@/lib/bytes';
import { varve } from '@/lib/cli';
import { bytes, count, ratio } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { DecoderSelects, useDecoded, useIsDecoding } from '@/plugins/decoded';
import { BytesText, Facts } from '@/ui/small';
import { Shown } from '@/ui/states';
import { entryFields, fieldAt, findBytes, leafFields } from './fields';
import { HexView } from './HexView';
import { useFilePath, type FilePath } from './path';

const kMostBytes = 1 << 20; // Asked for at once.
const kTrailer = 5;
const kMostParts = 20_000;

export default function BlockView() {
  const { route, link, go } = useRoute();
  const path = useFilePath();
  const asked = Number(route.rest[1] ?? 0);
  const target = useTarget().data;
  // Usually a part begins there; a finding may lie anywhere in one, which the list of all tells.
  const there = ask('/targets/{t}/files/{n}/layout', { path, query: { from_offset: asked } });
  const near = useRows(there, (page) => page.ranges, 2);
  const whole = ask('/targets/{t}/files/{n}/layout', { path });
  const all = useRows(whole, (page) => page.ranges, kMostParts);
  const exact = near.data?.rows[0]?.o === asked ? near.data.rows[0] : undefined;
  const part =
    exact ?? all.data?.rows.find((range) => range.o <= asked && asked < range.o + range.n);
  useNeighbour((step) => {
    const rows = all.data?.rows ?? [];
    const known = rows.findIndex((range) => range.o === part?.o);
    const next =
      known >= 0 && known + step < rows.length
        ? rows[known + step]
        : step > 0
          ? near.data?.rows[1]
          : undefined;
    if (next) go('block', [path.n, String(next.o)]);
  });
  const name = target?.db
    ? `./${target.target.name}/${path.n.padStart(6, '0')}.sst`
    : (target?.target.name ?? '');
  return (
    <div className="page">
      <div className="page-head">
        <h1>
          {part ? part.kind.replaceAll('_', ' ') : 'Part'} at {count(part?.o ?? asked)}
        </h1>
        <span className="muted">
          of{' '}
          <a href={link('file', [path.n], { at: String(part?.o ?? asked) })}>
            file {target?.db ? path.n : target?.target.name}
          </a>{' '}
          · [ and ] go to the neighbours
        </span>
      </div>
      <Shown of={part ? near : all} what="reading the index">
        {() =>
          part ? (
            <Part key={part.o} part={part} path={path} name={name} />
          ) : (
            <p className="empty">No byte of the file has that offset.</p>
          )
        }
      </Shown>
    </div>
  );
}

const isBlock = (part: LayoutRange) => part.kind !== 'footer' && part.kind !== 'unreferenced';

function Part({ part, path, name }: { part: LayoutRange; path: FilePath; name: string }) {
  const readable = isBlock(part);
  const source = ask('/targets/{t}/files/{n}/blocks/{offset}', {
    path: { ...path, offset: String(part.o) },
  });
  const block = useResource(readable ? source : null);
  return (
    <>
      {readable && (
        <Panel title="Block" source={source} cli={varve('sst block', [name, String(part.o)])}>
          <Shown of={block} lines={2}>
            {({ block: b }) => (
              <>
                <Facts
                  of={[
                    ['stored', `${bytes(b.size)}, ${b.codec}`],
                    [
                      'decompressed',
                      `${bytes(b.raw_size)}, ratio ${ratio(b.raw_size / Math.max(1, b.size))}`,
                    ],
                    [
                      'checksum',
                      b.checksum.ok ? (
                        <span className="good" key="c">
                          ✓ {b.checksum.stored}
                        </span>
                      ) : (
                        <span className="bad" key="c">
                          ✗ stored {b.checksum.stored}, computed {b.checksum.computed}
                        </span>
                      ),
                    ],
                    [
                      'entries',
                      b.entries === undefined
                        ? '–'
                        : `${count(b.entries)}, ${count(b.restarts ?? 0)} restarts`,
                    ],
                    [
                      'key bytes',
                      b.key_bytes === undefined
                        ? '–'
                        : `${bytes(b.key_bytes)}, ${bytes(b.shared_key_bytes ?? 0)} of them shared`,
                    ],
                    ['value bytes', b.value_bytes === undefined ? '–' : bytes(b.value_bytes)],
                  ]}
                />
                {b.problem && <p className="bad">✗ {b.problem}</p>}
              </>
            )}
          </Shown>
        </Panel>
      )}
      {(!readable || block.data || block.error) && (
        <Contents
          part={part}
          path={path}
          name={name}
          hasEntries={(block.data?.block.restarts ?? 0) > 0}
        />
      )}
    </>
  );
}

async function rawBytes(
  client: Client,
  path: FilePath,
  part: LayoutRange,
  decoded: boolean,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const end = part.o + Math.min(part.n, kMostBytes) - 1;
  const reply = await client.api(signal).GET('/targets/{t}/files/{n}/bytes', {
    params: { path, query: decoded ? { block: part.o, decoded } : {} },
    headers: decoded ? {} : { Range: `bytes=${part.o}-${end}` },
    parseAs: 'arrayBuffer',
  });
  return new Uint8Array(answerOf(reply));
}

const kNone: BlockEntry[] = [];
const kOfEntry = { key: (e: BlockEntry) => e.key, value: (e: BlockEntry) => e.value };

function Contents({
  part,
  path,
  name,
  hasEntries,
}: {
  part: LayoutRange;
  path: FilePath;
  name: string;
  hasEntries: boolean;
}) {
  const { route, setQuery, go } = useRoute();
  const client = useClient();
  const decoded = hasEntries && route.query.as !== 'stored';
  const raw = useQuery({
    queryKey: [client?.engine.letter, path.t, path.n, 'bytes', part.o, part.n, decoded],
    queryFn: ({ signal }) => rawBytes(client!, path, part, decoded, signal),
    enabled: client !== null,
  });
  const entriesSource = ask('/targets/{t}/files/{n}/blocks/{offset}/entries', {
    path: { ...path, offset: String(part.o) },
  });
  const fullSource = ask('/targets/{t}/files/{n}/blocks/{offset}/entries', {
    path: { ...path, offset: String(part.o) },
    query: { bytes: 'full' },
  });
  const isDecoding = useIsDecoding();
  const entries = useRows(
    hasEntries ? (isDecoding ? fullSource : entriesSource) : null,
    (page) => page.entries,
    20_000,
  );
  const plugged = useDecoded(entries.data?.rows ?? kNone, kOfEntry);
  const leaves = useQuery({
    queryKey: [client?.engine.letter, path.t, path.n, 'fields', part.o],
    queryFn: ({ signal }) => leavesOf(client!, path, part, signal),
    enabled: client !== null && !decoded,
  });
  const rows = entries.data?.rows;
  const fields = useMemo(
    () =>
      decoded
        ? entryFields(rows ?? [], raw.data?.length ?? 0)
        : leafFields(leaves.data ?? [], part.o),
    [decoded, rows, raw.data, leaves.data, part.o],
  );
  const [cursor, setCursor] = useState<number | null>(null);
  const [pattern, setPattern] = useState('');
  const chosen = cursor === null ? undefined : fields[fieldAt(fields, cursor)];
  const entry = chosen?.entry;

  function find() {
    const wanted = literalHex(pattern);
    if (!wanted || !raw.data) return;
    const at = findBytes(raw.data, fromHex(wanted), cursor ?? -1);
    if (at >= 0) setCursor(at);
  }
  const columns: Column<BlockEntry>[] = [
    { id: 'offset', header: 'offset', value: (e) => e.offset, numeric: true, width: '72px' },
    {
      id: 'restart',
      header: '●',
      value: (e) => (e.restart ? 1 : 0),
      cell: (e) => (e.restart ? <span title="restart point">●</span> : ''),
      width: '34px',
    },
    { id: 'shared', header: 'shared', value: (e) => e.shared, numeric: true, width: '70px' },
    {
      id: 'key',
      header: 'key',
      value: (e) => e.key.text ?? e.key.hex ?? '',
      cell: (e, near) => <BytesText bytes={e.key} near={near.map((other) => other.key)} />,
      width: 'minmax(120px, 1.2fr)',
    },
    ...(rows?.[0]?.seq === undefined
      ? []
      : [
          {
            id: 'seq',
            header: 'sequence',
            value: (e: BlockEntry) => Number(e.seq),
            numeric: true,
            width: '90px',
          },
          { id: 'type', header: 'type', value: (e: BlockEntry) => e.type ?? '', width: '90px' },
        ]),
    rows?.[0]?.handle
      ? {
          id: 'handle',
          header: 'leads to',
          value: (e) => e.handle?.offset ?? 0,
          cell: (e) => `@${count(e.handle?.offset ?? 0)} +${count(e.handle?.size ?? 0)}`,
          width: 'minmax(130px, 1fr)',
        }
      : {
          id: 'value',
          header: 'value',
          value: (e) => e.value?.text ?? e.value?.hex ?? '',
          cell: (e) => <BytesText bytes={e.value} most={60} />,
          width: 'minmax(120px, 1.5fr)',
        },
    ...plugged.columns,
  ];
  const hexPanel = (
    <Panel
      title={decoded ? 'Bytes, decompressed' : 'Bytes, as stored'}
      cli={varve(
        'sst hex',
        [name],
        isBlock(part)
          ? { block: String(part.o), decoded }
          : { offset: String(part.o), size: String(part.n) },
      )}
      actions={
        <>
          {hasEntries && (
            <SegmentedControl
              size="xs"
              aria-label="bytes shown"
              value={decoded ? 'decoded' : 'stored'}
              onChange={(value) => {
                setCursor(null);
                setQuery({ as: value === 'decoded' ? undefined : value });
              }}
              data={[
                { value: 'decoded', label: 'decompressed' },
                { value: 'stored', label: 'stored' },
              ]}
            />
          )}
          <form
            className="toolbar"
            onSubmit={(event) => {
              event.preventDefault();
              find();
            }}
          >
            <TextInput
              size="xs"
              aria-label="find bytes"
              placeholder="find: text or hex:…"
              value={pattern}
              onChange={(event) => setPattern(event.currentTarget.value)}
            />
            <Button size="compact-xs" variant="default" type="submit">
              Find
            </Button>
          </form>
        </>
      }
    >
      <Shown of={raw} lines={8}>
        {(data) => (
          <HexView
            label={`bytes of the ${part.kind} at ${part.o}`}
            bytes={data}
            base={decoded ? 0 : part.o}
            fields={fields}
            cursor={cursor}
            onCursor={setCursor}
          />
        )}
      </Shown>
      {!decoded && part.n > kMostBytes && (
        <p className="warn">
          the first {bytes(kMostBytes)} of {bytes(part.n)}
        </p>
      )}
      {decoded && (
        <p className="muted">
          without the trailer of {kTrailer} bytes; offsets are of the decompressed block
        </p>
      )}
    </Panel>
  );
  if (!hasEntries) return hexPanel;
  return (
    <div className="halves">
      <Panel
        title="Entries"
        source={entriesSource}
        cli={varve('sst block', [name, String(part.o)])}
        actions={<DecoderSelects />}
      >
        {plugged.note}
        <Shown of={entries} lines={8}>
          {({ rows: all }) => (
            <DataGrid
              label="entries of the block"
              saveName="block"
              rows={all}
              columns={columns}
              rowId={(e) => String(e.offset)}
              height={470}
              selected={entry === undefined ? null : String(all[entry]?.offset)}
              onSelect={(e) => {
                if (decoded) setCursor(e.offset);
              }}
              {...(all[0]?.handle
                ? {
                    onOpen: (e: BlockEntry) =>
                      go('block', [route.rest[0] ?? '0', String(e.handle?.offset ?? 0)]),
                  }
                : {})}
            />
          )}
        </Shown>
      </Panel>
      {hexPanel}
    </div>
  );
}

// The named leaves of one part: a page may reach beyond it.
async function leavesOf(
  client: Client,
  path: FilePath,
  part: LayoutRange,
  signal: AbortSignal,
): Promise<LayoutRange[]> {
  const leaves: LayoutRange[] = [];
  let token: string | undefined;
  do {
    const query = {
      depth: 'fields' as const,
      from_offset: part.o,
      page_size: 2000,
      page_token: token,
    };
    const asked = ask('/targets/{t}/files/{n}/layout', { path, query });
    const page: LayoutDocument = await client.get(asked, signal);
    const within = page.ranges.filter((leaf) => leaf.o < part.o + part.n);
    leaves.push(...within);
    token = within.length === page.ranges.length ? page.next_page_token : undefined;
  } while (token && leaves.length < 20_000);
  return leaves;
}
