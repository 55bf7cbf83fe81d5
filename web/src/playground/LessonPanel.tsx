// SPDX-License-Identifier: Apache-2.0
// One lesson: watch it being built, predict, let the engine answer.
import { Button, Radio } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Client } from '@/engine/client';
import { toProblem, type Problem } from '@/engine/problem';
import { bytes, count } from '@/lib/format';
import { Panel } from '@/ui/Panel';
import { ProblemNote } from '@/ui/states';
import { Chart } from '@/ui/Chart';
import type { Answer, Lesson } from './lessons';
import type { Game } from './useGame';

export function LessonPanel({
  lesson,
  game,
  client,
}: {
  lesson: Lesson;
  game: Game;
  client: Client | null;
}) {
  const [choice, setChoice] = useState<string | null>(null);
  const [built, setBuilt] = useState(false);
  const [measured, setMeasured] = useState<Answer[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function build() {
    setMeasured(null);
    if ((await game.restart(lesson.variants[0]!.options)) && (await game.run([lesson.script])))
      setBuilt(true);
  }

  // Each variant is built from nothing and measured; the last one stays to be looked at.
  async function answer() {
    setProblem(null);
    try {
      const all: Answer[] = [];
      for (const [i, variant] of lesson.variants.entries()) {
        let target = game.playground?.target;
        if (i > 0 || lesson.variants.length > 1) {
          target = (await game.restart(variant.options))?.target;
          if (!target || !(await game.run([lesson.script]))) return;
        }
        all.push(await lesson.measure(client!, target!, variant));
      }
      setMeasured(all);
    } catch (error) {
      setProblem(toProblem(error));
    }
  }
  const right = measured ? lesson.right(measured.map((answer) => answer.figures)) : -1;
  return (
    <Panel title={lesson.title}>
      <p>{lesson.intro}</p>
      <pre className="cli">{lesson.script}</pre>
      <Button size="compact-sm" onClick={() => void build()} loading={game.busy}>
        {built ? 'Build it again' : 'Build it'}
      </Button>
      <Radio.Group value={choice} onChange={setChoice} label={lesson.question} className="choices">
        {lesson.choices.map((text, i) => (
          <Radio
            key={text}
            size="sm"
            value={String(i)}
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
        disabled={!built || choice === null || !client || game.busy}
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
            <table className="plain">
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
                    <td>{name}</td>
                    {measured.map((one, i) => (
                      <td key={i} className="num">
                        {count(one.figures[name] ?? 0)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {lesson.seriesName &&
              measured.map(({ series = [] }, i) => (
                <Reads
                  key={i}
                  label={`${lesson.seriesName}, ${lesson.variants[i]!.label}`}
                  sizes={series}
                />
              ))}
            <p>{lesson.after}</p>
          </>
        )}
      </div>
    </Panel>
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
