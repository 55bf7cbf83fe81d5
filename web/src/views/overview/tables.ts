// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { Database } from '@/api/openapi';
import { ask } from '@/engine/client';
import { useRows, useTargetPath } from '@/engine/context';
import { useRoute } from '@/lib/route';

const kOpenedAtOnce = 2000; // Opening a table to count its entries costs a read or two.

// The tables of the family that is shown, with what their properties count. Of many, only on demand.
export function useTables(db: Database) {
  const { route } = useRoute();
  const path = useTargetPath();
  const [wanted, setWanted] = useState('');
  const count = db.cfs.find((family) => family.cf === route.cf)?.files ?? 0;
  const isOpen = count <= kOpenedAtOnce || wanted === path.t;
  const source = ask('/targets/{t}/files', { path, query: { cf: route.cf, properties: true } });
  const files = useRows(isOpen ? source : null, (page) => page.files);
  return { source, files, count, isOpen, open: () => setWanted(path.t) };
}

export type Tables = ReturnType<typeof useTables>;
