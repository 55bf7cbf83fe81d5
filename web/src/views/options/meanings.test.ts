// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { whyWrong } from './meanings';

describe('new values of options', () => {
  it('are refused before the engine is asked only where they cannot be right', () => {
    expect(whyWrong('write_buffer_size', '8388608')).toBeNull();
    expect(whyWrong('write_buffer_size', '8 MB')).toMatch(/whole number/);
    expect(whyWrong('compression', 'kZSTD')).toBeNull();
    expect(whyWrong('compression', 'zst')).toMatch(/none of its values/);
    expect(whyWrong('max_bytes_for_level_multiplier', '2.5')).toBeNull();
    expect(whyWrong('block_size', '1')).toMatch(/no running engine/);
  });
});
