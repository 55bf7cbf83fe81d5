// SPDX-License-Identifier: Apache-2.0
// For teachers: what the lessons ask, an answer key that the engine computes, and assignments of
// one's own in a link.
import { Button, CopyButton, NativeSelect, TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useEngines } from '@/engine/context';
import { toProblem, type Problem } from '@/engine/problem';
import { formatRoute, useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { Sideways } from '@/ui/small';
import { ProblemNote } from '@/ui/states';
import { assignmentText, kFigures, type Assignment } from './assignment';
import { kChapters, kLessons } from './course';
import { answerOfEngine } from './course/answer';
import { changed, type Lesson } from './course/lesson';
import { OptionControls } from './OptionControls';
import { ScriptError, linesOf, parseLine } from './script';

export function Teachers() {
  return (
    <>
      <Panel title="How to use the course">
        <p>
          A lesson takes five to ten minutes: read, build, look at what is inside, predict, let the
          engine answer, read why; then predict once more after one change. Nobody sees the answers
          before a prediction was made, and there is nothing to look them up in: each is measured on
          the database in the page. Timings (the lesson about finding the table) differ from machine
          to machine; all other figures do not.
        </p>
        <p>
          Progress stays in the browser of the learner. Nothing is sent anywhere, and after the
          first visit it all works without a network. A link to a lesson is the address of its page.
        </p>
      </Panel>
      <AnswerKey />
      <NewAssignment />
    </>
  );
}

type Key = Record<string, [string, string]>;

// Of a lesson, what is right at first and after the change.
function AnswerKey() {
  const { wasm, startWasm } = useEngines();
  const { link } = useRoute();
  const [key, setKey] = useState<Key>({});
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function compute() {
    setBusy(true);
    setProblem(null);
    try {
      const engine = wasm ?? (await startWasm());
      const rightOf = async (lesson: Lesson) => {
        const { right } = await answerOfEngine(engine, lesson);
        return lesson.choices[right] ?? 'none of them';
      };
      for (const lesson of kLessons) {
        const found: [string, string] = [await rightOf(lesson), await rightOf(changed(lesson))];
        setKey((before) => ({ ...before, [lesson.id]: found }));
      }
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <Panel
      title="Lessons and answers"
      actions={
        <Button size="compact-xs" variant="default" onClick={() => void compute()} loading={busy}>
          Compute the answers
        </Button>
      }
    >
      {problem && <ProblemNote problem={problem} />}
      <Sideways of="lessons and answers">
        <PlainTable name="answers">
          <thead>
            <tr>
              <th>lesson</th>
              <th>question</th>
              <th>right</th>
              <th>change</th>
              <th>then right</th>
            </tr>
          </thead>
          <tbody>
            {kChapters.flatMap((chapter) =>
              chapter.lessons.map((lesson) => (
                <tr key={lesson.id}>
                  <td className="wrap">
                    <a href={link('playground', [], { lesson: lesson.id })}>{lesson.title}</a>
                  </td>
                  <td className="wrap">{lesson.question}</td>
                  <td className="wrap">{key[lesson.id]?.[0] ?? '–'}</td>
                  <td className="wrap">{lesson.otherwise?.what}</td>
                  <td className="wrap">{key[lesson.id]?.[1] ?? '–'}</td>
                </tr>
              )),
            )}
          </tbody>
        </PlainTable>
      </Sideways>
    </Panel>
  );
}

const kEmpty: Assignment = {
  title: '',
  text: '',
  script: 'fill 100 key# value-#\nflush',
  options: {},
  question: '',
  figure: 'records',
  key: '',
  choices: [],
};

function NewAssignment() {
  const { route } = useRoute();
  const [made, setMade] = useState(kEmpty);
  const [choices, setChoices] = useState('0, 50, 100');
  const change = (part: Partial<Assignment>) => setMade({ ...made, ...part });
  const figure = kFigures.find(({ id }) => id === made.figure)!;
  const numbers = choices
    .split(',')
    .filter((text) => text.trim() !== '')
    .map(Number);
  const wrong = wrongWith(made.script, numbers);
  const task = assignmentText({ ...made, choices: numbers });
  const hash = formatRoute({
    ...route,
    engine: null,
    target: '',
    page: 'playground',
    query: { task },
  });
  const url = `${location.origin}${location.pathname}${hash}`;
  return (
    <Panel title="An assignment of your own">
      <p>
        Write a script, say what is to be predicted, and give numbers to choose from. The link has
        all of it but the answer.
      </p>
      <div className="fields">
        <TextInput
          size="xs"
          label="Title"
          value={made.title}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          label="Question"
          placeholder={`${figure.name}: how many?`}
          value={made.question}
          onChange={(event) => change({ question: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label="What is measured"
          value={made.figure}
          data={kFigures.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => change({ figure: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          label="Key"
          disabled={!figure.ofKey}
          value={made.key}
          onChange={(event) => change({ key: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          label="Numbers to choose from"
          value={choices}
          onChange={(event) => setChoices(event.currentTarget.value)}
        />
      </div>
      <Textarea
        size="xs"
        label="Text for the learner"
        autosize
        minRows={2}
        value={made.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <Textarea
        size="xs"
        label="Script of the assignment"
        autosize
        minRows={4}
        value={made.script}
        onChange={(event) => change({ script: event.currentTarget.value })}
        classNames={{ input: 'mono' }}
      />
      <OptionControls
        label="Options of the assignment"
        values={made.options}
        onChange={(options) => change({ options })}
      />
      {wrong ? (
        <p className="bad" role="alert">
          {wrong}
        </p>
      ) : (
        <div className="toolbar">
          <CopyButton value={url}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy the link'}
              </Button>
            )}
          </CopyButton>
          <a href={hash}>Open it</a>
        </div>
      )}
    </Panel>
  );
}

function wrongWith(script: string, numbers: number[]): string | null {
  if (numbers.length < 2 || !numbers.every(Number.isFinite))
    return 'At least two numbers to choose from are needed, with commas between.';
  try {
    const lines = linesOf(script);
    lines.forEach(parseLine);
    return lines.length === 0 ? 'The script has no step.' : null;
  } catch (error) {
    if (error instanceof ScriptError) return error.message;
    throw error;
  }
}
