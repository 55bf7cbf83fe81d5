// SPDX-License-Identifier: Apache-2.0
// A database as one zip file, and back. It may be larger than memory: what is read of it goes on into
// a Blob, which the browser keeps on disk, piece by piece.
import {
  BlobReader,
  BlobWriter,
  configure,
  ZipReader,
  ZipWriter,
  type FileEntry,
} from '@zip.js/zip.js';
import type { Given, Playground } from '@/engine/engine';
import { ApiProblem } from '@/engine/problem';
import { bytes } from '@/lib/format';

configure({ useWebWorkers: false }); // They would be made of data, which the page's policy forbids.

const kPiece = 4 << 20;
const kMost = 8 * 2 ** 30; // Of what a zip file claims to hold.
const kFile = /^[\w][\w.-]*$/; // No path.

function contentOf(
  playground: Pick<Playground, 'read'>,
  name: string,
  size: number,
): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    async pull(controller) {
      if (offset >= size) return controller.close();
      const piece = await playground.read(name, offset, Math.min(kPiece, size - offset));
      if (piece.length === 0) throw new Error(`${name} ends at ${offset}, not at ${size}`);
      offset += piece.length;
      controller.enqueue(piece);
    },
  });
}

// As of now: what is appended to a file meanwhile is not in it. Tables are compressed already.
export async function zipOf(
  playground: Pick<Playground, 'read' | 'sizes'>,
  folder: string,
): Promise<Blob> {
  const zip = new ZipWriter(new BlobWriter('application/zip'), { level: 0 });
  for (const { name, size } of await playground.sizes()) {
    if (name !== 'LOCK') await zip.add(`${folder}/${name}`, contentOf(playground, name, size));
  }
  return zip.close();
}

function refuse(detail: string): never {
  throw new ApiProblem({
    code: 'no_database',
    title: 'There is no database in it',
    status: 0,
    detail,
  });
}

// The files of the database in a zip file: those beside its CURRENT.
export async function filesOf(zip: Blob): Promise<Given['files']> {
  const all = await new ZipReader(new BlobReader(zip))
    .getEntries()
    .catch((error: unknown) =>
      refuse(
        `it cannot be read as a zip file: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
  const entries = all.filter((entry): entry is FileEntry => !entry.directory);
  const current = entries.find(({ filename }) => /(^|\/)CURRENT$/.test(filename));
  if (!current) return refuse('a zip file of a database has a file CURRENT');
  const folder = current.filename.slice(0, -'CURRENT'.length);
  const inside = entries.filter(
    ({ filename }) => filename.startsWith(folder) && kFile.test(filename.slice(folder.length)),
  );
  const whole = inside.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (whole > kMost)
    return refuse(`it says that it holds ${bytes(whole)}; ${bytes(kMost)} are taken`);
  const files: Given['files'] = [];
  for (const entry of inside) {
    const name = entry.filename.slice(folder.length);
    if (name !== 'LOCK') files.push({ name, bytes: await entry.getData(new BlobWriter()) });
  }
  return files;
}
