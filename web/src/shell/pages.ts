// SPDX-License-Identifier: Apache-2.0
// Every page: its place in the navigation, its key behind `g`, what it needs, its code (loaded when
// first shown).
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Capabilities, RootDocument, TargetSummary } from '@/api/openapi';
import { kindName } from '@/lib/kinds';
import { may } from '@/lib/rights';

export interface Page {
  id: string;
  title: string;
  key?: string; // g then this.
  hidden?: boolean; // Reached from other pages only.
  needsTarget: boolean;
  kinds?: TargetSummary['kind'][]; // Of targets that it can show.
  whole?: boolean; // Shows what belongs to no family: one needs to read all of the target.
  // Why it cannot be shown, or null.
  missing?: (capabilities: Capabilities) => string | null;
  view: LazyExoticComponent<ComponentType>;
}

const db: TargetSummary['kind'][] = ['db'];
const withManifest: TargetSummary['kind'][] = ['db', 'manifest'];

export const kPages: Page[] = [
  {
    id: 'landing',
    title: 'Open',
    key: 'h',
    needsTarget: false,
    view: lazy(() => import('@/views/Landing')),
  },
  {
    id: 'overview',
    title: 'Overview',
    key: 'o',
    needsTarget: true,
    view: lazy(() => import('@/views/Overview')),
  },
  {
    id: 'lsm',
    title: 'LSM map',
    key: 'l',
    needsTarget: true,
    kinds: withManifest,
    view: lazy(() => import('@/views/lsm/LsmView')),
  },
  {
    id: 'files',
    title: 'Files',
    key: 'f',
    needsTarget: true,
    kinds: ['db', 'sst', 'manifest'],
    view: lazy(() => import('@/views/Files')),
  },
  {
    id: 'file',
    title: 'File',
    hidden: true,
    needsTarget: true,
    kinds: ['db', 'sst'],
    view: lazy(() => import('@/views/file/FileView')),
  },
  {
    id: 'block',
    title: 'Block',
    hidden: true,
    needsTarget: true,
    kinds: ['db', 'sst'],
    view: lazy(() => import('@/views/file/BlockView')),
  },
  {
    id: 'data',
    title: 'Data',
    key: 'd',
    needsTarget: true,
    kinds: ['db', 'sst'],
    view: lazy(() => import('@/views/Data')),
  },
  {
    id: 'query',
    title: 'Query',
    key: 'q',
    needsTarget: true,
    kinds: ['db', 'sst', 'manifest', 'wal'],
    view: lazy(() => import('@/views/query/Query')),
  },
  {
    id: 'explain',
    title: 'Explain',
    key: 'e',
    needsTarget: true,
    kinds: db,
    view: lazy(() => import('@/views/Explain')),
  },
  {
    id: 'timeline',
    title: 'Timeline',
    key: 't',
    needsTarget: true,
    whole: true,
    kinds: withManifest,
    view: lazy(() => import('@/views/timeline/Timeline')),
  },
  {
    id: 'keyspace',
    title: 'Keyspace',
    key: 'k',
    needsTarget: true,
    kinds: db,
    view: lazy(() => import('@/views/Keyspace')),
  },
  {
    id: 'wal',
    title: 'Logs',
    key: 'w',
    needsTarget: true,
    whole: true,
    kinds: ['db', 'wal'],
    view: lazy(() => import('@/views/Wal')),
  },
  {
    id: 'findings',
    title: 'Findings',
    key: 'v',
    needsTarget: true,
    view: lazy(() => import('@/views/Findings')),
  },
  {
    id: 'options',
    title: 'Options',
    key: 'c',
    needsTarget: true,
    kinds: db,
    view: lazy(() => import('@/views/options/Options')),
  },
  {
    id: 'metrics',
    title: 'Metrics',
    key: 'm',
    needsTarget: true,
    whole: true,
    kinds: db,
    missing: (c) =>
      c.metrics || c.live ? null : 'only of a database that runs in the process that serves it',
    view: lazy(() => import('@/views/metrics/Metrics')),
  },
  {
    id: 'bench',
    title: 'Bench',
    key: 'b',
    needsTarget: false,
    view: lazy(() => import('@/views/bench/Bench')),
  },
  {
    id: 'playground',
    title: 'Playground',
    key: 'p',
    needsTarget: false,
    view: lazy(() => import('@/playground/Playground')),
  },
  {
    id: 'plugins',
    title: 'Plugins',
    key: 'x',
    needsTarget: false,
    view: lazy(() => import('@/views/plugins/Plugins')),
  },
  {
    id: 'plugin',
    title: 'Plugin',
    hidden: true,
    needsTarget: true,
    view: lazy(() => import('@/views/plugins/PluginView')),
  },
];

// Why a page has nothing to show, or null.
export function whyNot(
  page: Page,
  target: TargetSummary | undefined,
  root: RootDocument | undefined,
): string | null {
  if (!page.needsTarget) return null;
  if (!target) return 'open a database or a file first';
  if (page.kinds && !page.kinds.includes(target.kind))
    return `${kindName(target.kind)} alone does not say`;
  if (!root) return null;
  if (page.whole && !may(root.rights, 'read', target.name))
    return `${root.user} may not read all of ${target.name}`;
  return page.missing ? page.missing(root.capabilities) : null;
}
