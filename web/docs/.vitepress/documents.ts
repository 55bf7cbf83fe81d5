// SPDX-License-Identifier: Apache-2.0
// Documents of the repository that are pages as they are: a page for each includes it. The pages are
// made whenever the site is, and are in no commit.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const pages = resolve(import.meta.dirname, '..');

export interface Document {
  name: string; // Of its page, without ".md".
  title: string;
}

// The documents of a folder, as pages below `into`; its README is their index, and is not in the answer.
export function include(folder: string, into: string): Document[] {
  const made = resolve(pages, into);
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  const documents: Document[] = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()) {
    const source = resolve(folder, file);
    const name = file === 'README.md' ? 'index' : file.slice(0, -'.md'.length);
    writeFileSync(resolve(made, `${name}.md`), `<!--@include: ${relative(made, source)}-->\n`);
    const title = /^# (.*)/.exec(readFileSync(source, 'utf8'))![1]!.replaceAll('`', '');
    if (name !== 'index') documents.push({ name, title });
  }
  return documents;
}
