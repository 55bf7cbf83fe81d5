// SPDX-License-Identifier: Apache-2.0
// The engines of this tab, and hooks that ask the one that the route names.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext, useMemo } from 'react';
import { useRoute } from '@/lib/route';
import { Client, segments, type Query, type SchemaName, type Schemas } from './client';
import type { DroppedFile, Engine } from './engine';

export interface Engines {
  http: Engine | null;
  wasm: Engine | null; // Null until something needs it: the module is loaded then.
  startWasm: () => Promise<Engine>;
  connect: (token: string) => void;
  disconnect: () => void;
  open: (files: DroppedFile[]) => Promise<void>; // In this tab; shows what was opened.
}

export const EnginesContext = createContext<Engines | null>(null);

export function useEngines(): Engines {
  const engines = useContext(EnginesContext);
  if (!engines) throw new Error('no engines around this component');
  return engines;
}

export function useClient(): Client | null {
  const { http, wasm } = useEngines();
  const { route } = useRoute();
  const engine = route.engine === 'h' ? http : route.engine === 'w' ? wasm : null;
  return useMemo(() => (engine ? new Client(engine) : null), [engine]);
}

// A document of the API, asked again when its path or query change. A null path asks nothing.
export function useResource<Name extends SchemaName>(
  path: string | null,
  query: Query = {},
): UseQueryResult<Schemas[Name]> {
  const client = useClient();
  return useQuery({
    queryKey: [client?.engine.letter, path, query],
    queryFn: ({ signal }) => client!.get<Name>(path!, query, signal),
    enabled: client !== null && path !== null,
  });
}

// Every page of a list.
export function useRows<Name extends SchemaName, Row>(
  path: string | null,
  rows: (page: Schemas[Name]) => Row[],
  query: Query = {},
  most = Infinity,
) {
  const client = useClient();
  return useQuery({
    queryKey: [client?.engine.letter, 'rows', path, query, most],
    queryFn: ({ signal }) => client!.all<Name, Row>(path!, rows, query, most, signal),
    enabled: client !== null && path !== null,
  });
}

// "/targets/t1" and "/targets/t1/cfs/default" of the route.
export function useTargetPath(): string {
  return segments('targets', useRoute().route.target);
}

export function useFamilyPath(): string {
  const { route } = useRoute();
  return segments('targets', route.target, 'cfs', route.cf);
}

export const useRoot = () => useResource<'root'>('/');
export function useTarget() {
  const { route } = useRoute();
  return useResource<'target'>(route.target ? segments('targets', route.target) : null);
}
