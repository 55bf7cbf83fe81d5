// SPDX-License-Identifier: Apache-2.0
// A second tree to hold beside the one that is shown: another open database, or the same one after
// another edit. In the link: `with` is its target, `with_edit` the edit.
import { NativeSelect, NumberInput } from '@mantine/core';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { FileSummary } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useClient, useResource } from '@/engine/context';
import { bytes, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';

export interface Other {
  target: string;
  name: string;
  edit: string | undefined;
  newest: number; // Its last edit.
}

// What the link says to compare with, or null.
export function useOther(): Other | null {
  const { route } = useRoute();
  const target = route.query.with;
  const document = useResource(target ? ask('/targets/{t}', { path: { t: target } }) : null);
  if (!target || !document.data) return null;
  return {
    target,
    name: document.data.target.name,
    edit: route.query.with_edit,
    newest: Number(document.data.as_of.edit ?? 0),
  };
}

export function useFilesOf(
  target: string | null,
  edit: string | undefined,
): UseQueryResult<{ rows: FileSummary[] }> {
  const client = useClient();
  const { route } = useRoute();
  return useQuery({
    queryKey: [client?.engine.letter, 'lsm files', target, route.cf, edit],
    queryFn: ({ signal }) => {
      const params = { path: { t: target! }, query: { cf: route.cf, edit } };
      return client!.all(ask('/targets/{t}/files', params), (page) => page.files, Infinity, signal);
    },
    enabled: client !== null && target !== null,
    placeholderData: keepPreviousData,
  });
}

export function CompareWith({ other }: { other: Other | null }) {
  const { route, setQuery } = useRoute();
  const targets = useResource(ask('/targets', {})).data?.targets ?? [];
  const trees = targets.filter((target) => target.kind === 'db' || target.kind === 'manifest');
  const name = (id: string, text: string) =>
    id === route.target ? 'itself, after another edit' : text;
  return (
    <span className="toolbar">
      <NativeSelect
        size="xs"
        aria-label="compare with"
        value={route.query.with ?? ''}
        onChange={(event) =>
          setQuery({ with: event.currentTarget.value || undefined, with_edit: undefined }, true)
        }
        data={[
          { value: '', label: 'compare with …' },
          ...trees.map((target) => ({ value: target.id, label: name(target.id, target.name) })),
        ]}
      />
      {other && other.newest > 1 && (
        <NumberInput
          size="xs"
          w={110}
          aria-label="edit to compare with"
          min={1}
          max={other.newest}
          value={Number(other.edit ?? other.newest)}
          onChange={(value) =>
            setQuery({ with_edit: Number(value) === other.newest ? undefined : String(value) })
          }
        />
      )}
    </span>
  );
}

// "after edit 12: 6 files, 50 KiB".
export function summaryOf(name: string, edit: string | undefined, files: FileSummary[]): string {
  return `${name}${edit ? ` after edit ${edit}` : ''}: ${plural(files.length, 'file')}, ${bytes(files.reduce((sum, file) => sum + file.size, 0))}`;
}
