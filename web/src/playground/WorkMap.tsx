// SPDX-License-Identifier: Apache-2.0
// The levels with their tables by key. Each table is one element for as long as it lives, so that the
// style sheet moves it from level to level; one that died stays for a step, crossed out.
import { useMemo } from 'react';
import { KeyAxis } from '@/views/lsm/axis';
import { boxesOf, rowsOf } from '@/views/lsm/layout';
import type { ReadAccount } from './account';
import type { Table } from './work_map';

const kRow = 22; // Pixels.
const kPixels = 1000; // Boxes that are narrower than one part of so many share one.
const kWide = 0.12; // Share of the width from which a name fits in.

interface WorkMapProps {
  tables: Table[];
  read: ReadAccount | null;
}

export function WorkMap({ tables, read }: WorkMapProps) {
  const { rows, boxes, axis } = useMemo(() => {
    const files = tables.map(({ file }) => file);
    const by = new KeyAxis(files, 'key');
    const all = rowsOf(files, by);
    return {
      rows: all,
      axis: by,
      boxes: all.flatMap((row, i) => boxesOf(row, i, by, { from: 0, to: 1 }, kPixels)),
    };
  }, [tables]);
  const fates = new Map(tables.map(({ file, fate }) => [file, fate]));
  const visited = new Map(read?.stops.map((stop) => [stop.file, stop.n]));
  const at = read?.hex === undefined ? null : axis.at(read.hex);
  return (
    <div
      className="work-map"
      role="img"
      aria-label={`${tables.length} tables by key and level; the table below says the same`}
      style={{ height: rows.length * kRow }}
    >
      {rows.map((row, i) => (
        <span key={`row ${i}`} className="work-level" style={{ top: i * kRow }}>
          {row.label}
        </span>
      ))}
      <div className="work-tables">
        {boxes
          .sort((a, b) => Number(a.file.id) - Number(b.file.id)) // A table keeps its place in the page.
          .map(({ file, row, x, width, count }) => {
            const n = visited.get(file.id);
            return (
              <span
                key={file.id}
                className={`work-table tone-l${Math.min(6, file.level)} ${fates.get(file)} ${n ? 'visited' : ''}`}
                style={{
                  top: row * kRow,
                  left: `${(100 * x) / kPixels}%`,
                  width: `${(100 * width) / kPixels}%`,
                }}
              >
                {count > 1 ? `×${count}` : width / kPixels > kWide ? `#${file.id}` : ''}
                {n && <span className="stop-number">{n}</span>}
              </span>
            );
          })}
        {at !== null && <span className="work-key" style={{ left: `${100 * at}%` }} />}
      </div>
    </div>
  );
}
