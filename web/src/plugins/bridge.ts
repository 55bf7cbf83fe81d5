// SPDX-License-Identifier: Apache-2.0
// What a plugin's view may ask: documents of one target, by GET, and nothing else of this page's API.
import type { Client } from '@/engine/client';
import { problemOf } from '@/engine/problem';
import type { Ask } from './sandbox';

const kAtOnce = 4;
const kAnswerMax = 8 << 20; // Characters.

// The address of what is asked for; null: it is not below the target. The path that counts is the one that
// is sent, after dots in it have been followed.
export function addressOf(origin: string, target: string, path: string): URL | null {
  if (!path.startsWith('/') || path.length > 8192 || path.includes('\\')) return null;
  const below = `/api/v1/targets/${encodeURIComponent(target)}`;
  const url = new URL(origin + below + path);
  const isBelow = url.origin === origin && url.pathname.startsWith(`${below}/`);
  return isBelow && url.hash === '' && !/%2f|%5c/i.test(url.pathname) ? url : null;
}

// At most a few at once, so that the page and the server have time for others. After `signal` nothing is asked.
export function askOf(client: Client, target: string, signal: AbortSignal): Ask {
  const turns = Array.from({ length: kAtOnce }, () => Promise.resolve());
  let asked = 0;
  return (path) => {
    const turn = asked++ % kAtOnce;
    const answer = turns[turn]!.then(() => answerOf(path));
    turns[turn] = answer.then(() => undefined);
    return answer;
  };

  async function answerOf(path: string): ReturnType<Ask> {
    if (signal.aborted) return { failed: 'the view is over' };
    const url = addressOf(location.origin, target, path);
    if (!url) return { failed: `${path.slice(0, 100)} is not below the target` };
    // The type that is asked for has an end.
    const headers = { Accept: 'application/json' };
    try {
      const response = await client.engine.fetch(new Request(url, { headers, signal }));
      const type = response.headers.get('Content-Type') ?? '';
      if (!type.includes('json')) {
        await response.body?.cancel();
        return { failed: 'it is no document of JSON' };
      }
      const text = await response.text();
      if (!response.ok) {
        const { title, detail } = problemOf(response.status, JSON.parse(text));
        return { failed: detail ? `${title}: ${detail}` : title };
      }
      if (text.length > kAnswerMax) return { failed: 'the answer is too large: ask for less' };
      return { text };
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }
}
