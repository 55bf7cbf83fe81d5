// SPDX-License-Identifier: Apache-2.0
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  base: './', // dist works under any path of any static host.
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  worker: { format: 'es' },
  // Nothing is inlined as data: the content security policy allows files of our own only.
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] },
});
