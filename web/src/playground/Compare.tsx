// SPDX-License-Identifier: Apache-2.0
// Two trees with options of their own, on one script.
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useEngines } from '@/engine/context';
import { toProblem, type Problem } from '@/engine/problem';
import { formatRoute, goTo, parseRoute, useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { ProblemNote } from '@/ui/states';
import { Costs } from './Costs';
import { FilesPanel } from './FilesPanel';
import { OptionControls } from './OptionControls';
import { engineOptions, optionsOf, optionsText } from './options';
import { ScriptError, linesOf, parseLine } from './script';
import { ScriptEditor } from './ScriptEditor';
import { Session, type Ran } from './session';

const kFirst = Array.from(
  { length: 6 },
  () => 'scatter 400 key# value-of-some-length-#\nflush\nwork',
).join('\n');
const kSides = ['left', 'right'] as const;

async function closeAll(sessions: Session[]) {
  for (const session of sessions.splice(0)) await session.close();
}

interface Side {
  session: Session;
  said: Ran[]; // Of steps that said something.
}

export function Compare() {
  const { route, setQuery } = useRoute();
  const { wasm, startWasm } = useEngines();
  const queries = useQueryClient();
  const [script, setScript] = useState(route.query.script ?? kFirst);
  const [sides, setSides] = useState<Side[] | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const open = useRef<Session[]>([]);
  const options = { left: route.query.left, right: route.query.right };

  useEffect(() => {
    const sessions = open.current;
    return () => void closeAll(sessions);
  }, []);

  async function run() {
    setBusy(true);
    setProblem(null);
    setSides(null);
    try {
      const lines = linesOf(script);
      lines.forEach(parseLine);
      await closeAll(open.current);
      const engine = wasm ?? (await startWasm());
      const made: Side[] = [];
      for (const side of kSides) {
        const session = await Session.start(engine, engineOptions(optionsOf(options[side])));
        open.current.push(session);
        const said: Ran[] = [];
        for (const line of lines) said.push(await session.run(line));
        made.push({ session, said: said.filter((ran) => ran.said) });
      }
      setSides(made);
      // Panels ask the engine that the link names.
      const target = made[0]?.session.target ?? '';
      goTo(formatRoute({ ...parseRoute(location.hash), engine: 'w', target, cf: 'default' }), true);
      await queries.invalidateQueries();
    } catch (error) {
      setProblem(
        error instanceof ScriptError
          ? { code: 'script', title: error.message, status: 0 }
          : toProblem(error),
      );
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <Panel title="One script, two trees">
        <ScriptEditor script={script} onChange={setScript} minRows={5} maxRows={14} />
        <div className="toolbar">
          <Button size="compact-sm" onClick={() => void run()} loading={busy}>
            Run both
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => setQuery({ script })}
          >
            Put into the link
          </Button>
        </div>
        {problem && <ProblemNote problem={problem} />}
      </Panel>
      <div className="two-trees">
        {kSides.map((side, i) => (
          <section key={side} aria-label={`the ${side} tree`}>
            <OptionControls
              label={`Options of the ${side} tree`}
              values={optionsOf(options[side])}
              onChange={(next) => setQuery({ [side]: optionsText(next) })}
            />
            {sides?.[i] && <Result side={sides[i]} name={side} />}
          </section>
        ))}
      </div>
    </>
  );
}

function Result({ side: { session, said }, name }: { side: Side; name: string }) {
  const path = { t: session.target };
  return (
    <>
      {session.playground ? (
        <>
          <Costs path={path} title={`Costs, ${name}`} />
          <FilesPanel path={path} title={`Files, ${name}`} />
        </>
      ) : (
        <p className="bad">This database could not be opened again.</p>
      )}
      {said.length > 0 && (
        <ul className="steps">
          {said.map(({ line, said: words, refused }, i) => (
            <li key={i} className="mono">
              {line} <span className={refused ? 'bad' : 'muted'}>{words}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
