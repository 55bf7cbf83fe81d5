// SPDX-License-Identifier: Apache-2.0
// The state of one playground: its database, its script and how far it has run.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useEngines } from '@/engine/context';
import type { Kept, Playground } from '@/engine/engine';
import { ApiProblem, toProblem, type Problem } from '@/engine/problem';
import { formatRoute, goTo, parseRoute } from '@/lib/route';
import { linesOf, parseLine, runStep } from './script';

export interface Game {
  playground: Playground | null;
  kept: boolean; // It is the one that the browser keeps.
  log: string[]; // Lines that have run, oldest first.
  busy: boolean;
  problem: Problem | null;
  restart: (options: Record<string, string>, kept?: Kept) => Promise<Playground | null>;
  run: (lines: string[]) => Promise<boolean>;
}

// Playgrounds outlive the page that shows them: the other pages look at the same database.
let current: Playground | null = null;
let currentIsKept = false;

export function useGame(): Game {
  const { wasm, startWasm } = useEngines();
  const queries = useQueryClient();
  const [playground, setPlayground] = useState<Playground | null>(current);
  const [log, setLog] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const guarded = useCallback(async <T>(body: () => Promise<T>): Promise<T | null> => {
    setBusy(true);
    setProblem(null);
    try {
      return await body();
    } catch (error) {
      setProblem(toProblem(error));
      return null;
    } finally {
      setBusy(false);
    }
  }, []);

  const restart = useCallback(
    (options: Record<string, string>, kept?: Kept) =>
      guarded(async () => {
        const engine = wasm ?? (await startWasm());
        if (!engine.playground)
          throw new ApiProblem({
            code: 'unsupported_feature',
            title: 'This engine only reads',
            status: 501,
          });
        await current?.close();
        setPlayground((current = null));
        current = await engine.playground(options, kept);
        currentIsKept = kept !== undefined;
        setPlayground(current);
        setLog([]);
        const route = parseRoute(location.hash);
        goTo(formatRoute({ ...route, engine: 'w', target: current.target, cf: 'default' }), true);
        await queries.invalidateQueries();
        return current;
      }),
    [guarded, wasm, startWasm, queries],
  );

  const run = useCallback(
    async (lines: string[]) => {
      const done = await guarded(async () => {
        for (const line of lines.flatMap(linesOf)) {
          const step = parseLine(line);
          if (step && current) await runStep(current, step);
          setLog((before) => [...before, line]);
        }
        await queries.invalidateQueries();
        return true;
      });
      return done === true;
    },
    [guarded, queries],
  );
  return {
    playground,
    kept: playground !== null && currentIsKept,
    log,
    busy,
    problem,
    restart,
    run,
  };
}
