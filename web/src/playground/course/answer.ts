// SPDX-License-Identifier: Apache-2.0
// The answer of the engine to a lesson, from databases that are made for it and closed again.
import type { Engine } from '@/engine/engine';
import { linesOf } from '../script';
import { Session } from '../session';
import type { Lesson, Measured } from './lesson';

export async function answerOfEngine(
  engine: Engine,
  lesson: Lesson,
): Promise<{ right: number; measured: Measured[] }> {
  const measured: Measured[] = [];
  for (const variant of lesson.variants) {
    const session = await Session.start(engine, variant.options);
    try {
      for (const line of linesOf(variant.script ?? lesson.script)) await session.run(line);
      measured.push((await lesson.measure(session, variant)).figures);
    } finally {
      await session.close();
    }
  }
  return { right: lesson.right(measured), measured };
}
