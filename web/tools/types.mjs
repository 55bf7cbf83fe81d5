// SPDX-License-Identifier: Apache-2.0
// node tools/types.mjs URL TOKEN [--check]: writes src/engine/api.d.ts from the schemas of a running
// `varve serve`. Run it when the API has grown; what it makes is committed, so that building the
// app needs no server. --check: says whether it is what it would write, and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const [url, token, mode] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const ask = async (path) => (await fetch(new URL(path, url), { headers })).json();

const { schemas } = await ask('/api/v1/');
const components = {};
for (const name of schemas) {
  const schema = await ask(`/api/v1/schema/${name}`);
  const own = Object.entries(schema).filter(([member]) => !member.startsWith('$'));
  Object.assign(components, schema.$defs, {
    [name.replace('varve.', '').replace('/1', '')]: Object.fromEntries(own),
  });
}
const hoisted = JSON.parse(
  JSON.stringify(components).replaceAll('#/$defs/', '#/components/schemas/'),
);
const document = {
  openapi: '3.1.0',
  info: { title: 'Varve', version: '1' },
  paths: {},
  components: { schemas: hoisted },
};
const types = astToString(await openapiTS(document, { rootTypes: false }));
const first =
  '// SPDX-License-Identifier: Apache-2.0\n// Made by tools/types.mjs from the schemas of the API.\n';
const place = new URL('../src/engine/api.d.ts', import.meta.url);
if (mode !== '--check') writeFileSync(place, first + types);
else if (readFileSync(place, 'utf8') !== first + types) {
  console.error('src/engine/api.d.ts is not what the API is: npm run types -- URL TOKEN');
  process.exit(1);
}
