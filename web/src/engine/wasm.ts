// SPDX-License-Identifier: Apache-2.0
// The engine in this tab: the WebAssembly module of wasm/package. An app that was built without it
// shows what `varve serve` serves, and says so when it is asked to open a file itself.
import type { Engine } from './engine';
import { ApiProblem } from './problem';

export async function startEngine(): Promise<Engine> {
  throw new ApiProblem({
    code: 'no_engine',
    title: 'This build of the app has no engine of its own',
    status: 501,
    detail: 'It was built without the WebAssembly module.',
    hint: 'varve serve ./db shows a database in this app.',
  });
}
