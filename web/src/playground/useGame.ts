// SPDX-License-Identifier: Apache-2.0
// The state of one playground for the page: its session, and what has run.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useEngines } from '@/engine/context';
import type { Given, Kept, Playground } from '@/engine/engine';
import { toProblem, type Problem } from '@/engine/problem';
import { formatRoute, goTo, parseRoute, useRoute } from '@/lib/route';
import { Watch, type Account, type ReadAccount } from './account';
import { linesOf } from './script';
import { Session, type Ran } from './session';

export interface Game {
  session: Session | null;
  playground: Playground | null; // Null also while it cannot be opened.
  kept: boolean; // It is the one that the browser keeps.
  log: Logged[]; // What has run, oldest first.
  work: Work;
  busy: boolean;
  problem: Problem | null;
  guarded: <T>(body: () => Promise<T>) => Promise<T | null>; // Nothing else is done meanwhile.
  restart: (options: Record<string, string>, kept?: Kept, given?: Given) => Promise<Session | null>;
  run: (lines: string[]) => Promise<boolean>;
  undo: () => Promise<boolean>; // All but the last line again, from nothing.
}

// Without what the tree was then, which would be kept for each line.
interface Logged extends Ran {
  read: ReadAccount | null; // Its figures: the stops are left out.
}

// The newest line, also while it runs. Changes many times while nothing else of the page does, so that
// only who shows it is drawn anew.
interface Work {
  now: () => Working;
  onChange: (changed: () => void) => () => void; // Returns what ends it.
}

export interface Working {
  account: Account | null;
  written: { line: string; written: number; of: number } | null; // How far a long line is.
}

const kIdle: Working = { account: null, written: null };

class WorkShown implements Work {
  private readonly listeners = new Set<() => void>();
  private working = kIdle;

  now = () => this.working;
  onChange = (changed: () => void) => {
    this.listeners.add(changed);
    return () => this.listeners.delete(changed);
  };
  is(working: Working): void {
    this.working = working;
    for (const changed of this.listeners) changed();
  }
}

const kBetweenLooks = 400; // Milliseconds from one look at a tree that is being written to the next.

// Playgrounds outlive the page that shows them: the other pages look at the same database.
let current: Session | null = null;
let currentIsKept = false;
let watch: Watch | null = null;
const work = new WorkShown();

export function useGame(): Game {
  const { wasm, startWasm } = useEngines();
  const queries = useQueryClient();
  const [shown, setShown] = useState({ session: current, playground: current?.playground ?? null });
  const [log, setLog] = useState<Logged[]>([]);
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

  // A link names a lesson, and no database or another one: here it is the one that runs, if one does.
  const { route } = useRoute();
  useEffect(() => {
    const target = shown.playground?.target;
    if (target !== undefined && route.page === 'playground' && route.target !== target)
      goTo(formatRoute({ ...route, engine: 'w', target, cf: 'default' }), true);
  }, [route, shown]);

  const begin = useCallback(
    async (options: Record<string, string>, kept?: Kept, given?: Given) => {
      const engine = wasm ?? (await startWasm());
      await current?.close();
      current = null;
      setShown({ session: null, playground: null });
      work.is(kIdle);
      setLog([]);
      current = await Session.start(engine, options, kept, given);
      currentIsKept = kept !== undefined;
      watch = new Watch(current);
      work.is({ account: await watch.begin(), written: null });
      return current;
    },
    [wasm, startWasm],
  );

  // Views follow a long line a few times a second, however fast it writes.
  const runAll = useCallback(async (lines: string[]) => {
    for (const line of lines.flatMap(linesOf)) {
      const on = watch;
      if (!on) return;
      let looked = performance.now();
      let looking = false;
      const look = async (written: number, of: number) => {
        looking = true;
        const account = await on.lookAgain(line);
        if (account) work.is({ account, written: { line, written, of } });
        looked = performance.now();
        looking = false;
      };
      const ran = await on.run(line, (written, of) => {
        if (!looking && performance.now() - looked > kBetweenLooks) void look(written, of);
      });
      const { account = null, ...said } = ran;
      const read = account?.read ? { ...account.read, stops: [] } : null;
      setLog((before) => [...before, { ...said, read }]);
      work.is({ account, written: null });
    }
  }, []);

  // Of a tree that was there before this page was shown.
  useEffect(() => {
    void watch?.begin().then((account) => work.is({ account, written: null }));
  }, []);

  const restart = useCallback(
    (options: Record<string, string>, kept?: Kept, given?: Given) =>
      guarded(async () => {
        const session = await begin(options, kept, given);
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
    work,
    busy,
    problem,
    guarded,
    restart,
    run,
    undo,
  };
}
