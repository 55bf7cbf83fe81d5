// SPDX-License-Identifier: Apache-2.0
// Levels of a tree, from its files.

interface LevelBytes {
  level: number;
  files: number;
  bytes: number;
}

export function levelsOf(files: { level: number; size: number }[]): LevelBytes[] {
  const levels = new Map<number, LevelBytes>();
  for (const { level, size } of files) {
    const so = levels.get(level) ?? { level, files: 0, bytes: 0 };
    levels.set(level, { level, files: so.files + 1, bytes: so.bytes + size });
  }
  return [...levels.values()].sort((a, b) => a.level - b.level);
}

// Level 0: each table; below: each level that has any.
export const sortedRuns = (levels: LevelBytes[]) =>
  levels.reduce((sum, { level, files }) => sum + (level === 0 ? files : 1), 0);
