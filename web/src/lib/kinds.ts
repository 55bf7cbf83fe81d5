// SPDX-License-Identifier: Apache-2.0
// What a target is, in words.
import type { TargetSummary } from '@/api/openapi';

const kKindNames: Record<TargetSummary['kind'], string> = {
  db: 'a database',
  sst: 'a table file',
  manifest: 'a MANIFEST',
  wal: 'a log',
  unknown: 'something unknown',
};

export function isKind(kind: string): kind is TargetSummary['kind'] {
  return kind in kKindNames;
}

export function kindName(kind: TargetSummary['kind']): string {
  return kKindNames[kind];
}
