// SPDX-License-Identifier: Apache-2.0
// A small table, whole in the page, with what saves it as CSV and JSON: the rows that are shown, and
// of what is shown rounded or shortened the exact value, which its element has as `data-value`.
import { useRef, type ReactNode } from 'react';
import { SaveTable, type Cell } from './SaveTable';

function textOf(node: Node): string {
  if (!(node instanceof HTMLElement)) return node.textContent ?? '';
  if (node.dataset.value !== undefined) return node.dataset.value;
  if (node.getAttribute('role') === 'img') return ''; // A bar, beside or in place of a figure.
  if (node.tagName === 'BR') return ' ';
  return [...node.childNodes].map(textOf).join('');
}

// A dash says that there is no value; a number is one whatever separates its thousands.
export function cellOf(cell: HTMLElement): Cell {
  const picture = cell.querySelector('[role=img]')?.getAttribute('aria-label');
  const text = (textOf(cell).trim() || picture || '').replace(/[ \t\n]+/g, ' ');
  if (text === '–') return '';
  const plain = text.replaceAll('\u202f', '');
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(plain)) return text;
  return Math.abs(Number(plain)) <= Number.MAX_SAFE_INTEGER ? Number(plain) : plain;
}

// `children`: a `<thead>` that names the columns, and a `<tbody>`.
export function PlainTable({ name, children }: { name: string; children: ReactNode }) {
  const table = useRef<HTMLTableElement>(null);
  const read = () => {
    const cells = (row: HTMLTableRowElement) => [...row.cells].map(cellOf);
    const { tHead, tBodies } = table.current!;
    return {
      columns: cells(tHead!.rows[0]!).map(String),
      rows: [...tBodies[0]!.rows].map(cells),
    };
  };
  return (
    <div className="plain-box">
      <table className="plain" ref={table}>
        {children}
      </table>
      <SaveTable name={name.replaceAll(' ', '_')} read={read} />
    </div>
  );
}
