// SPDX-License-Identifier: Apache-2.0
// A database that goes on while it is looked at: each edit of its MANIFEST comes as an event, and
// what the page shows is asked anew. Until the reader pauses it.
import { useQueryClient, type Query } from '@tanstack/react-query';
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import type { Client } from '@/engine/client';
import { useClient } from '@/engine/context';
import { eventsOf, kEventsType } from '@/lib/sse';

export interface Live {
  isLive: boolean; // The database is open in the process that serves it.
  paused: boolean;
  setPaused: (paused: boolean) => void;
}

const LiveContext = createContext<Live>({
  isLive: false,
  paused: false,
  setPaused: () => undefined,
});

export const useLive = () => useContext(LiveContext);

const kAgain = 3000; // ms, after the stream has ended.
const kBetween = 1000; // Of changes that follow each other sooner, the last one is shown.

// What a new edit changes: not what is inside of a table, nor jobs and their results.
export function followsEdits(query: Pick<Query, 'queryKey'>, target: string): boolean {
  const text = query.queryKey.filter((part) => typeof part === 'string').join(' ');
  if (/\/files\/\d|\/(jobs|analyses|stats|events)\b/.test(text) || query.queryKey[0] === 'jobs')
    return false;
  return query.queryKey.includes(target) || new RegExp(`/targets(/${target}\\b|$)`).test(text);
}

// The number of the newest edit, again and again.
async function* editsOf(client: Client, t: string, signal: AbortSignal): AsyncIterable<string> {
  const events = await client.api(signal).GET('/targets/{t}/events', {
    params: { path: { t } },
    headers: { Accept: kEventsType },
    parseAs: 'stream',
  });
  if (!events.data) return;
  for await (const { event, data } of eventsOf(events.data)) {
    if (event !== 'edit') continue;
    const said: { edit: string } = JSON.parse(data);
    yield said.edit;
  }
}

interface LiveProps {
  target: string;
  isLive: boolean;
  follows: boolean; // Somebody may change it: this process, or another one.
  children: ReactNode;
}

export function LiveProvider({ target, isLive, follows: may, children }: LiveProps) {
  const client = useClient();
  const queries = useQueryClient();
  const [paused, setPaused] = useState(false);
  const latest = useRef<string | null>(null);
  const follows = may && !paused && client !== null;

  useEffect(() => {
    if (!follows) return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    let known: string | null = latest.current; // What happened during a pause is new.
    let due: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      due = undefined;
      void queries.invalidateQueries({ predicate: (query) => followsEdits(query, target) });
    };
    const follow = async () => {
      for await (const edit of editsOf(client, target, signal)) {
        if (edit !== known && known !== null) due ??= setTimeout(refresh, kBetween);
        known = edit;
        latest.current = edit;
      }
    };
    const again = () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, kAgain);
        signal.addEventListener('abort', () => clearTimeout(timer));
      });
    const run = async () => {
      while (!signal.aborted) {
        await follow().catch(() => undefined); // A lost server is said elsewhere.
        await again();
      }
    };
    void run();
    return () => {
      ended.abort();
      clearTimeout(due);
    };
  }, [follows, client, target, queries]);

  const live = useMemo(() => ({ isLive, paused, setPaused }), [isLive, paused]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
