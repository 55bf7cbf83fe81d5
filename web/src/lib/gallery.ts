// SPDX-License-Identifier: Apache-2.0
// Samples that lie beside the app (tools/samples.mjs), as if they had been dropped.
import type { DroppedFile } from '@/engine/engine';
import { ApiProblem } from '@/engine/problem';

interface Packed {
  path: string;
  base64: string;
}

function isPacked(value: unknown): value is Packed {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'base64' in value &&
    typeof value.base64 === 'string'
  );
}

export function unpack(document: unknown): DroppedFile[] {
  const files =
    typeof document === 'object' && document !== null && 'files' in document
      ? document.files
      : undefined;
  if (!Array.isArray(files) || !files.every(isPacked)) throw new Error('this is no sample');
  return files.map(({ path, base64 }) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return { path, file: new File([bytes], path.split('/').at(-1)!) };
  });
}

export async function fetchSample(id: string): Promise<DroppedFile[]> {
  const known = __SAMPLES__.some((sample) => sample.id === id);
  const response = known ? await fetch(new URL(`samples/${id}.json`, document.baseURI)) : undefined;
  if (!response?.ok)
    throw new ApiProblem({
      code: 'not_there',
      title: `There is no sample “${id}” beside this page`,
      status: response?.status ?? 404,
    });
  return unpack(await response.json());
}
