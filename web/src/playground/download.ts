// SPDX-License-Identifier: Apache-2.0
// A database as one zip file. Tables are compressed already: they are stored as they are.
import { zipSync, type Zippable } from 'fflate';
import type { Playground } from '@/engine/engine';

export async function zipOf(
  playground: Playground,
  folder: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const entries: Zippable = {};
  for (const { name, bytes } of await playground.files()) {
    if (name !== 'LOCK') entries[`${folder}/${name}`] = [bytes, { level: 0 }];
  }
  return zipSync(entries);
}
