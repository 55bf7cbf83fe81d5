// SPDX-License-Identifier: Apache-2.0
// The state of one playground for the page: its session, and what has run.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useEngines } from '@/engine/context';
import type { Kept, Playground } from '@/engine/engine';
import { toProblem, type Problem } from '@/engine/problem';
import { formatRoute, goTo, parseRoute } from '@/lib/route';
import { linesOf } from './script';
import { Session, type Ran } from './session';

export interface Game {
  session: Session | null;
  playground: Playground | null; // Null also while it cannot be opened.
  kept: boolean; // It is the one that the browser keeps.
  log: Ran[]; // What has run, oldest first.
  busy: boolean;
  problem: Problem | null;
  restart: (options: Record<string, string>, kept?: Kept) => Promise<Session | null>;
  run: (lines: string[]) => Promise<boolean>;
  undo: () => Promise<boolean>; // All but the last line again, from nothing.
}

// Playgrounds outlive the page that shows them: the other pages look at the same database.
let current: Session | null = null;
let currentIsKept = false;

export function useGame(): Game {
  const { wasm, startWasm } = useEngines();
  const queries = useQueryClient();
  const [shown, setShown] = useState({ session: current, playground: current?.playground ?? null });
  const [log, setLog] = useState<Ran[]>([]);
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

  // A database that was opened again is another target; one that could not be opened is none.
  const show = useCallback(async () => {
    setShown({ session: current, playground: current?.playground ?? null });
    const route = parseRoute(location.hash);
    const target = current?.target ?? '';
    if (route.target !== target)
      goTo(formatRoute({ ...route, engine: target ? 'w' : null, target, cf: 'default' }), true);
    await queries.invalidateQueries();
  }, [queries]);

  const begin = useCallback(
    async (options: Record<string, string>, kept?: Kept) => {
      const engine = wasm ?? (await startWasm());
      await current?.close();
      current = null;
      setShown({ session: null, playground: null });
      current = await Session.start(engine, options, kept);
      currentIsKept = kept !== undefined;
      setLog([]);
      return current;
    },
    [wasm, startWasm],
  );

  const runAll = useCallback(async (lines: string[]) => {
    for (const line of lines.flatMap(linesOf)) {
      if (!current) return;
      const ran = await current.run(line);
      setLog((before) => [...before, ran]);
    }
  }, []);

  const restart = useCallback(
    (options: Record<string, string>, kept?: Kept) =>
      guarded(async () => {
        const session = await begin(options, kept);
        await show();
        return session;
      }),
    [guarded, begin, show],
  );

  const run = useCallback(
    async (lines: string[]) => {
      const done = await guarded(async () => {
        await runAll(lines);
        await show();
        return true;
      });
      return done === true;
    },
    [guarded, runAll, show],
  );

  const undo = useCallback(async () => {
    const done = await guarded(async () => {
      if (!current || currentIsKept) return false;
      const lines = log.slice(0, -1).map(({ line }) => line);
      await begin(current.options);
      await runAll(lines);
      await show();
      return true;
    });
    return done === true;
  }, [guarded, log, begin, runAll, show]);

  return {
    ...shown,
    kept: shown.playground !== null && currentIsKept,
    log,
    busy,
    problem,
    restart,
    run,
    undo,
  };
}
