// SPDX-License-Identifier: Apache-2.0
// A database as one zip file. Tables are compressed already: they are stored as they are.
import { zipSync } from 'fflate';
import type { Playground } from '@/engine/engine';

export async function zipOf(playground: Playground, folder: string): Promise<Uint8Array> {
  const files = await playground.files();
  const entries = files
    .filter((file) => file.name !== 'LOCK')
    .map((file) => [`${folder}/${file.name}`, [file.bytes, { level: 0 as const }]] as const);
  return zipSync(Object.fromEntries(entries) as Parameters<typeof zipSync>[0]);
}
