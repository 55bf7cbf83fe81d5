// SPDX-License-Identifier: Apache-2.0
// Each table of a view can be saved, and what is saved is what is shown.
import { readFileSync } from 'node:fs';

// Those of the page; returns how many.
export async function savedTables(page, checks, where) {
  const all = page.locator('main table:not(.u-legend), main [role=grid]:not(.hex)');
  for (let i = 0; i < (await all.count()); i += 1) {
    const table = all.nth(i);
    const name = `${where}, table ${i + 1}`;
    const box = table.locator('xpath=ancestor::*[contains(@class,"-box")][1]');
    const actions = await box.getByRole('button', { name: /^(CSV|JSON) of / }).count();
    checks.equal(`${name}: has CSV and JSON`, actions, 2);
    if (actions !== 2) continue;
    const save = async (kind) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        box.getByRole('button', { name: new RegExp(`^${kind} of `) }).click(),
      ]);
      return readFileSync(await download.path(), 'utf8');
    };
    const shown = await table.evaluate(shownRows);
    const [head, ...rows] = parsed(await save('CSV'));
    checks.equal(`${name}: columns`, head.map(unmade), shown.columns);
    checks.equal(`${name}: as many rows as it says`, rows.length, shown.count);
    for (const { at, cells } of shown.rows)
      for (const [j, cell] of cells.entries())
        if (!isSaid(cell, rows[at]?.[j] ?? ''))
          checks.that(`${name}, row ${at + 1}: ${cell}`, false, `saved as "${rows[at]?.[j]}"`);
    const records = JSON.parse(await save('JSON'));
    checks.equal(`${name}: JSON has the same rows`, records.length, rows.length);
    checks.equal(
      `${name}: and the same values`,
      records.map((record) => Object.values(record).map(String)),
      rows.map((row) => row.map(unmade)),
    );
  }
  return all.count();
}

// Without what keeps a spreadsheet from taking it for a formula.
const unmade = (text) => text.replace(/^'(?=[=+\-@])/, '');

// Of a grid, those in sight; each with its place in the whole.
function shownRows(table) {
  const isGrid = table.getAttribute('role') === 'grid';
  // Of a control, the value that it has; a list of choices has the text of all.
  const text = (cell) =>
    cell.querySelector('input, select')
      ? (cell.dataset.value ?? '')
      : cell.innerText.replace(/\s*[▲▼]$/, '');
  const cells = (row) => [...row.querySelectorAll('td, [role=gridcell]')].map(text);
  const rows = [...table.querySelectorAll('tbody tr, .grid-body [role=row]')].map((row, i) => ({
    at: isGrid ? Number(row.getAttribute('aria-rowindex')) - 2 : i,
    cells: cells(row),
  }));
  return {
    columns: [...table.querySelectorAll('th, [role=columnheader]')].map((cell) =>
      cell.textContent.trim(),
    ),
    rows,
    count: isGrid ? Number(table.getAttribute('aria-rowcount')) - 1 : rows.length,
  };
}

const kUnits = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };
const kNothing = ['', '–', '●', 'none', 'the beginning', 'the end']; // A bar, or a mark.

// What is shown may be rounded, shortened ("key0… 120 B") or have something beside the value; bytes may
// be saved as hex.
function isSaid(shown, saved) {
  const plain = (text) => text.replaceAll(/[\s\u202f']/g, '');
  if (kNothing.includes(shown.trim()) || (/\(empty\)/.test(shown) && saved === '')) return true;
  const [, percent] = /^([\d.]+) %$/.exec(shown.trim()) ?? [];
  if (percent && saved !== shown.trim())
    return saved !== '' && Math.abs(Number(saved) - Number(percent) / 100) <= 0.006;
  const [, number, unit = 'B'] = /^([\d.]+)(?:\s(B|KiB|MiB|GiB|TiB))?$/.exec(shown.trim()) ?? [];
  if (number && /^\d+(\.\d+)?$/.test(saved)) {
    const rounded = Number(number) * kUnits[unit];
    return Math.abs(Number(saved) - rounded) <= 0.06 * rounded;
  }
  const [first] = plain(shown).split('…');
  const forms = [saved, Buffer.from(saved, 'hex').toString('latin1')].map(plain);
  return forms.some((form) => form.includes(first) || (form && first.includes(form)));
}

// RFC 4180.
function parsed(text) {
  const rows = [[]];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
