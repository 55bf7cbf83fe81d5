// SPDX-License-Identifier: Apache-2.0
// Statistics as flat names with numbers, and what of them changes.

export interface Sample {
  at: number; // Unix seconds.
  values: Record<string, number>;
}

// {"cache":{"hits":3}} is "cache.hits" 3. Strings that are numbers count; the rest is left out.
export function flatten(value: unknown, name = ''): Record<string, number> {
  if (typeof value === 'number') return { [name]: value };
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return { [name]: Number(value) };
  if (typeof value !== 'object' || value === null) return {};
  const flat: Record<string, number> = {};
  for (const [member, inner] of Object.entries(value))
    Object.assign(flat, flatten(inner, name ? `${name}.${member}` : member));
  return flat;
}

// Counters only grow: their rate is what matters.
export function isCounter(name: string): boolean {
  return /(_total|_count|hits|misses|writes|reads|written|flushes|compactions|_read|_micros)$/.test(
    name,
  );
}

// Times and values for a chart: rates of counters, levels of everything else.
export function rates(samples: Sample[], name: string): [number[], (number | null)[]] {
  const at = samples.map((sample) => sample.at);
  const value = samples.map((sample) => sample.values[name] ?? null);
  if (!isCounter(name)) return [at, value];
  return [
    at,
    value.map((now, i) => {
      const before = value[i - 1];
      return now === null || before === null || before === undefined
        ? null
        : (now - before) / Math.max(1e-3, at[i]! - at[i - 1]!);
    }),
  ];
}
