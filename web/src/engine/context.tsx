// SPDX-License-Identifier: Apache-2.0
// The engines of this tab, and hooks that ask the one that the route names.
import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext, useMemo } from 'react';
import { may } from '@/lib/rights';
import { useRoute } from '@/lib/route';
import { ask, Client, type Asked, type Page } from './client';
import type { DroppedFile, Engine } from './engine';
import type { Credential } from './http';

export interface Engines {
  http: Engine | null;
  wasm: Engine | null; // Null until something needs it: the module is loaded then.
  startWasm: () => Promise<Engine>;
  connect: (credential: Credential) => void;
  disconnect: () => void; // Signs out, or forgets the token.
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

// A document of the API, asked again when its address changes. Null asks nothing.
export function useResource<Document>(asked: Asked<Document> | null): UseQueryResult<Document> {
  const client = useClient();
  return useQuery({
    queryKey: [client?.engine.letter, asked?.url],
    queryFn: ({ signal }) => client!.get(asked!, signal),
    enabled: client !== null && asked !== null,
  });
}

// Every page of a list.
export function useRows<Document extends Page, Row>(
  asked: Asked<Document> | null,
  rows: (page: Document) => Row[],
  most = Infinity,
) {
  const client = useClient();
  return useQuery({
    queryKey: [client?.engine.letter, 'rows', asked?.url, most],
    queryFn: ({ signal }) => client!.all(asked!, rows, most, signal),
    enabled: client !== null && asked !== null,
  });
}

// A list that may be longer than anybody wants at once: page by page, as fetchNextPage() is called.
export function usePages<Document extends Page, Row>(
  asked: Asked<Document>,
  rowsOf: (page: Document) => Row[],
  size: number,
) {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: [client?.engine.letter, 'pages', asked.url, size],
    queryFn: ({ pageParam, signal }) =>
      asked.of(client!.api(signal, { page_size: size, page_token: pageParam })),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_page_token,
    select: ({ pages }) => ({
      rows: pages.flatMap(rowsOf),
      last: pages.at(-1)!,
      problem: pages.at(-1)!.problem,
    }),
    enabled: client !== null,
  });
}

// What names the target and the family of the route in paths of the API.
export function useTargetPath(): { t: string } {
  return { t: useRoute().route.target };
}

export function useFamilyPath(): { t: string; cf: string } {
  const { route } = useRoute();
  return { t: route.target, cf: route.cf };
}

export const useRoot = () => useResource(ask('/', {}));
export function useTarget() {
  const path = useTargetPath();
  return useResource(path.t ? ask('/targets/{t}', { path }) : null);
}

// Whether the server, and its user, may change what is shown. The playground is changed by its script
// alone, which its undo runs again.
export function useMayWrite(): boolean {
  const { route } = useRoute();
  const target = useTarget().data?.target;
  const root = useRoot().data;
  if (route.engine !== 'h' || !target?.live || !root?.capabilities.write) return false;
  return may(root.rights, 'write', target.name, route.cf);
}
