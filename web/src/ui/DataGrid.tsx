// SPDX-License-Identifier: Apache-2.0
// A table of any length: sorted, filtered, saved as CSV; only the rows in sight are in the page.
// To assistive technology it is a grid with the true row count; arrow keys or j and k move, Enter
// opens. One Tab before the rows are the headers: left and right choose one, Enter sorts by it.
import { TextInput } from '@mantine/core';
import {
  getCoreRowModel,
  getFilteredRowModel,
  getSortedRowModel,
  useReactTable,
  type ColumnDef,
  type SortingState,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { count } from '@/lib/format';
import { useScrollMemory } from '@/lib/scroll';
import { kWholeRows, useIsWhole } from '@/lib/whole';
import { SaveTable } from './SaveTable';

export interface Column<Row> {
  id: string;
  header: string;
  value: (row: Row) => string | number; // What it is sorted, filtered and saved by.
  cell?: (row: Row, near: Row[]) => ReactNode; // If it looks different; `near` is above and below.
  numeric?: boolean;
  width?: string; // A track of CSS grid.
  mono?: boolean;
}

interface DataGridProps<Row> {
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  selected?: string | null;
  onSelect?: (row: Row) => void;
  onOpen?: (row: Row) => void;
  height?: number;
  filter?: boolean;
  saveName?: string; // Of CSV and JSON; the label unless given.
  note?: ReactNode; // Said beside the count: "first 1000".
  more?: More; // There are rows that are not here yet.
}

// The rest of a list that comes in pages: asked for when its end comes into sight.
export interface More {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

const kRowHeight = 28;
const kTrack = 'minmax(80px, 1fr)';

// The tracks' smallest widths together: all rows get it, so that their columns stand in line.
function leastWidth(tracks: string[]): number {
  return tracks.reduce((sum, track) => sum + Number(/(\d+)px/.exec(track)?.[1] ?? 80), 0);
}

export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, rows, columns, rowId, selected, onSelect, onOpen, note } = props;
  const saveName = props.saveName ?? label.replaceAll(' ', '_');
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [sorting, setSorting] = useState<SortingState>([]);
  const [filter, setFilter] = useState('');
  const [moved, setMoved] = useState(-1); // Where keys or a click have gone.
  const isWhole = useIsWhole();
  const [head, setHead] = useState(0); // The header that Tab reaches.

  const definitions: ColumnDef<Row>[] = columns.map((column) => ({
    id: column.id,
    accessorFn: column.value,
    sortingFn: column.numeric ? 'basic' : 'alphanumeric',
    filterFn: 'includesString',
  }));
  // eslint-disable-next-line react-hooks/incompatible-library
  const table = useReactTable({
    data: rows,
    columns: definitions,
    state: { sorting, globalFilter: filter },
    onSortingChange: setSorting,
    onGlobalFilterChange: setFilter,
    globalFilterFn: 'includesString',
    getColumnCanGlobalFilter: () => true,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getFilteredRowModel: getFilteredRowModel(),
  });
  const shown = table.getRowModel().rows;
  const chosen = shown.findIndex((row) => rowId(row.original) === selected);
  const active = moved >= 0 ? moved : chosen;
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => kRowHeight,
    overscan: isWhole ? kWholeRows : 12,
    initialRect: { width: 800, height: 400 },
  });

  const { more } = props;
  const items = virtual.getVirtualItems();
  const lastInSight = items.at(-1)?.index ?? 0;
  const isDue =
    more?.hasNextPage === true &&
    !more.isFetchingNextPage &&
    filter === '' &&
    lastInSight + 1 >= shown.length;
  const fetchNextPage = more?.fetchNextPage;
  useEffect(() => {
    if (isDue) fetchNextPage?.();
  }, [isDue, fetchNextPage]);

  const inside = (Math.min(shown.length, kWholeRows) + 1) * kRowHeight + 2;
  const height = isWhole ? inside : Math.min(props.height ?? 420, inside);
  useScrollMemory(scroller, label, shown.length > 0);
  const tracks = columns.map((column) => column.width ?? kTrack);
  const layout = { height, '--columns': tracks.join(' '), '--least': `${leastWidth(tracks)}px` };

  function move(to: number) {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setMoved(next);
    virtual.scrollToIndex(next);
    const row = shown[next]?.original;
    if (row && onSelect) onSelect(row);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step: Record<string, number> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: 12,
      PageUp: -12,
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in step) move(active + (step[event.key] ?? 0));
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(shown.length - 1);
    else if (event.key === 'Enter' && shown[active]) (onOpen ?? onSelect)?.(shown[active].original);
    else return;
    event.preventDefault();
  }

  const read = () => ({
    columns: columns.map((column) => column.header),
    rows: shown.map((row) => columns.map((column) => column.value(row.original))),
  });

  // Among the headers; the others are reached from the one that has the focus.
  function onHeadKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation(); // Enter sorts here, and opens a row elsewhere.
    const step: Record<string, number> = {
      ArrowLeft: head - 1,
      ArrowRight: head + 1,
      Home: 0,
      End: columns.length - 1,
    };
    const to = step[event.key];
    if (event.key === 'ArrowDown') scroller.current?.focus();
    else if (to === undefined) return;
    else {
      const next = Math.max(0, Math.min(columns.length - 1, to));
      setHead(next);
      event.currentTarget.querySelectorAll<HTMLElement>('button')[next]?.focus();
    }
    event.preventDefault();
  }

  return (
    <div className="grid-box">
      <div className="grid-tools">
        {props.filter !== false && (
          <TextInput
            size="xs"
            placeholder="filter"
            aria-label={`filter ${label}`}
            data-filter
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        )}
        <span className="muted">
          {shown.length === rows.length
            ? count(rows.length)
            : `${count(shown.length)} of ${count(rows.length)}`}
          {more?.hasNextPage && (more.isFetchingNextPage ? ' so far, reading on' : ' so far')}{' '}
          {note}
          {isWhole &&
            items.length < shown.length &&
            ` · rows ${count((items[0]?.index ?? 0) + 1)} to ${count(lastInSight + 1)} are in this file`}
        </span>
        <SaveTable name={saveName} read={read} />
      </div>
      <div
        ref={scroller}
        className="grid"
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={shown.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        style={layout}
        onKeyDown={onKeyDown}
      >
        <div role="row" aria-rowindex={1} className="grid-row grid-head" onKeyDown={onHeadKey}>
          {columns.map((column, at) => {
            const sorted = table.getColumn(column.id)?.getIsSorted();
            return (
              <div
                role="columnheader"
                key={column.id}
                className={column.numeric ? 'num' : ''}
                aria-sort={
                  sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'
                }
              >
                <button
                  type="button"
                  tabIndex={at === head ? 0 : -1}
                  onFocus={() => setHead(at)}
                  onClick={() => table.getColumn(column.id)?.toggleSorting()}
                >
                  {column.header}
                  {sorted === 'asc' ? ' ▲' : sorted === 'desc' ? ' ▼' : ''}
                </button>
              </div>
            );
          })}
        </div>
        <div className="grid-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = shown[item.index]!.original;
            const near = [shown[item.index - 1], shown[item.index + 1]].flatMap((other) =>
              other ? [other.original] : [],
            );
            const current = selected != null && rowId(row) === selected;
            return (
              <div
                role="row"
                id={`${id}-${item.index}`}
                key={item.key}
                aria-rowindex={item.index + 2}
                aria-selected={current}
                className={`grid-row${item.index === active ? ' active' : ''}${current ? ' selected' : ''}${onSelect || onOpen ? ' can-open' : ''}`}
                style={{ transform: `translateY(${item.start}px)` }}
                onClick={() => {
                  setMoved(item.index);
                  (onSelect ?? onOpen)?.(row);
                }}
                onDoubleClick={() => onOpen?.(row)}
              >
                {columns.map((column) => (
                  <div
                    role="gridcell"
                    key={column.id}
                    className={`${column.numeric ? 'num' : ''}${column.mono ? ' mono' : ''}`}
                  >
                    {column.cell ? column.cell(row, near) : column.value(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
