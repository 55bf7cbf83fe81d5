// SPDX-License-Identifier: Apache-2.0
// What the timeline draws of a part, in tables: its lanes, its counters, its events.
import { useMemo } from 'react';
import { bytes, count, percent } from '@/lib/format';
import { DataGrid, type Column } from '@/ui/DataGrid';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { Sideways } from '@/ui/small';
import type { Span } from '@/ui/span_hands';
import { extremesOf } from './counters';
import { partOf } from './draw';
import type { Events } from './events';
import { durationText, figureText, momentText } from './scale';
import { busyWithin, within, type Track } from './track';

interface Row {
  event: number;
  from: number;
  took: number;
  lane: string;
}

const kRowsMost = 10_000; // Of a table; a picture may have millions.

interface DrawnTablesProps {
  events: Events;
  drawn: Track[];
  linked: Span;
  sel: string | null;
  onSelect: (event: number) => void;
}

export function DrawnTables({ events, drawn, linked, sel, onSelect }: DrawnTablesProps) {
  const part = useMemo(() => partOf(events, linked), [events, linked]);
  const { rows, total } = useMemo(() => rowsOf(drawn, part), [drawn, part]);
  const columns = useMemo((): Column<Row>[] => {
    const { clock } = events;
    const job = ({ event }: Row) => events.jobOf?.(event);
    const sizes: Column<Row>[] = events.jobOf
      ? (['bytes_read', 'bytes_written'] as const).map((id) => ({
          id,
          header: id === 'bytes_read' ? 'read' : 'written',
          value: (row) => job(row)?.[id] ?? '',
          cell: (row) => (job(row) ? bytes(job(row)![id]) : '–'),
          numeric: true,
          width: '100px',
        }))
      : [];
    return [
      {
        id: 'from',
        header: clock === 'edit' ? 'edit' : 'begins',
        value: ({ from }) => from,
        cell: ({ from }) => (clock === 'edit' ? count(Math.round(from)) : momentText(from, clock)),
        numeric: true,
        width: clock === 'edit' ? '80px' : '240px',
      },
      { id: 'lane', header: 'lane', value: ({ lane }) => lane, width: 'minmax(150px, 1fr)' },
      {
        id: 'what',
        header: 'what',
        value: ({ event }) => events.nameOf(event),
        width: 'minmax(150px, 1fr)',
      },
      ...(clock === 'edit'
        ? []
        : [
            {
              id: 'took',
              header: 'takes',
              value: ({ took }: Row) => took,
              cell: ({ took }: Row) => (took > 0 ? durationText(took) : '–'),
              numeric: true,
              width: '100px',
            },
          ]),
      ...sizes,
    ];
  }, [events]);
  return (
    <>
      <Panel title="Lanes of what is shown">
        <Sideways of="lanes">
          <PlainTable name="lanes">
            <thead>
              <tr>
                <th>of</th>
                <th>lane</th>
                <th className="num">events</th>
                {events.clock !== 'edit' && (
                  <>
                    <th className="num">busy</th>
                    <th className="num">of the time</th>
                  </>
                )}
              </tr>
            </thead>
            <tbody>
              {drawn.map((track, i) => {
                const [first, last] = within(track, part.from, part.to);
                const busy = busyWithin(track, part.from, part.to);
                return (
                  <tr key={i}>
                    <td>{track.group}</td>
                    <td>{track.name}</td>
                    <td className="num">{count(last - first)}</td>
                    {events.clock !== 'edit' && (
                      <>
                        <td className="num" data-value={busy}>
                          {busy > 0 ? durationText(busy) : '–'}
                        </td>
                        <td className="num">
                          {busy > 0 ? percent(busy, part.to - part.from) : '–'}
                        </td>
                      </>
                    )}
                  </tr>
                );
              })}
            </tbody>
          </PlainTable>
        </Sideways>
      </Panel>
      {events.counters.length > 0 && <CountersTable events={events} part={part} />}
      <Panel title="Events of what is shown">
        <DataGrid
          label="events"
          rows={rows}
          columns={columns}
          rowId={({ event }) => events.idOf(event)}
          height={360}
          selected={sel}
          onSelect={({ event }) => onSelect(event)}
          {...(total > rows.length && {
            note: `the first ${count(rows.length)} of ${count(total)}: zoom in for the others`,
          })}
        />
      </Panel>
    </>
  );
}

function CountersTable({ events, part }: { events: Events; part: Span }) {
  return (
    <Panel title="Counters of what is shown">
      <Sideways of="counters">
        <PlainTable name="counters">
          <thead>
            <tr>
              <th>of</th>
              <th>counter</th>
              <th className="num">values</th>
              <th className="num">least</th>
              <th className="num">greatest</th>
              <th className="num">last</th>
            </tr>
          </thead>
          <tbody>
            {events.counters.map((counter, i) => {
              const known = extremesOf(counter, part.from, part.to);
              const figure = (value: number | undefined) => (
                <td className="num" data-value={value}>
                  {value === undefined ? '–' : figureText(value)}
                </td>
              );
              return (
                <tr key={i}>
                  <td>{counter.group}</td>
                  <td>{counter.name}</td>
                  {figure(known?.points ?? 0)}
                  {figure(known?.least)}
                  {figure(known?.greatest)}
                  {figure(known?.last)}
                </tr>
              );
            })}
          </tbody>
        </PlainTable>
      </Sideways>
    </Panel>
  );
}

// The earliest events of all lanes, so many as a table has.
function rowsOf(tracks: Track[], part: Span): { rows: Row[]; total: number } {
  let total = 0;
  const rows = tracks.flatMap((track) => {
    const [first, last] = within(track, part.from, part.to);
    total += last - first;
    return Array.from({ length: Math.min(kRowsMost, last - first) }, (_, n): Row => {
      const i = first + n;
      const [from, to] = [track.from[i]!, track.to[i]!];
      return { event: track.event[i]!, from, took: to - from, lane: track.name };
    });
  });
  rows.sort((a, b) => a.from - b.from);
  return { rows: rows.slice(0, kRowsMost), total };
}
