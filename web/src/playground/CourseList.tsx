// SPDX-License-Identifier: Apache-2.0
// The lessons by chapter, with what was answered in this browser.
import { Button } from '@mantine/core';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { kChapters, kLessons } from './course';
import type { Progress } from './progress';

export function CourseList({ progress, forget }: { progress: Progress; forget: () => void }) {
  const { link } = useRoute();
  const done = kLessons.filter(({ id }) => progress[id]).length;
  const right = kLessons.filter(({ id }) => progress[id] === 'right').length;
  return (
    <>
      <p>
        Each lesson builds a small database, asks what will come of it, and lets the engine answer.
        Then one thing is changed, and another answer is right.
      </p>
      <p className="toolbar" role="status">
        <span>
          {done} of {kLessons.length} lessons answered
          {done > 0 ? `, ${right} with the right prediction` : ''}.
        </span>
        {done > 0 && (
          <Button size="compact-xs" variant="default" onClick={forget}>
            Forget it
          </Button>
        )}
      </p>
      <div className="chapters">
        {kChapters.map((chapter, i) => (
          <Panel key={chapter.id} title={`${i + 1}. ${chapter.title}`}>
            <p className="muted">{chapter.about}</p>
            <ol className="lessons">
              {chapter.lessons.map((lesson) => (
                <li key={lesson.id}>
                  <a href={link('playground', [], { lesson: lesson.id })}>{lesson.title}</a>
                  {progress[lesson.id] === 'right' && <span className="good"> ✓ predicted</span>}
                  {progress[lesson.id] === 'wrong' && <span className="muted"> ✓ answered</span>}
                </li>
              ))}
            </ol>
          </Panel>
        ))}
      </div>
    </>
  );
}
