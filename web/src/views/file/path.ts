// SPDX-License-Identifier: Apache-2.0
import { useTargetPath } from '@/engine/context';
import { useRoute } from '@/lib/route';

// What names the table of the route in paths of the API.
export interface FilePath {
  t: string;
  n: string;
}

export function useFilePath(): FilePath {
  return { ...useTargetPath(), n: useRoute().route.rest[0] ?? '0' };
}
