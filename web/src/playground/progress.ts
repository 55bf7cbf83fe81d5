// SPDX-License-Identifier: Apache-2.0
// Which lessons were answered in this browser, and whether the first prediction was right.
import { useCallback, useState } from 'react';

export type Progress = Record<string, 'right' | 'wrong'>;

const kName = 'varve.course';

export function progressOf(text: string | null): Progress {
  let said: unknown;
  try {
    said = JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
  if (typeof said !== 'object' || said === null) return {};
  return Object.fromEntries(
    Object.entries(said).flatMap(([id, result]): [string, 'right' | 'wrong'][] =>
      result === 'right' || result === 'wrong' ? [[id, result]] : [],
    ),
  );
}

// A browser may refuse to keep anything: then it is kept as long as the page.
function stored(change?: Progress): Progress {
  try {
    if (change) localStorage.setItem(kName, JSON.stringify(change));
    return progressOf(localStorage.getItem(kName));
  } catch {
    return change ?? {};
  }
}

export function useProgress() {
  const [progress, setProgress] = useState(() => stored());
  const answered = useCallback((id: string, right: boolean) => {
    setProgress((before) =>
      before[id] ? before : stored({ ...before, [id]: right ? 'right' : 'wrong' }),
    );
  }, []);
  const forget = useCallback(() => setProgress(stored({})), []);
  return { progress, answered, forget };
}
