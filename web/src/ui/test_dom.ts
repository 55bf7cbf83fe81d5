// SPDX-License-Identifier: Apache-2.0
// What jsdom lacks and the components ask for. For tests only.
import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';

export function prepareDom(): void {
  beforeAll(() => {
    window.matchMedia = vi.fn().mockReturnValue({
      matches: false,
      addListener: vi.fn(),
      removeListener: vi.fn(),
      addEventListener: vi.fn(),
      removeEventListener: vi.fn(),
    });
  });
  afterEach(cleanup);
}
