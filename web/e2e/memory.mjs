// SPDX-License-Identifier: Apache-2.0
// Whether a page that changes for long keeps more and more.

const kMost = 8; // MiB more in the last quarter than in the second; in the first, caches fill.
const kSamples = 16;

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

// Lets `change` happen again and again for so many seconds, and says what the page holds of memory
// meanwhile, after collections of garbage.
export async function judgeMemory(page, checks, seconds, change) {
  const devtools = await page.context().newCDPSession(page);
  const held = [];
  const began = Date.now();
  let changes = 0;
  for (let i = 1; i <= kSamples; i += 1) {
    do {
      await change();
      changes += 1;
    } while (Date.now() < began + (seconds * 1000 * i) / kSamples);
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const { nodes } = await devtools.send('Memory.getDOMCounters');
    held.push({ mib: usedSize / 2 ** 20, nodes });
  }
  const quarter = (n) => held.slice((kSamples * n) / 4, (kSamples * (n + 1)) / 4);
  const of = (n, what) => median(quarter(n).map((one) => one[what]));
  const said = `MiB ${held.map(({ mib }) => mib.toFixed(1)).join(' ')}; nodes ${of(1, 'nodes')}, ${of(3, 'nodes')}; ${changes} changes in ${seconds} s`;
  console.log(`   ${said}`);
  checks.that('holds no more than before', of(3, 'mib') < of(1, 'mib') + kMost, said);
  checks.that('nor more nodes', of(3, 'nodes') < 1.5 * of(1, 'nodes') + 2000, said);
}
