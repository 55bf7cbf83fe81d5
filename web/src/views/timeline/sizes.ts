// SPDX-License-Identifier: Apache-2.0
import type { Edit } from '@/api/openapi';

export const added = (edit: Edit) => edit.added.reduce((sum, file) => sum + file.size, 0);

// Bytes of all tables after each edit: an edit adds what it names and takes away what it names.
export function sizesOf(edits: Edit[]): {
  flushed: (number | null)[];
  compacted: (number | null)[];
  total: number[];
} {
  const sizes = new Map<string, number>();
  let sum = 0;
  const total: number[] = [];
  for (const edit of edits) {
    for (const file of edit.deleted) {
      sum -= sizes.get(file.file) ?? 0;
      sizes.delete(file.file);
    }
    for (const file of edit.added) {
      sum += file.size - (sizes.get(file.file) ?? 0);
      sizes.set(file.file, file.size);
    }
    total.push(sum);
  }
  const of = (...kinds: Edit['kind'][]) =>
    edits.map((edit) => (kinds.includes(edit.kind) ? added(edit) : null));
  return { flushed: of('flush', 'ingestion'), compacted: of('compaction'), total };
}
