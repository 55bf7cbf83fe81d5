// SPDX-License-Identifier: Apache-2.0
// Jobs and events drawn in lanes over time, or edit by edit; and the same in tables.
import { Button, FileButton, NativeSelect, TextInput } from '@mantine/core';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { ask } from '@/engine/client';
import { useRows, useTarget, useTargetPath } from '@/engine/context';
import { problemIn } from '@/engine/problem';
import { varve } from '@/lib/cli';
import { count, plural } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { useNeighbour } from '@/shell/keyboard';
import { useStatsLog } from '@/shell/stats_log';
import { Panel } from '@/ui/Panel';
import { clampSpan, type Span } from '@/ui/span_hands';
import { Empty, Shown, type Asking } from '@/ui/states';
import { kArrowsMost, partOf } from './draw';
import { DrawnTables } from './DrawnTables';
import { EventDetail, placeOf } from './EventDetail';
import { eventsOf, usualClock, type Events } from './events';
import { flowsWithin } from './flows';
import { leastOf, TimelineCanvas, type TimelineHandle } from './TimelineCanvas';
import { partOfTrack, type Track } from './track';

export function Drawn({ name }: { name: string }) {
  const [trace, setTrace] = useState<{ file: string; events: Events } | null>(null);
  const [refused, setRefused] = useState('');
  const [reading, setReading] = useState(false);
  async function open(file: File | null) {
    if (!file) return;
    setRefused('');
    setReading(true);
    try {
      // Loaded when first needed.
      const { eventsOfTrace } = await import('./trace_file');
      setTrace({ file: file.name, events: await eventsOfTrace(file) });
    } catch (error) {
      setRefused(`${file.name}: ${error instanceof Error ? error.message : 'cannot be read'}`);
    } finally {
      setReading(false);
    }
  }
  const actions = (
    <>
      <FileButton
        accept=".json,.gz,.pftrace,.perfetto-trace,.perfetto,.proto,.pb,.trace,.systrace,.ftrace,.txt,.html"
        onChange={(file) => void open(file)}
        inputProps={{ 'aria-label': 'trace to open' }}
      >
        {(props) => (
          <Button
            {...props}
            size="compact-xs"
            variant="default"
            loading={reading}
            title="of Chrome (JSON), Perfetto (binary) or ftrace (text)"
          >
            Open a trace
          </Button>
        )}
      </FileButton>
      {trace && (
        <Button size="compact-xs" variant="default" onClick={() => setTrace(null)}>
          Back to {name}
        </Button>
      )}
      <span className="bad" role="status">
        {refused}
      </span>
    </>
  );
  if (trace) return <Lanes events={trace.events} title={trace.file} actions={actions} />;
  return <OfDatabase name={name} actions={actions} />;
}

function OfDatabase({ name, actions }: { name: string; actions: React.ReactNode }) {
  const { route, setQuery } = useRoute();
  const path = useTargetPath();
  const target = useTarget();
  const hasLog = target.data?.target.kind === 'db';
  const source = ask('/targets/{t}/history', { path });
  const jobs = useRows(source, (page) => page.jobs);
  const logged = useRows(
    hasLog ? ask('/targets/{t}/events', { path }) : null,
    (page) => page.events,
  );
  const { samples } = useStatsLog(path.t);
  const clock =
    route.query.axis === 'time'
      ? 'utc'
      : route.query.axis === 'edit'
        ? 'edit'
        : usualClock(jobs.data?.rows ?? []);
  const events = useMemo(
    () =>
      eventsOf({ jobs: jobs.data?.rows ?? [], events: logged.data?.rows ?? [], samples }, clock),
    [jobs.data, logged.data, samples, clock],
  );
  return (
    <Shown
      of={both(target, jobs, hasLog ? logged : null)}
      what="reading MANIFEST and LOG"
      lines={8}
    >
      {() => (
        <Lanes
          events={events}
          title="Jobs in lanes"
          source={source}
          cli={varve('lsm history', [name])}
          actions={
            <>
              <NativeSelect
                size="xs"
                aria-label="axis"
                value={clock === 'utc' ? 'time' : 'edit'}
                onChange={(event) =>
                  setQuery({ axis: event.currentTarget.value, from: undefined, to: undefined })
                }
                data={[
                  { value: 'time', label: 'by time, UTC' },
                  { value: 'edit', label: 'by edit' },
                ]}
              />
              {actions}
            </>
          }
        />
      )}
    </Shown>
  );
}

