// SPDX-License-Identifier: Apache-2.0
import type { Block } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useRows } from '@/engine/context';
import { varve } from '@/lib/cli';
import { bytes, count, ratio } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { Shown } from '@/ui/states';
import { toneOf } from './bytemap';
import type { FilePath } from './path';

const kMost = 2000;

const kColumns: Column<Block>[] = [
  {
    id: 'offset',
    header: 'offset',
    value: (b) => b.offset,
    cell: (b) => count(b.offset),
    numeric: true,
    width: '120px',
  },
  {
    id: 'kind',
    header: 'kind',
    value: (b) => b.kind,
    cell: (b) => (
      <>
        <span className={`swatch tone-${toneOf(b.kind)}`} aria-hidden="true" />
        {b.kind.replaceAll('_', ' ')}
      </>
    ),
    width: 'minmax(120px, 1fr)',
  },
  { id: 'size', header: 'stored', value: (b) => b.size, cell: (b) => bytes(b.size), numeric: true },
  {
    id: 'raw',
    header: 'decompressed',
    value: (b) => b.raw_size,
    cell: (b) => bytes(b.raw_size),
    numeric: true,
  },
  {
    id: 'ratio',
    header: 'ratio',
    value: (b) => b.raw_size / Math.max(1, b.size),
    cell: (b) => ratio(b.raw_size / Math.max(1, b.size)),
    numeric: true,
  },
  { id: 'codec', header: 'codec', value: (b) => b.codec },
  {
    id: 'entries',
    header: 'entries',
    value: (b) => b.entries ?? 0,
    cell: (b) => (b.entries === undefined ? '–' : count(b.entries)),
    numeric: true,
  },
  {
    id: 'restarts',
    header: 'restarts',
    value: (b) => b.restarts ?? 0,
    cell: (b) => b.restarts ?? '–',
    numeric: true,
  },
  {
    id: 'checksum',
    header: 'checksum',
    value: (b) => (b.checksum.ok ? 'ok' : 'wrong'),
    cell: (b) =>
      b.checksum.ok ? <span className="good">✓ ok</span> : <span className="bad">✗ wrong</span>,
  },
];

export function BlocksTab({ path, name }: { path: FilePath; name: string }) {
  const { route, go } = useRoute();
  const source = ask('/targets/{t}/files/{n}/blocks', { path });
  const blocks = useRows(source, (page) => page.blocks, kMost);
  return (
    <Panel title="Blocks" source={source} cli={varve('sst blocks', [name])}>
      <Shown of={blocks} what="reading and checking blocks">
        {({ rows, complete, last }) => (
          <DataGrid
            label="blocks"
            csvName="blocks"
            rows={rows}
            columns={kColumns}
            rowId={(b) => String(b.offset)}
            height={520}
            selected={route.query.at ?? null}
            onOpen={(b) => go('block', [route.rest[0] ?? '0', String(b.offset)])}
            note={complete ? '' : `of ${count(last.blocks_total)}`}
          />
        )}
      </Shown>
    </Panel>
  );
}
