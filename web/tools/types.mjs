// SPDX-License-Identifier: Apache-2.0
// node tools/types.mjs VARVE [--check]: writes src/api/openapi.d.ts from the OpenAPI document of
// `VARVE serve`. Run it when the API has grown; what it makes is committed, so that building the app
// needs no varve. --check: says whether it is what it would write, and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { serveVarve } from '../e2e/servers.mjs';

const [varve, mode] = process.argv.slice(2);
const place = new URL('../src/api/openapi.d.ts', import.meta.url);
const database = new URL('../../tests/fixtures/db/rocksdb-7.8.3/cursor', import.meta.url); // Any.

async function openApi() {
  const server = await serveVarve(varve, [fileURLToPath(database)]);
  try {
    const { origin, hash } = new URL(server.url);
    const headers = { Authorization: `Bearer ${hash.replace('#token=', '')}` };
    return await (await fetch(`${origin}/api/v1/openapi.json`, { headers })).json();
  } finally {
    server.stop();
  }
}

// 64 bits may pass what a number of JavaScript holds: digits in a string will do.
const digitsToo = ts.factory.createUnionTypeNode([
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
  ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
]);
const nodes = await openapiTS(await openApi(), {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: ({ format }) => (format === 'uint64' ? digitsToo : undefined),
});
const types = `// SPDX-License-Identifier: Apache-2.0
// Made by tools/types.mjs from the OpenAPI document of the API.
${astToString(nodes)}`;
if (mode !== '--check') writeFileSync(place, types);
else if (readFileSync(place, 'utf8') !== types) {
  console.error('src/api/openapi.d.ts is not what the API is: npm run types -- VARVE');
  process.exit(1);
}
