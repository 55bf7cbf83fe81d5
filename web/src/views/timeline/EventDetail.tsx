// SPDX-License-Identifier: Apache-2.0
// What is known of one event, and where its flows lead.
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { bytes } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Facts } from '@/ui/small';
import { kArrowsMost } from './draw';
import type { Events } from './events';
import { flowsAt } from './flows';
import { durationText, momentText } from './scale';
import type { Track } from './track';

export function placeOf(tracks: Track[], event: number): { from: number; to: number } | null {
  for (const { event: events, from, to } of tracks) {
    const i = events.indexOf(event);
    if (i >= 0) return { from: from[i]!, to: to[i]! };
  }
  return null;
}

export function EventDetail({
  events,
  selected,
  tracks,
  visit,
}: {
  events: Events;
  selected: number | null;
  tracks: Track[];
  visit: (event: number) => void;
}) {
  const { link } = useRoute();
  const at = selected === null ? null : placeOf(tracks, selected);
  const job = selected === null ? undefined : events.jobOf?.(selected);
  return (
    <aside className="panel detail" aria-label="selected event" aria-live="polite">
      {selected === null || !at ? (
        <p className="muted">Choose an event, or step with [ and ].</p>
      ) : (
        <>
          <header className="panel-head">
            <h2>{events.nameOf(selected)}</h2>
          </header>
          <Facts
            of={[
              ['begins', momentText(at.from, events.clock)],
              ...(at.to > at.from && events.clock !== 'edit'
                ? [['takes', durationText(at.to - at.from)] as [string, string]]
                : []),
              ...events.factsOf(selected),
              ...(job
                ? ([
                    ['read', bytes(job.bytes_read)],
                    ['written', bytes(job.bytes_written)],
                  ] as [string, string][])
                : []),
            ]}
          />
          <Linked events={events} selected={selected} visit={visit} />
          {job?.edit !== undefined && (
            <p className="toolbar">
              <a href={link('timeline', [], { sel: job.edit })}>Edit {job.edit}</a>
              <a href={link('lsm', [], { edit: job.edit })}>The tree after it</a>
            </p>
          )}
        </>
      )}
    </aside>
  );
}

const kLinkedMost = 20; // Of an event, to go to.

// Where what an event had came from, and who took what it made.
function Linked({
  events,
  selected,
  visit,
}: {
  events: Events;
  selected: number;
  visit: (event: number) => void;
}) {
  const { from, to } = events.flows;
  const places = useMemo(() => flowsAt(events.flows, selected, kArrowsMost), [events, selected]);
  const list = (title: string, of: number[]) =>
    of.length > 0 && (
      <>
        <h3>{title}</h3>
        <p className="toolbar">
          {of.slice(0, kLinkedMost).map((event) => (
            <Button key={event} size="compact-xs" variant="default" onClick={() => visit(event)}>
              {events.nameOf(event) || `event ${event}`}
            </Button>
          ))}
          {of.length > kLinkedMost && <span className="muted">and more</span>}
        </p>
      </>
    );
  const distinct = (of: number[]) => [...new Set(of)];
  return (
    <>
      {list('comes from', distinct(places.filter((i) => to[i] === selected).map((i) => from[i]!)))}
      {list('leads to', distinct(places.filter((i) => from[i] === selected).map((i) => to[i]!)))}
    </>
  );
}
