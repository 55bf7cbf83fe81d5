// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { kSamples, readSample } from './tools/samples.mjs';

// The engine in WebAssembly, where it has been built (scripts/build.sh wasm).
const engine = new URL('../build/wasm/package/index.mjs', import.meta.url).pathname;
const missing = new URL('./src/engine/missing.ts', import.meta.url).pathname;
const hasEngine = existsSync(new URL('./varve.wasm', `file://${engine}`));

const samples = kSamples.map(readSample);

function gallery(): Plugin {
  return {
    name: 'varve-samples',
    apply: 'build',
    generateBundle() {
      for (const { about, source } of samples)
        this.emitFile({ type: 'asset', fileName: `samples/${about.id}.json`, source });
    },
  };
}

// Plugins that come with the app: files that it offers (plugins/).
const plugins = readdirSync(new URL('./plugins', import.meta.url))
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({
    name,
    source: readFileSync(new URL(`./plugins/${name}`, import.meta.url), 'utf8'),
  }));

function shippedPlugins(): Plugin {
  return {
    name: 'varve-plugins',
    apply: 'build',
    generateBundle() {
      for (const { name, source } of plugins)
        this.emitFile({ type: 'asset', fileName: `plugins/${name}`, source });
    },
  };
}

// What such a file says of itself, which stands there as it is read.
const saidIn = (source: string, member: string) =>
  new RegExp(`^  ${member}: '([^'\n]+)',$`, 'm').exec(source)?.[1] ?? '';

// The service worker with the names of what was built, so that the app works without a network.
function offline(): Plugin {
  return {
    name: 'varve-offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const names = [
        './',
        ...readdirSync(new URL('./public', import.meta.url)),
        ...Object.keys(bundle).filter((name) => name !== 'index.html'),
      ].sort();
      const version = createHash('sha256')
        .update(
          Object.values(bundle)
            .map((file) => file.fileName + ('code' in file ? file.code : String(file.source)))
            .join(''),
        )
        .digest('hex')
        .slice(0, 16);
      const source = readFileSync(new URL('./src/offline/worker.js', import.meta.url), 'utf8')
        .replace("'VERSION'", JSON.stringify(`varve-${version}`))
        .replace("['FILES']", JSON.stringify(names));
      this.emitFile({ type: 'asset', fileName: 'offline.js', source });
    },
  };
}

export default defineConfig({
  plugins: [react(), gallery(), shippedPlugins(), offline()],
  base: './', // dist works under any path of any static host.
  resolve: {
    alias: {
      '@varve/engine': hasEngine ? engine : missing,
      '@': new URL('./src', import.meta.url).pathname,
    },
  },
  define: {
    __HAS_ENGINE__: JSON.stringify(hasEngine),
    __PLUGINS__: JSON.stringify(
      plugins.map(({ source }) => ({
        name: saidIn(source, 'name'),
        title: saidIn(source, 'title'),
        about: saidIn(source, 'about'),
      })),
    ),
    __SAMPLES__: JSON.stringify(samples.map(({ about }) => about)),
  },
  worker: { format: 'es' },
  // Nothing is inlined as data: the content security policy allows files of our own only.
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    testTimeout: 60_000, // Beside other tests, on few processors.
  },
});