// Once all of them are there; what is wrong with one of them is said as if it were all.
function both(...of: (Asking<unknown> | null)[]): Asking<unknown> {
  const asked = of.filter((one) => one !== null);
  const refetch = () => asked.forEach((one) => void one.refetch());
  const partial = asked.find(({ data }) => data !== undefined && problemIn(data) !== undefined);
  const data = asked.every((one) => one.data !== undefined)
    ? (partial ?? asked.at(-1))?.data
    : undefined;
  return { data, error: asked.find(({ error }) => error !== null)?.error ?? null, refetch };
}

interface LanesProps {
  events: Events;
  title: string;
  source?: Parameters<typeof Panel>[0]['source'];
  cli?: string;
  actions: React.ReactNode;
}

// From the link: bounds in the unit of the axis.
function spanOfLink(events: Events, from: string | undefined, to: string | undefined): Span {
  const length = events.to - events.from;
  const place = (text: string | undefined, otherwise: number) => {
    const at = text ? Number(text) : NaN;
    return Number.isFinite(at) ? (at - events.from) / length : otherwise;
  };
  return clampSpan(place(from, 0), place(to, 1), leastOf(events));
}

function Lanes({ events, title, source, cli, actions }: LanesProps) {
  const { route, setQuery } = useRoute();
  const { from, to, q: wanted = '', sel } = route.query;
  const handle = useRef<TimelineHandle>(null);
  const searched = useDeferredValue(wanted);
  const linked = useMemo(() => spanOfLink(events, from, to), [events, from, to]);
  const found = useMemo(() => {
    if (!searched) return null;
    const isIn = events.matches(searched);
    return events.tracks.map((track) => partOfTrack(track, (event) => isIn[event] === 1));
  }, [events, searched]);
  const drawn = found ?? events.tracks;
  const selected = useMemo(() => {
    if (!sel) return null;
    for (let event = 0; event < events.count; event += 1)
      if (events.idOf(event) === sel) return event;
    return null;
  }, [events, sel]);

  const onRest = useCallback(
    (span: Span) => {
      const whole = span.from <= 0 && span.to >= 1;
      const part = partOf(events, span);
      const digits = events.clock === 'utc' ? 0 : 3;
      setQuery({
        from: whole ? undefined : part.from.toFixed(digits),
        to: whole ? undefined : part.to.toFixed(digits),
      });
    },
    [events, setQuery],
  );
  const select = useCallback(
    (event: number) => setQuery({ sel: events.idOf(event) }),
    [events, setQuery],
  );
  // Brings what is chosen into sight.
  const visit = (event: number | null) => {
    const at = event === null ? null : placeOf(drawn, event);
    if (event === null || !at) return;
    select(event);
    const part = partOf(events, linked);
    if (at.from >= part.from && at.to <= part.to) return;
    const length = events.to - events.from;
    const middle = ((at.from + at.to) / 2 - events.from) / length;
    const wide = Math.max(linked.to - linked.from, (1.2 * (at.to - at.from)) / length);
    handle.current?.show(clampSpan(middle - wide / 2, middle + wide / 2, leastOf(events)));
  };
  useNeighbour((step) => visit(neighbourOf(drawn, selected, step)));

  const matching = found?.reduce((sum, track) => sum + track.event.length, 0);
  if (events.count === 0 && events.counters.length === 0)
    return (
      <Panel title={title} source={source} cli={cli} actions={actions}>
        <Empty>{events.leftOut.join('; ') || 'Nothing has happened to the tables yet.'}</Empty>
      </Panel>
    );
  return (
    <>
      <div className="with-detail">
        <Panel title={title} source={source} cli={cli} actions={actions}>
          <p className="toolbar">
            <TextInput
              size="xs"
              type="search"
              aria-label="find events"
              placeholder="find"
              data-filter
              value={wanted}
              onChange={(event) => setQuery({ q: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key === 'Enter')
                  visit(neighbourOf(drawn, selected, event.shiftKey ? -1 : 1));
              }}
            />
            {found && (
              <>
                <span role="status">
                  {count(matching ?? 0)} of {plural(events.count, 'event')}
                </span>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={matching === 0}
                  onClick={() => visit(neighbourOf(drawn, selected, -1))}
                >
                  Previous
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={matching === 0}
                  onClick={() => visit(neighbourOf(drawn, selected, 1))}
                >
                  Next
                </Button>
              </>
            )}
          </p>
          <TimelineCanvas
            events={events}
            found={found}
            linked={linked}
            onRest={onRest}
            selected={selected}
            onSelect={select}
            handle={handle}
          />
          <p className="legend">
            <span>
              A full box is one event. A pale column is several that begin there; its full part is
              the share of that time that they take. A counter is full up to the least of a column,
              pale up to the greatest; an arrow is a flow.
            </span>
            <span>drag pans · drag in the strip or Ctrl-wheel zooms · w a s d, arrows, + −, 0</span>
          </p>
          <FlowsSaid events={events} linked={linked} />
          {events.leftOut.length > 0 && (
            <p className="muted">Not drawn: {events.leftOut.join('; ')}.</p>
          )}
        </Panel>
        <EventDetail events={events} selected={selected} tracks={events.tracks} visit={visit} />
      </div>
      <DrawnTables
        events={events}
        drawn={drawn}
        linked={linked}
        sel={sel ?? null}
        onSelect={select}
      />
    </>
  );
}

