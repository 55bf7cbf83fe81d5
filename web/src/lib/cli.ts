// SPDX-License-Identifier: Apache-2.0
// Command lines that print what a panel shows.

export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

// varve("lsm files", "./db", {edit: "3", cf: "default"}): flags that are undefined or at their
// default are left out.
export function varve(
  verb: string,
  words: string[],
  flags: Record<string, string | boolean | undefined> = {},
): string {
  const line = ['varve', verb, ...words.map(quote)];
  for (const [name, value] of Object.entries(flags)) {
    if (
      value === undefined ||
      value === false ||
      value === '' ||
      (name === 'cf' && value === 'default')
    )
      continue;
    line.push(value === true ? `--${name}` : `--${name} ${quote(value)}`);
  }
  return line.join(' ');
}
