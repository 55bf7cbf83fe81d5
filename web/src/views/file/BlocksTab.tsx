// SPDX-License-Identifier: Apache-2.0
import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { Block } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useClient, usePages } from '@/engine/context';
import { toProblem } from '@/engine/problem';
import { varve } from '@/lib/cli';
import { bytes, count, ratio } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { Shown } from '@/ui/states';
import { toneOf } from './bytemap';
import { offsetOf, type FilePath } from './path';

const kPage = 1000;

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
  const blocks = usePages(source, (page) => page.blocks, kPage);
  return (
    <Panel
      title="Blocks"
      source={source}
      cli={varve('sst blocks', [name])}
      actions={<SeekOffset path={path} />}
    >
      <Shown of={blocks} what="reading and checking blocks">
        {({ rows, last }) => (
          <DataGrid
            label="blocks"
            saveName="blocks"
            rows={rows}
            columns={kColumns}
            rowId={(b) => String(b.offset)}
            height={520}
            selected={route.query.at ?? null}
            onOpen={(b) => go('block', [route.rest[0] ?? '0', String(b.offset)])}
            more={blocks}
            note={rows.length < last.blocks_total ? `of ${count(last.blocks_total)}` : ''}
          />
        )}
      </Shown>
    </Panel>
  );
}

// The block that holds a byte of the file, however far behind.
function SeekOffset({ path }: { path: FilePath }) {
  const { go } = useRoute();
  const client = useClient();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const at = offsetOf(typed);

  async function seek(event: FormEvent) {
    event.preventDefault();
    setProblem(null);
    try {
      const query = { at: at ?? 0 };
      const { ranges } = await client!.get(ask('/targets/{t}/files/{n}/layout', { path, query }));
      const [part] = ranges;
      if (part) go('block', [path.n, String(part.o)]);
      else setProblem(`the file has no byte ${count(at ?? 0)}`);
    } catch (error) {
      setProblem(toProblem(error).detail ?? toProblem(error).title);
    }
  }
  return (
    <form className="toolbar" onSubmit={(event) => void seek(event)}>
      <TextInput
        size="xs"
        w={130}
        placeholder="offset, 0x…"
        aria-label="offset of a byte, to go to its block"
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" size="compact-xs" variant="default" disabled={at === null || !client}>
        Go
      </Button>
    </form>
  );
}
