// SPDX-License-Identifier: Apache-2.0
import { kFailures } from './failures';
import type { Chapter, Lesson } from './lesson';
import { kLevels } from './levels';
import { kLog } from './log';
import { kReads } from './reads';
import { kTables } from './tables';

export const kChapters: Chapter[] = [kLog, kTables, kLevels, kReads, kFailures];
export const kLessons: Lesson[] = kChapters.flatMap((chapter) => chapter.lessons);
