// SPDX-License-Identifier: Apache-2.0
// The real engine in this tab: every step shows what it did to the log, the memtable, the files and
// the MANIFEST. Lessons ask for a prediction first.
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRoute } from '@/lib/route';
import { Empty, ProblemNote } from '@/ui/states';
import { assignmentOf, lessonOf } from './assignment';
import { Compare } from './Compare';
import { kChapters, kLessons } from './course';
import { CourseList } from './CourseList';
import { Inside, WhatHasRun } from './Inside';
import { LessonPanel } from './LessonPanel';
import { useProgress } from './progress';
import { ScriptPanel } from './ScriptPanel';
import { Teachers } from './Teachers';
import { useGame, type Game } from './useGame';

const kViews = [
  { view: '', title: 'Script' },
  { view: 'course', title: 'Course' },
  { view: 'compare', title: 'Two trees' },
  { view: 'teachers', title: 'For teachers' },
];

export default function PlaygroundPage() {
  const { route, link } = useRoute();
  const { progress, answered, forget } = useProgress();
  const game = useGame();
  const lesson = kLessons.find((one) => one.id === route.query.lesson);
  const assignment = assignmentOf(route.query.task);
  const view = lesson || assignment ? 'lesson' : (route.query.view ?? '');
  return (
    <div className="page">
      <div className="page-head">
        <h1>Playground</h1>
        <span className="muted">
          the engine itself, in this tab; nothing of it leaves this machine
        </span>
      </div>
      <nav className="toolbar" aria-label="of the playground">
        {kViews.map((one) => (
          <a
            key={one.view}
            href={link('playground', [], one.view ? { view: one.view } : {})}
            aria-current={one.view === view ? 'page' : undefined}
          >
            {one.title}
          </a>
        ))}
        <LessonSelect id={lesson?.id ?? ''} />
      </nav>
      {game.problem && <ProblemNote problem={game.problem} />}
      {view === 'course' && <CourseList progress={progress} forget={forget} />}
      {view === 'compare' && <Compare />}
      {view === 'teachers' && <Teachers />}
      {view === 'lesson' && (
        <WithInside game={game}>
          {lesson ? (
            <div className="lesson">
              <LessonPanel
                key={lesson.id}
                lesson={lesson}
                game={game}
                onAnswered={(right) => answered(lesson.id, right)}
              />
              <Neighbours id={lesson.id} />
            </div>
          ) : (
            assignment && (
              <LessonPanel
                key={route.query.task}
                lesson={lessonOf(assignment)}
                game={game}
                onAnswered={() => undefined}
              />
            )
          )}
        </WithInside>
      )}
      {view === '' && (
        <WithInside game={game}>
          <ScriptPanel game={game} />
        </WithInside>
      )}
    </div>
  );
}

function LessonSelect({ id }: { id: string }) {
  const { setQuery } = useRoute();
  return (
    <NativeSelect
      size="xs"
      aria-label="lesson"
      value={id}
      onChange={(event) =>
        setQuery(
          { lesson: event.currentTarget.value || undefined, view: undefined, task: undefined },
          true,
        )
      }
      data={[
        { value: '', label: 'no lesson: a free script' },
        ...kChapters.map((chapter) => ({
          group: chapter.title,
          items: chapter.lessons.map((one) => ({
            value: one.id,
            label: `${kLessons.indexOf(one) + 1}. ${one.title}`,
          })),
        })),
      ]}
    />
  );
}

function Neighbours({ id }: { id: string }) {
  const { link } = useRoute();
  const at = kLessons.findIndex((one) => one.id === id);
  const [before, after] = [kLessons[at - 1], kLessons[at + 1]];
  return (
    <nav className="toolbar" aria-label="other lessons">
      {before && <a href={link('playground', [], { lesson: before.id })}>← {before.title}</a>}
      {after && <a href={link('playground', [], { lesson: after.id })}>{after.title} →</a>}
    </nav>
  );
}

function WithInside({ game, children }: { game: Game; children: ReactNode }) {
  return (
    <div className="with-play">
      {children}
      {game.playground ? (
        <Inside target={game.playground.target} game={game} />
      ) : game.session ? (
        <div className="play">
          <Empty>
            The database could not be opened again: see below why. The step repair makes a new one
            of what can be read.
          </Empty>
          <WhatHasRun game={game} />
        </div>
      ) : (
        <Empty>
          Nothing runs yet. Start it, and see the log, the memtable, the files and the MANIFEST
          change with every step.
        </Empty>
      )}
    </div>
  );
}
