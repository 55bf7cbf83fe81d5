// SPDX-License-Identifier: Apache-2.0
// What a running engine counted, a sample a second for as long as this tab shows it, whichever page
// that is: of a run that has ended, and its server with it, everything is still here.
import { useEffect, useSyncExternalStore } from 'react';
import { ask, type Client } from '@/engine/client';
import { useClient } from '@/engine/context';
import { toProblem, type Problem } from '@/engine/problem';
import { sampleOf, sampleOfHistory, thinned, type Sample } from '@/lib/samples';

const kEvery = 1000; // ms
// Samples, of some 8 KB each. A chart has no more pixels; older ones are further apart.
const kMost = 900;

export interface StatsLog {
  samples: Sample[]; // The oldest first.
  problem: Problem | null; // Of the last question.
}

const kNothing: StatsLog = { samples: [], problem: null };
const logs = new Map<string, StatsLog>(); // By engine and target.
const watchers = new Set<() => void>();

function keep(key: string, change: (log: StatsLog) => StatsLog): void {
  logs.set(key, change(logs.get(key) ?? kNothing));
  for (const watcher of watchers) watcher();
}

const watch = (changed: () => void) => {
  watchers.add(changed);
  return () => watchers.delete(changed);
};

const keyOf = (client: Client | null, t: string) => `${client?.engine.letter ?? ''} ${t}`;

export function useStatsLog(t: string): StatsLog {
  const key = keyOf(useClient(), t);
  return useSyncExternalStore(watch, () => logs.get(key) ?? kNothing);
}

// What the server kept from before, the first time.
async function begin(client: Client, t: string, signal: AbortSignal): Promise<void> {
  const { samples } = await client.get(ask('/targets/{t}/stats/history', { path: { t } }), signal);
  keep(keyOf(client, t), (log) => ({ ...log, samples: samples.map(sampleOfHistory) }));
}

async function take(client: Client, t: string, signal: AbortSignal): Promise<void> {
  const { stats } = await client.get(ask('/targets/{t}/stats', { path: { t } }), signal);
  keep(keyOf(client, t), ({ samples }) => ({
    samples: thinned([...samples, sampleOf(Date.now() / 1000, stats)], kMost),
    problem: null,
  }));
}

// While the target is live; null: it is not.
export function useStatsRecorder(t: string | null): void {
  const client = useClient();
  useEffect(() => {
    if (!client || t === null) return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    let asks = false;
    const next = async () => {
      if (asks) return;
      asks = true;
      try {
        if (!logs.has(keyOf(client, t))) await begin(client, t, signal);
        await take(client, t, signal);
      } catch (error) {
        if (!signal.aborted)
          keep(keyOf(client, t), (log) => ({ ...log, problem: toProblem(error) }));
      } finally {
        asks = false;
      }
    };
    void next();
    const timer = setInterval(() => void next(), kEvery);
    return () => {
      ended.abort();
      clearInterval(timer);
    };
  }, [client, t]);
}
