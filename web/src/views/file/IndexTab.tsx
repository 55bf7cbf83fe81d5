// SPDX-License-Identifier: Apache-2.0
// The index as the tree that it is: top level, partitions, the blocks that they lead to.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ask } from '@/engine/client';
import { usePages } from '@/engine/context';
import { varve } from '@/lib/cli';
import { count, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { BytesText } from '@/ui/small';
import { Shown } from '@/ui/states';
import type { FilePath } from './path';

const kPage = 500;

export function IndexTab({ path, name }: { path: FilePath; name: string }) {
  return (
    <Panel
      title="Index tree"
      source={ask('/targets/{t}/files/{n}/index', { path })}
      cli={varve('sst index', [name])}
    >
      <IndexLevel path={path} partition={undefined} />
    </Panel>
  );
}

function IndexLevel({ path, partition }: { path: FilePath; partition: number | undefined }) {
  const { route, link } = useRoute();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const source = ask('/targets/{t}/files/{n}/index', { path, query: { partition } });
  const level = usePages(source, (page) => page.handles, kPage);
  const toggle = (at: number) =>
    setOpen((now) =>
      now.has(at) ? new Set([...now].filter((one) => one !== at)) : new Set([...now, at]),
    );
  return (
    <Shown of={level} lines={3}>
      {({ rows, last }) => (
        <>
          {partition === undefined && (
            <p className="muted">
              {last.two_levels ? 'two levels' : 'one level'},{' '}
              {last.user_keys ? 'user keys' : 'internal keys'},{' '}
              {last.delta_encoded ? 'handles as differences' : 'whole handles'}; at{' '}
              {count(last.offset)}, {plural(last.size, 'byte')}
            </p>
          )}
          <ul className="tree">
            {rows.map((handle) => {
              const at = handle.handle?.offset ?? 0;
              return (
                <li key={handle.offset}>
                  {last.leads_to === 'index_partition' && (
                    <button
                      type="button"
                      className="twisty"
                      aria-expanded={open.has(at)}
                      aria-label={`handles of the partition at ${at}`}
                      onClick={() => toggle(at)}
                    >
                      {open.has(at) ? '▾' : '▸'}
                    </button>
                  )}
                  <span className="muted">≤</span> <BytesText bytes={handle.key} most={60} />{' '}
                  <span className="muted">
                    → {last.leads_to === 'data' ? 'block' : 'partition'}
                  </span>{' '}
                  <a href={link('block', [route.rest[0] ?? '0', String(at)])}>@{count(at)}</a>{' '}
                  <span className="muted">+{count(handle.handle?.size ?? 0)}</span>
                  {handle.restart && (
                    <span className="muted" title="a restart point">
                      {' '}
                      ●
                    </span>
                  )}
                  {open.has(at) && <IndexLevel path={path} partition={at} />}
                </li>
              );
            })}
          </ul>
          {level.hasNextPage && (
            <p className="toolbar">
              <span className="muted">{count(rows.length)} so far</span>
              <Button
                size="compact-xs"
                variant="default"
                loading={level.isFetchingNextPage}
                onClick={() => void level.fetchNextPage()}
              >
                {count(kPage)} more
              </Button>
            </p>
          )}
        </>
      )}
    </Shown>
  );
}
