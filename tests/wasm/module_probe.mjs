// SPDX-License-Identifier: Apache-2.0
// node module_probe.mjs PACKAGE TARGET…: tests/contract/api_probe.cc, asked of the WebAssembly
// module: a request as a JSON object a line, the reply as one.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, ...targets] = process.argv.slice(2);
const { createEngine } = await import(pathToFileURL(join(folder, 'index.mjs')));
const engine = await createEngine({ wasm: readFileSync(join(folder, 'varve.wasm')) });

function filesOf(path) {
  if (statSync(path).isFile()) return [{ path: basename(path), file: new Uint8Array(readFileSync(path)) }];
  return readdirSync(path, { recursive: true })
    .filter((name) => statSync(join(path, name)).isFile())
    .map((name) => ({ path: join(basename(path), name), file: new Uint8Array(readFileSync(join(path, name))) }));
}
for (const target of targets) engine.open(filesOf(target));

for await (const line of createInterface({ input: process.stdin })) {
  const { step, method, target, headers, body } = JSON.parse(line);
  if (step) {
    while (engine.step());
    console.log('{}');
    continue;
  }
  const reply = engine.request({ method, path: target, headers, body: new TextEncoder().encode(body ?? '') });
  console.log(JSON.stringify({ status: reply.status, headers: Object.fromEntries(reply.headers), body: Buffer.from(reply.body).toString('hex') }));
}
