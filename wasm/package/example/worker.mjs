// SPDX-License-Identifier: Apache-2.0
// The worker: has the engine. A picked file can be sliced synchronously here, and here only.
import { createEngine, openStore } from '../index.mjs';

const text = new TextDecoder();
const bytes = new TextEncoder();
const say = (where, said) => self.postMessage({ where, text: said });

// A database in the origin private file system: reload the page and it is there again.
async function start() {
  const varve = await createEngine();
  try {
    varve.mount(await openStore('example'));
    return { varve, db: varve.playground({}, 'fruit') };
  } catch (error) {
    say('records', `no database: ${error.message}`);
    return { varve, db: null };
  }
}

// The first entries of a table.
function look(varve, file) {
  const target = varve.open([{ path: file.name, file }]);
  try {
    const lines = [];
    for (const { key, type, value } of varve.entries(target)) {
      if (lines.push(`${type} ${text.decode(key)} = ${text.decode(value).slice(0, 60)}`) === 10) break;
    }
    return `The first entries are\n${lines.join('\n')}`;
  } finally {
    varve.close(target);
  }
}

function records(varve, db) {
  const lines = [...varve.scan(db.target)].map(({ key, value }) => `${text.decode(key)} = ${text.decode(value)}`);
  return lines.join('\n') || 'empty';
}

const started = start().then(({ varve, db }) => {
  if (db) say('records', records(varve, db));
  return { varve, db };
});

self.onmessage = async ({ data: { file, key, value } }) => {
  const where = file ? 'table' : 'records';
  try {
    const { varve, db } = await started;
    if (file) say(where, look(varve, file));
    else if (db) {
      db.put(bytes.encode(key), bytes.encode(value));
      say(where, records(varve, db));
    }
  } catch (error) {
    say(where, error.message);
  }
};
