// SPDX-License-Identifier: Apache-2.0
// How large values are, for each prefix of keys: which kind of record takes the space.
// @ts-check

/**
 * @typedef {{ records: number, bytes: number, most: number, sizes: Map<number, number> }} Group
 */

/** @param {number} exponent */
const bucket = (exponent) =>
  exponent < 1 ? String(exponent + 1) : `${2 ** exponent} to ${2 ** (exponent + 1) - 1}`;

/** @type {import('./varve-plugin').Plugin} */
export default {
  name: 'value_sizes',
  title: 'Value sizes',
  about: 'A histogram of the sizes of values, and what each prefix of keys has of them.',
  version: '1.0',
  view: {
    controls: [
      { name: 'letters', label: 'bytes of a prefix', number: { unset: 4, max: 64 } },
      { name: 'records', label: 'records at most', number: { unset: 10_000, max: 1_000_000 } },
      { name: 'prefix', label: 'only keys that begin with' },
    ],
    async draw({ pages, family, set }) {
      const most = Number(set.records);
      /** @type {Map<string, Group>} */
      const groups = new Map();
      /** @type {Map<number, number>} */
      const sizes = new Map();
      let records = 0;
      let bytes = 0;
      let isAll = true;
      const query = {
        page_size: Math.min(10_000, most),
        ...(set.prefix ? { prefix: set.prefix } : {}),
      };
      for await (const page of pages(`/cfs/${encodeURIComponent(family)}/scan`, query)) {
        for (const row of page.rows.slice(0, most - records)) {
          const { text } = row.key;
          const letters = Number(set.letters);
          const prefix =
            text === undefined
              ? varve.hex(varve.bytes(row.key).subarray(0, letters))
              : text.slice(0, letters);
          const size = row.value?.len ?? 0;
          const exponent = size === 0 ? -1 : Math.floor(Math.log2(size));
          const group = groups.get(prefix) ?? { records: 0, bytes: 0, most: 0, sizes: new Map() };
          groups.set(prefix, group);
          group.records += 1;
          group.bytes += size;
          group.most = Math.max(group.most, size);
          group.sizes.set(exponent, (group.sizes.get(exponent) ?? 0) + 1);
          sizes.set(exponent, (sizes.get(exponent) ?? 0) + 1);
          records += 1;
          bytes += size;
        }
        isAll = page.next_page_token === undefined;
        if (records >= most) break;
      }
      const exponents = [...sizes.keys()].sort((a, b) => a - b);
      const largest = [...groups].sort(([, a], [, b]) => b.bytes - a.bytes);
      return [
        {
          facts: [
            ['records looked at', records],
            ['bytes of values', bytes],
            ['mean', records === 0 ? 0 : Math.round(bytes / records)],
            ['prefixes', groups.size],
          ],
        },
        ...(isAll ? [] : [{ text: `The first ${records} records: there are more.` }]),
        {
          title: 'Records by bytes of the value',
          bars: exponents.map((exponent) => [bucket(exponent), sizes.get(exponent) ?? 0]),
        },
        {
          title: 'Bytes of values by prefix',
          unit: 'bytes',
          bars: largest.slice(0, 20).map(([prefix, group]) => [prefix || '(empty)', group.bytes]),
        },
        {
          title: 'Prefixes',
          table: {
            columns: ['prefix', 'records', 'bytes', 'mean', 'largest'],
            rows: largest
              .slice(0, 5000)
              .map(([prefix, group]) => [
                prefix,
                group.records,
                group.bytes,
                Math.round(group.bytes / group.records),
                group.most,
              ]),
          },
        },
      ];
    },
  },
};
