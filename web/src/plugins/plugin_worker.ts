// SPDX-License-Identifier: Apache-2.0
// The worker that has one plugin. The page ends it when a call takes too long.
import type { PluginAnswer, PluginCall } from './protocol';
import { quickJs } from './quickjs';
import { Sandbox, type Ask } from './sandbox';

const say = (answer: PluginAnswer) => self.postMessage(answer);

let sandbox: Sandbox | null = null;
let asked = 0;
const waiting = new Map<number, (answer: { text: string } | { failed: string }) => void>();

const ask: Ask = (path) =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    say({ ask: asked, path });
  });

async function answerTo(call: Exclude<PluginCall, { do: 'answer' }>): Promise<PluginAnswer> {
  if (call.do === 'load') {
    sandbox = new Sandbox(await quickJs(), call.text);
    return { manifest: sandbox.manifest };
  }
  if (!sandbox) throw new Error('it was not loaded');
  if (call.do === 'decode') return { decoded: sandbox.decode(call.what, call.items) };
  return { blocks: await sandbox.draw(call.about, ask) };
}

self.onmessage = ({ data }: MessageEvent<PluginCall>) => {
  if (data.do === 'answer') {
    waiting.get(data.id)?.(data.answer);
    waiting.delete(data.id);
    return;
  }
  // What is nested too deeply cannot be said.
  answerTo(data)
    .then(say)
    .catch((error: unknown) =>
      say({ error: error instanceof Error ? error.message : String(error) }),
    );
};
