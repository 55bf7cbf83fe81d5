// SPDX-License-Identifier: Apache-2.0
// On every page while the server does not answer: what is shown is as old as its last answer. A page
// that nobody touches asks for a sign of life, too. When it answers again, everything is asked anew.
import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ask } from '@/engine/client';
import { useClient } from '@/engine/context';

const kAgain = 2000; // ms
const kSignOfLife = 5000;
const never = () => () => undefined;

export function LostNote() {
  const client = useClient();
  const queries = useQueryClient();
  const engine = client?.engine;
  const since = useSyncExternalStore(
    engine?.onLostSince ?? never,
    () => engine?.lostSince?.() ?? null,
  );
  const lost = since !== null;
  useEffect(() => {
    if (!client?.engine.lostSince) return undefined;
    const asking = new AbortController();
    const timer = setInterval(
      () => {
        if (document.hidden) return;
        client
          .get(ask('/', {}), asking.signal)
          .then(() => (lost ? queries.invalidateQueries() : undefined))
          .catch(() => undefined); // The next one may be answered.
      },
      lost ? kAgain : kSignOfLife,
    );
    return () => {
      clearInterval(timer);
      asking.abort();
    };
  }, [lost, client, queries]);
  if (since === null) return null;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      className="problem loss"
      title="The server does not answer"
    >
      <p>
        Since {new Date(since).toLocaleTimeString()}: what is shown is not newer. This page asks
        again every {kAgain / 1000} seconds. A server that was started anew has another token: open
        the address that it printed.
      </p>
    </Alert>
  );
}
