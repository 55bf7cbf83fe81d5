// SPDX-License-Identifier: Apache-2.0

// RFC 4180, with what a spreadsheet would take for a formula made harmless.
export function csv(header: string[], rows: string[][]): string {
  const cell = (text: string) => {
    const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

// An object for each row, by the names of the columns; a name that comes again has a number.
export function records(columns: string[], rows: (string | number)[][]): string {
  const names = columns.map((name, i) => {
    const before = columns.slice(0, i).filter((other) => other === name).length;
    return before > 0 ? `${name}_${before + 1}` : name;
  });
  const of = (row: (string | number)[]) =>
    Object.fromEntries(names.map((name, i) => [name, row[i]]));
  return `${JSON.stringify(rows.map(of), null, 1)}\n`;
}

export function saveAs(name: string, content: BlobPart, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
