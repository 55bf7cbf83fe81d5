// SPDX-License-Identifier: Apache-2.0
// The plugins that this page has: those that the browser keeps and those that the server offers, by their
// names, each at work from when it is first asked for something. Of two of one name, the browser's counts.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, Client } from '@/engine/client';
import { useEngines } from '@/engine/context';
import type { Engine } from '@/engine/engine';
import { keptPlugins } from './kept';
import type { Manifest } from './manifest';
import { RunningPlugin, startWorker } from './running';

export interface Plugin {
  name: string;
  from: 'browser' | 'server';
  file: string | null; // The server's.
  text: string;
  manifest: Manifest;
  running: RunningPlugin;
}

export interface BadPlugin {
  from: 'browser' | 'server';
  name: string; // Of it or of its file.
  why: string;
}

export interface Plugins {
  good: Plugin[];
  bad: BadPlugin[];
}

// One worker for each text, however many components ask.
const running = new Map<string, RunningPlugin>();

export function runningOf(text: string): RunningPlugin {
  const one = running.get(text) ?? new RunningPlugin(text, startWorker);
  running.set(text, one);
  return one;
}

export function forgetRunning(text: string): void {
  running.get(text)?.end('it was removed');
  running.delete(text);
}

interface Source {
  from: 'browser' | 'server';
  name: string;
  file: string | null;
  text: string | null;
  why?: string | undefined;
}

async function sources(http: Engine | null): Promise<Source[]> {
  const kept = await keptPlugins().catch(() => []); // A browser may refuse to keep anything.
  const served = http ? (await new Client(http).get(ask('/plugins', {}))).plugins : [];
  return [
    ...kept.map(({ name, text }) => ({ from: 'browser' as const, name, file: null, text })),
    ...served.map(({ file, text = null, problem }) => ({
      from: 'server' as const,
      name: file,
      file,
      text,
      why: problem,
    })),
  ];
}

async function readAll(http: Engine | null): Promise<Plugins> {
  const all: Plugins = { good: [], bad: [] };
  for (const { from, name, file, text, why } of await sources(http)) {
    try {
      if (text === null) throw new Error(why ?? 'it cannot be read');
      const one = runningOf(text);
      if (one.hasEnded) one.restart();
      const manifest = await one.manifest();
      if (all.good.some((other) => other.name === manifest.name))
        throw new Error(`there is another plugin named ${manifest.name}, which is used`);
      all.good.push({ name: manifest.name, from, file, text, manifest, running: one });
    } catch (error) {
      all.bad.push({ from, name, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return all;
}

const kKey = 'plugins';

export function usePlugins() {
  const { http } = useEngines();
  return useQuery({
    queryKey: [kKey, http !== null],
    queryFn: () => readAll(http),
    staleTime: Infinity,
  });
}

export function useReadPluginsAgain(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [kKey] });
}
