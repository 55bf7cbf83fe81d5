// SPDX-License-Identifier: Apache-2.0
// What a running engine has above the files of its levels and works on: memtables and compactions.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Database, FamilyStats, RunningCompaction } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useClient, useTargetPath } from '@/engine/context';
import { useLive } from '@/shell/live';
import { bytes, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import type { MemoryRow } from './draw';

export interface Above {
  memory: MemoryRow[];
  running: RunningCompaction[];
}

const kNoMemory: MemoryRow[] = [];
const kNothing: Above = { memory: kNoMemory, running: [] };

// What is above the files: memtables, or the logs that become one when the database is opened.
export function useAbove(db: Database | undefined): Above {
  const { route } = useRoute();
  const { isLive, paused } = useLive();
  const client = useClient();
  const source = ask('/targets/{t}/stats', { path: useTargetPath() });
  const stats = useQuery({
    queryKey: [client?.engine.letter, source.url, 'memtables'],
    queryFn: ({ signal }) => client!.get(source, signal),
    enabled: client !== null && isLive && !route.query.edit,
    refetchInterval: paused ? false : 1000,
  });
  const family = stats.data?.stats.cfs.find((cf) => cf.name === route.cf);
  return useMemo(() => {
    if (route.query.edit) return kNothing;
    return {
      memory: isLive ? memtableRows(family) : logRows(db),
      running: family?.running_compactions ?? [],
    };
  }, [route.query.edit, isLive, family, db]);
}

function memtableRows(family: FamilyStats | undefined): MemoryRow[] {
  if (!family) return kNoMemory;
  const sealed = family.sealed_memtables;
  const rows = [{ label: 'mem', text: `memtable, ${bytes(family.memtable_bytes)}: any keys` }];
  if (sealed > 0)
    rows.push({
      label: 'imm',
      text: `${plural(sealed, 'memtable')} to flush, ${bytes(family.sealed_memtable_bytes)}: any keys`,
    });
  return rows;
}

function logRows(db: Database | undefined): MemoryRow[] {
  const logs = (db?.wals ?? []).filter((wal) => wal.live && wal.size > 0);
  if (logs.length === 0) return kNoMemory;
  const size = logs.reduce((sum, wal) => sum + wal.size, 0);
  return [
    { label: 'log', text: `${plural(logs.length, 'log')} to replay, ${bytes(size)}: any keys` },
  ];
}