// The next one in time, of all lanes: of those that begin at once, in the order of the lanes.
function neighbourOf(tracks: Track[], selected: number | null, step: 1 | -1): number | null {
  let own = -1;
  const at = tracks.findIndex(({ event }) => {
    own = selected === null ? -1 : event.indexOf(selected);
    return own >= 0;
  });
  const begins = at < 0 ? (step > 0 ? -Infinity : Infinity) : tracks[at]!.from[own]!;
  let best: { from: number; event: number } | null = null;
  tracks.forEach(({ from, event }, lane) => {
    const isLater = lane > at;
    for (
      let i = step > 0 ? 0 : from.length - 1;
      i >= 0 && i < from.length;
      i += step // In order: the first that is beyond is the nearest of its lane.
    ) {
      const beyond =
        lane === at
          ? step > 0
            ? i > own
            : i < own
          : step > 0
            ? from[i]! > begins || (from[i] === begins && isLater)
            : from[i]! < begins || (from[i] === begins && !isLater);
      if (!beyond) continue;
      const nearer = !best || (step > 0 ? from[i]! < best.from : from[i]! >= best.from);
      if (nearer) best = { from: from[i]!, event: event[i]! };
      break;
    }
  });
  return (best as { event: number } | null)?.event ?? null;
}

// How many arrows there are in what is shown, if it cannot be seen.
function FlowsSaid({ events, linked }: { events: Events; linked: Span }) {
  const { flows } = events;
  const part = partOf(events, linked);
  const all = flows.from.length;
  const { places, tooMany } = flowsWithin(flows, part.from, part.to, kArrowsMost);
  if (all === 0) return null;
  return (
    <p className="muted">
      {tooMany
        ? `More than ${count(kArrowsMost)} flows begin or end here: zoom in, or choose an event to see its own.`
        : `${count(places.length)} of ${plural(all, 'flow')} ${places.length === 1 ? 'begins or ends' : 'begin or end'} in what is shown.`}
    </p>
  );
}
