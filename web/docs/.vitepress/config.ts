// SPDX-License-Identifier: Apache-2.0
// The documentation. scripts/build.sh docs builds it into build/docs/site, beside the reference and
// the inspector; DOCS_BASE is the path it will lie under, "/" if not set.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitepress';
import { include } from './documents';

const repository = resolve(import.meta.dirname, '../../..');
const records = include(resolve(repository, 'core/decisions'), 'decisions');
include(resolve(repository, 'core/format/docs'), 'formats');

// What lies beside the pages when all is put together. An address of it leaves the app of the pages.
const beside = /^\/(reference|inspector)\//;

// The colours and fonts of the inspector, by the class that VitePress marks its dark theme with.
function colours(): Plugin {
  return {
    name: 'varve-colours',
    enforce: 'pre',
    transform: (code, id) =>
      id.includes('styles/tokens.css')
        ? code.replaceAll(":root[data-mantine-color-scheme='dark']", ':root.dark')
        : undefined,
  };
}

// The browser asks nobody but the place that the page came from; no script in a page but VitePress's own.
function policy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)];
  const hashes = inline.map(
    ([, code]) => `'sha256-${createHash('sha256').update(code!).digest('base64')}'`,
  );
  const rules =
    `default-src 'self'; script-src 'self' ${hashes.join(' ')}; style-src 'self' 'unsafe-inline'; ` +
    "img-src 'self' data:; base-uri 'none'; form-action 'none'";
  return html.replace(
    '<head>',
    `<head>\n    <meta http-equiv="Content-Security-Policy" content="${rules}">`,
  );
}

const base = process.env.DOCS_BASE ?? '/';

export default defineConfig({
  title: 'Varve',
  description:
    'An LSM key-value engine that reads and writes RocksDB’s on-disk format, and shows what is inside such databases.',
  lang: 'en',
  base,
  outDir: resolve(repository, 'build/docs/site'),
  cacheDir: resolve(repository, 'build/docs/cache'),
  head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
  ignoreDeadLinks: [beside], // tests/docs/site_test.py looks at those in the whole.
  transformHtml: policy,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      // Documents of the repository have indented code, which is shown like other code. What they link to
      // and is no page here stays text.
      md.core.ruler.push('documents', ({ tokens }) => {
        for (const block of tokens) {
          if (block.type === 'code_block')
            Object.assign(block, { type: 'fence', tag: 'code', info: 'txt', markup: '```' });
          let elsewhere = false;
          block.children =
            block.children?.filter((token) => {
              if (token.type === 'link_open') {
                const href = token.attrGet('href')!;
                elsewhere = /^\.\.\/.*\.md$/.test(href);
                if (beside.test(href)) {
                  token.attrSet('href', base + href.slice(1)); // Not done for links with a target.
                  token.attrSet('target', '_self');
                }
              }
              return !(elsewhere && /^link_(open|close)$/.test(token.type));
            }) ?? null;
        }
      });
    },
  },
  vite: {
    publicDir: resolve(repository, 'web/public'),
    plugins: [colours()],
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 1000 },
  },
  themeConfig: {
    logo: '/icon.svg',
    // Buttons are called what is written on them.
    search: {
      provider: 'local',
      options: {
        translations: {
          button: { buttonText: 'Search (Ctrl K)', buttonAriaLabel: 'Search (Ctrl K)' },
        },
      },
    },
    notFound: { linkLabel: 'Take me home' },
    outline: [2, 3],
    nav: [
      {
        text: 'Guide',
        link: '/first-steps',
        activeMatch:
          '^/(first|inspect|urls|plugins|users|slow|bench|embed|arrow|spark|ray|compaction|format)',
      },
      {
        text: 'Architecture',
        link: '/architecture',
        activeMatch: '^/(architecture|decisions|formats|results)',
      },
      { text: 'Reference', link: '/reference/index.html', target: '_self' },
      { text: 'Inspector', link: '/inspector/index.html', target: '_self' },
    ],
    sidebar: [
      {
        text: 'Guide',
        items: [
          { text: 'First steps', link: '/first-steps' },
          { text: 'What is in a RocksDB', link: '/inspect' },
          { text: 'Databases at URLs', link: '/urls' },
          { text: 'Plugins of the inspector', link: '/plugins' },
          { text: 'Several users', link: '/users' },
          { text: 'Finding a slow read', link: '/slow-read' },
          { text: 'Benchmarking honestly', link: '/benchmark' },
          { text: 'Embedding', link: '/embed' },
          { text: 'Records for Arrow', link: '/arrow' },
          { text: 'Spark', link: '/spark' },
          { text: 'Ray Data', link: '/ray' },
          { text: 'Compaction elsewhere', link: '/compaction-elsewhere' },
          { text: 'The format by example', link: '/format' },
        ],
      },
      {
        text: 'How it works',
        items: [
          { text: 'Architecture', link: '/architecture' },
          {
            text: 'Formats',
            collapsed: true,
            link: '/formats/',
            items: [
              { text: 'Tables', link: '/formats/sst-format' },
              { text: 'All other files', link: '/formats/db-format' },
              { text: 'Promises and rules', link: '/formats/reliability' },
            ],
          },
          { text: 'Measured', link: '/results' },
          {
            text: 'Decisions',
            collapsed: true,
            link: '/decisions/',
            items: records.map(({ name, title }) => ({ text: title, link: `/decisions/${name}` })),
          },
        ],
      },
      { text: 'C++ reference', link: '/reference/index.html', target: '_self' },
    ],
    footer: { message: 'Apache 2.0. Nothing on this site is fetched from anywhere else.' },
  },
});
