// SPDX-License-Identifier: Apache-2.0
// One lesson: watch it being built, predict, let the engine answer, see why; then once more with a
// change.
import { Button, Radio } from '@mantine/core';
import { useMemo, useState } from 'react';
import { toProblem, type Problem } from '@/engine/problem';
import { bytes, count } from '@/lib/format';
import { Panel } from '@/ui/Panel';
import { ProblemNote } from '@/ui/states';
import { Chart } from '@/ui/Chart';
import { PlainTable } from '@/ui/PlainTable';
import { changed, type Answer, type Lesson, type Published } from './course/lesson';
import { ScriptError, linesOf, parseLine } from './script';
import { ScriptEditor } from './ScriptEditor';
import type { Game } from './useGame';

interface LessonPanelProps {
  lesson: Lesson;
  game: Game;
  onAnswered: (right: boolean) => void;
}

export function LessonPanel({ lesson, game, onAnswered }: LessonPanelProps) {
  const [again, setAgain] = useState(false);
  return again ? (
    <Round
      key="changed"
      lesson={changed(lesson)}
      game={game}
      change={lesson.otherwise?.what}
      onAnswered={() => undefined}
    />
  ) : (
    <Round
      key="first"
      lesson={lesson}
      game={game}
      onAnswered={onAnswered}
      onChange={() => setAgain(true)}
    />
  );
}

interface RoundProps extends LessonPanelProps {
  change?: string | undefined; // What is not as it was the first time.
  onChange?: () => void;
}

function Round({ lesson, game, change, onAnswered, onChange }: RoundProps) {
  const [choice, setChoice] = useState<string | null>(null);
  const [built, setBuilt] = useState(false);
  const [measured, setMeasured] = useState<Answer[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const first = lesson.variants[0]!.script ?? lesson.script;
  const [script, setScript] = useState(first);
  const [trouble, setTrouble] = useState<string | null>(null);
  const isOwn = script !== first;
  // Variants that have no script of their own share the first one's.
  const scriptOf = (i: number) => (i > 0 && lesson.variants[i]!.script) || script;

  function edit(next: string) {
    setScript(next);
    setBuilt(false);
    setMeasured(null);
    setTrouble(null);
  }

  async function build() {
    setMeasured(null);
    try {
      linesOf(script).forEach(parseLine); // All of it makes sense, or nothing is done.
    } catch (error) {
      if (error instanceof ScriptError) setTrouble(error.message);
      return;
    }
    if ((await game.restart(lesson.variants[0]!.options)) && (await game.run([scriptOf(0)])))
      setBuilt(true);
  }

  // Each variant is built from nothing and measured; the last one stays to be looked at. One alone
  // is built anew, too: others may have read or written in it meanwhile.
  async function answer() {
    setProblem(null);
    try {
      const all: Answer[] = [];
      for (const [i, variant] of lesson.variants.entries()) {
        const session = await game.restart(variant.options);
        if (!session || !(await game.run([scriptOf(i)]))) return;
        all.push(await lesson.measure(session, variant));
      }
      setMeasured(all);
      if (!isOwn) onAnswered(Number(choice) === lesson.right(all.map(({ figures }) => figures)));
    } catch (error) {
      setProblem(toProblem(error));
    }
  }
  const right = measured ? lesson.right(measured.map(({ figures }) => figures)) : -1;
  return (
    <Panel title={lesson.title}>
      {change ? (
        <p>
          <b>With one change:</b> {change}
        </p>
      ) : (
        <p>{lesson.intro}</p>
      )}
      <ScriptEditor script={script} onChange={edit} minRows={3} maxRows={12} />
      {trouble && (
        <p className="bad" role="alert">
          {trouble}
        </p>
      )}
      {isOwn && (
        <p className="toolbar">
          <span className="muted">
            With a script of your own, the engine answers as well; it does not count as progress.
          </span>
          <Button size="compact-sm" variant="default" onClick={() => edit(first)}>
            Put the lesson’s back
          </Button>
        </p>
      )}
      {lesson.variants.length > 1 && (
        <p className="muted">
          Held side by side: {lesson.variants.map(({ label }) => label).join('; ')}.
        </p>
      )}
      <Button size="compact-sm" onClick={() => void build()} loading={game.busy}>
        {built ? 'Build it again' : 'Build it'}
      </Button>
      <Radio.Group value={choice} onChange={setChoice} label={lesson.question} className="choices">
        {lesson.choices.map((text, i) => (
          <Radio
            key={text}
            size="sm"
            value={String(i)}
            disabled={measured !== null}
            label={
              <>
                {text}
                {measured && i === right && <b className="good"> ✓ so it is</b>}
                {measured && choice === String(i) && i !== right && <b className="bad"> ✗</b>}
              </>
            }
          />
        ))}
      </Radio.Group>
      <Button
        size="compact-sm"
        variant="light"
        disabled={!built || choice === null || measured !== null || game.busy}
        onClick={() => void answer()}
      >
        Let the engine answer
      </Button>
      {problem && <ProblemNote problem={problem} />}
      <div aria-live="polite">
        {measured && (
          <>
            {right < 0 && (
              <p className="warn">
                It came out in a way that none of the answers says: see the figures.
              </p>
            )}
            <Figures lesson={lesson} measured={measured} />
            {lesson.why && <p>{lesson.why}</p>}
            {lesson.published && <PublishedNote published={lesson.published} />}
          </>
        )}
      </div>
      {measured && onChange && lesson.otherwise && (
        <div className="toolbar">
          <Button size="compact-sm" variant="default" onClick={onChange}>
            Change one thing
          </Button>
          <span className="muted">{lesson.otherwise.what}</span>
        </div>
      )}
    </Panel>
  );
}

function Figures({ lesson, measured }: { lesson: Lesson; measured: Answer[] }) {
  return (
    <>
      <PlainTable name="measured">
        <thead>
          <tr>
            <th>measured</th>
            {lesson.variants.map((variant) => (
              <th key={variant.label} className="num">
                {variant.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.keys(measured[0]!.figures).map((name) => (
            <tr key={name}>
              <td className="wrap">{name}</td>
              {measured.map((one, i) => (
                <td key={i} className="num">
                  {count(one.figures[name] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {lesson.seriesName &&
        measured.map(({ series = [] }, i) => (
          <Reads
            key={i}
            label={`${lesson.seriesName}, ${lesson.variants[i]!.label}`}
            sizes={series}
          />
        ))}
    </>
  );
}

function PublishedNote({ published }: { published: Published }) {
  return (
    <dl className="published">
      <dt>Published</dt>
      <dd>
        {published.what}. {published.source}.
      </dd>
      <dt>This engine, on one machine</dt>
      <dd>{published.here}.</dd>
    </dl>
  );
}

function Reads({ label, sizes }: { label: string; sizes: number[] }) {
  const data: [number[], number[]] = useMemo(() => [sizes.map((_, i) => i + 1), sizes], [sizes]);
  return (
    <>
      <h3>{label}</h3>
      <Chart
        label={`${label}: ${sizes.slice(0, 12).join(', ')}${sizes.length > 12 ? ' …' : ''}`}
        data={data}
        series={kSizes}
        height={120}
        xLabel="read"
        yValue={bytes}
      />
    </>
  );
}

const kSizes = [{ label: 'bytes', color: '--kind-data', bars: true }];
