// SPDX-License-Identifier: Apache-2.0
// Engines, theme and queries around the shell.
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { EnginesContext, type Engines } from '@/engine/context';
import { shareCredential } from '@/engine/credential_tabs';
import type { DroppedFile, Engine } from '@/engine/engine';
import {
  dropCredential,
  HttpEngine,
  savedCredential,
  saveCredential,
  takeCredential,
  type Credential,
} from '@/engine/http';
import { ApiProblem } from '@/engine/problem';
import { signOut } from '@/engine/session';
import { formatRoute, goTo } from '@/lib/route';
import { keepForOffline } from '@/offline/register';
import { Shell } from './Shell';
import { theme } from './theme';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always', // The engine in this tab needs no network, a served page has its machine.
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiProblem && error.problem.retryable === true,
    },
  },
});

export function App() {
  const [credential, setCredential] = useState(takeCredential);
  const [wasm, setWasm] = useState<Engine | null>(null);

  const startWasm = useCallback(async () => {
    const { startEngine } = await import('@/engine/wasm');
    const engine = await startEngine();
    setWasm(engine);
    return engine;
  }, []);

  const connect = useCallback((given: Credential) => {
    saveCredential(given);
    queries.clear();
    setCredential(given);
  }, []);

  const forget = useCallback(() => {
    dropCredential();
    queries.clear();
    setCredential(null);
  }, []);

  const http: Engine | null = useMemo(
    () => (credential ? new HttpEngine(credential, forget) : null),
    [credential, forget],
  );

  useEffect(() => {
    if (!http) keepForOffline();
  }, [http]);

  // The address that the server printed may be opened in a tab that shows the app already.
  useEffect(() => {
    const onHash = () => {
      if (location.hash.startsWith('#token=')) connect(takeCredential() ?? '');
    };
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, [connect]);

  useEffect(() => shareCredential(savedCredential, connect), [connect]);

  const disconnect = useCallback(() => {
    if (credential) void signOut(credential).catch(() => undefined); // It ends by itself, too.
    forget();
  }, [credential, forget]);

  const open = useCallback(
    async (files: DroppedFile[]) => {
      const engine = wasm ?? (await startWasm());
      const { target } = await engine.attach!(files);
      await queries.invalidateQueries();
      goTo(
        formatRoute({ engine: 'w', target, cf: 'default', page: 'overview', rest: [], query: {} }),
      );
    },
    [wasm, startWasm],
  );

  const engines: Engines = useMemo(
    () => ({ http, wasm, startWasm, connect, disconnect, open }),
    [http, wasm, startWasm, connect, disconnect, open],
  );
  // The content security policy forbids styles made at run time: everything comes from files.
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <EnginesContext value={engines}>
          <Shell />
        </EnginesContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}
