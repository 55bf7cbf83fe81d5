// SPDX-License-Identifier: Apache-2.0
import type { OptionsDocument } from '@/api/openapi';

// Why the list is empty: nothing differs, or nothing is known.
export function noOptionsText({ options_file, families }: OptionsDocument, cf: string): string {
  if (!options_file) return 'Unknown: the directory has no OPTIONS file.';
  return families.includes(cf)
    ? `None, says ${options_file}.`
    : `Unknown: ${options_file} does not have this family.`;
}
