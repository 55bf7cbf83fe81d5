// SPDX-License-Identifier: Apache-2.0
// What one may do, as the server says it (GET /api/v1/); it refuses the rest, so this only decides
// what the page offers.
import type { Right } from '@/api/openapi';

export type Access = Right['access'];

// Whether the target, or that family of it, may be read or written. Without `cf`: all of it.
export function may(
  rights: readonly Right[],
  access: Access,
  target: string,
  cf?: string,
): boolean {
  return rights.some(
    (right) =>
      (right.access === 'write' || access === 'read') &&
      (right.target === undefined || right.target === target) &&
      (right.cf === undefined || right.cf === cf),
  );
}

// "read stock/default": for people.
export function rightText({ access, target, cf }: Right): string {
  return `${access} ${target ?? 'everything'}${cf === undefined ? '' : `/${cf}`}`;
}
