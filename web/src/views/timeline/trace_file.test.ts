// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Events } from './events';
import { kPerfettoTrace } from './perfetto.fixture';
import { eventsOfTrace } from './trace_file';

const read = (of: string | Uint8Array<ArrayBuffer>) => eventsOfTrace(new Blob([of]));
const json = (...events: unknown[]) => read(JSON.stringify(events));
const perfetto = Uint8Array.from(Buffer.from(kPerfettoTrace, 'base64'));

const lanesOf = ({ tracks, nameOf }: Events) =>
  tracks.map(({ group, name, event, from, to }) => [
    group,
    name,
    ...Array.from(event, (number, i) => [nameOf(number), from[i], to[i]]),
  ]);
const countersOf = ({ counters }: Events) =>
  counters.map(({ group, name, at, values }) => [group, name, [...at], [...values]]);
const flowsOf = ({ flows, nameOf }: Events) =>
  Array.from(flows.from, (from, i) => `${nameOf(from)} → ${nameOf(flows.to[i]!)}`);

describe('JSON', () => {
  it('has counters, a series for each argument', async () => {
    const events = await json(
      { ph: 'M', name: 'process_name', pid: 1, args: { name: 'engine' } },
      { ph: 'C', name: 'queue', pid: 1, ts: 30, args: { length: 2 } },
      { ph: 'C', name: 'queue', pid: 1, ts: 10, args: { length: '7' } },
      { ph: 'C', name: 'io', pid: 1, ts: 10, args: { read: 1, written: -2 } },
      { ph: 'C', name: 'io', pid: 1, ts: 20, args: { read: 'many', written: null } },
    );
    expect(countersOf(events)).toEqual([
      ['engine', 'queue', [10, 30], [7, 2]],
      ['engine', 'io: read', [10], [1]],
      ['engine', 'io: written', [10], [-2]],
    ]);
    expect(events.leftOut).toEqual(['2 values of counters that cannot be drawn']);
  });

  it('has flows: at the event around, at the next one, by steps, and of bound ids', async () => {
    const at = (ph: string, tid: number, ts: number, more: object) => ({
      ph,
      tid,
      ts,
      pid: 1,
      ...more,
    });
    const flow = { id: 5, cat: 'c', name: 'f' };
    const events = await json(
      at('f', 3, 70, flow), // In no order.
      at('X', 1, 0, { dur: 20, name: 'outer' }),
      at('X', 1, 5, { dur: 10, name: 'inner' }),
      at('s', 1, 7, flow),
      at('t', 2, 31, flow),
      at('X', 2, 30, { dur: 10, name: 'step' }),
      at('X', 3, 60, { dur: 5, name: 'before' }),
      at('X', 3, 80, { dur: 5, name: 'next' }),
      at('f', 2, 35, { ...flow, bp: 'e', id: 6 }), // It has no beginning.
      at('X', 1, 90, { dur: 1, name: 'out', bind_id: '0x1', flow_out: true }),
      at('X', 2, 91, { dur: 1, name: 'in', bind_id: '0x1', flow_in: true }),
      at('X', 3, 92, { dur: 1, name: 'in too', bind_id: '0x1', flow_in: true }),
    );
    expect(flowsOf(events)).toEqual(['inner → step', 'step → next', 'out → in', 'out → in too']);
  });

  it('has what is begun and ended beside threads, and what has no end', async () => {
    const events = await json(
      { ph: 'e', id: 1, cat: 'c', name: 'request', pid: 1, ts: 9 },
      { ph: 'b', id: 1, cat: 'c', name: 'request', pid: 1, ts: 1 },
      { ph: 'b', id: 2, cat: 'c', name: 'request', pid: 1, ts: 2 },
      { ph: 'E', pid: 1, tid: 1, ts: 3 },
    );
    expect(lanesOf(events)).toEqual([
      ['process 1', 'request', ['request', 1, 9]],
      ['process 1', 'request (2)', ['request', 2, 2]],
    ]);
    expect(events.leftOut.sort()).toEqual([
      '1 ends of what has no beginning',
      '1 ends: what has none is drawn as a point',
    ]);
  });
});

describe('a trace of Perfetto, by its own encoder', () => {
  // Of what programs told by track events.
  const kTracks = ['writer', 'writer (2)', 'background', 'queue', 'sum', 'track 9'];
  const isOfTracks = ([, name]: unknown[]) => kTracks.includes(name as string);
  const kAt = 1_795_846_241_000_000; // Microseconds: when it begins.

  it('has tracks, interned names, clocks, compressed packets, counters and flows', async () => {
    for (const bytes of [perfetto, Uint8Array.from(gzipSync(perfetto))]) {
      const events = await read(bytes);
      expect(events.clock).toBe('utc');
      expect(lanesOf(events).filter(isOfTracks)).toEqual([
        ['engine', 'writer', ['put', kAt + 1000, kAt + 5000]],
        ['engine', 'writer (2)', ['log', kAt + 2000, kAt + 3000], ['now', kAt + 4000, kAt + 4000]],
        ['engine', 'background', ['flush', kAt + 4000, kAt + 7000]],
      ]);
      expect(countersOf(events).filter(isOfTracks)).toEqual([
        ['engine', 'queue', [kAt + 1000, kAt + 3000], [3000, 5000]],
        ['engine', 'sum', [kAt + 1000, kAt + 2000], [10, 6]],
        ['trace', 'track 9', [kAt + 4000], [0.5]],
      ]);
      expect(flowsOf(events)).toEqual(['log → flush']);
      expect(events.leftOut.sort()).toEqual([
        '1 kernel events of kinds that are not drawn',
        '1 packets of other kinds than track events',
      ]);
      expect(events.factsOf(events.tracks[0]!.event[0]!)).toEqual([
        ['category', 'write'],
        ['bytes', '-7'],
      ]);
    }
  });

  it('has what the kernel told, and samples of stacks', async () => {
    const events = await read(perfetto);
    expect(lanesOf(events).filter((lane) => !isOfTracks(lane))).toEqual([
      [
        'engine',
        'writer (43)',
        ['fsync', kAt + 1000, kAt + 2000],
        ['memcmp', kAt + 2000, kAt + 2000],
      ],
      [
        'processors',
        'cpu 1',
        ['writer (43)', kAt + 1000, kAt + 3000],
        ['writer (43)', kAt + 4000, kAt + 6000],
      ],
      ['processors', 'irq, cpu 1', ['nvme0q1', kAt + 3000, kAt + 4000]],
      [
        'samples',
        'of writer 7',
        ['memcmp', kAt + 2000, kAt + 2000],
        ['frame 99', kAt + 3500, kAt + 3500],
      ],
    ]);
    expect(countersOf(events).filter((counter) => !isOfTracks(counter))).toEqual([
      ['engine', 'dirty', [kAt + 2000], [7]],
      ['system', 'frequency, cpu 1, kHz', [kAt + 1000], [2_400_000]],
      ['system', 'idle state, cpu 1', [kAt + 3000, kAt + 4000], [3, 0]],
      ['engine', 'resident memory, kB', [kAt + 1000], [1000]],
      ['system', 'memory, available, kB', [kAt + 1000], [640_000]],
    ]);
    const track = events.tracks.find(({ name }) => name === 'writer (43)')!;
    expect(events.factsOf(track.event.at(-1)!)).toEqual([
      ['function', 'memcmp'],
      ['called by', 'Get'],
      ['called by', 'main'],
    ]);
  });

  it('is read as far as it is whole, wherever it is cut, and whatever byte is another', async () => {
    for (let size = 1; size < perfetto.length; size += 1)
      await read(perfetto.slice(0, size)).catch((error: unknown) => {
        expect(String(error)).toMatch(/no events with a time|neither JSON/);
      });
    for (let at = 0; at < perfetto.length; at += 1) {
      const damaged = perfetto.slice();
      damaged[at]! ^= 1 << (at % 8);
      await read(damaged)
        .then((events) => {
          for (let event = 0; event < events.count; event += 1) events.factsOf(event);
        })
        .catch((error: unknown) => {
          expect(String(error)).toMatch(/^Error: /); // What is wrong with it; no RangeError.
        });
    }
  }, 30_000);
});

describe('the text of ftrace', () => {
  it('has what processors run, and what programs wrote into the marker', async () => {
    const events = await read(
      [
        '# tracer: nop',
        '   writer-43  (   42) [001] ...1  10.000100: tracing_mark_write: B|42|put',
        '   writer-43  (   42) [001] ...1  10.000150: tracing_mark_write: C|42|queue|8',
        '   writer-43  (   42) [001] ...1  10.000300: tracing_mark_write: E|42',
        '   writer-43 [001] d..2 10.000400: sched_switch: prev_comm=writer prev_pid=43 ==> next_comm=a b next_pid=9 next_prio=1',
        '   a b-9 [001] d..2 10.000700: sched_switch: prev_comm=a b prev_pid=9 ==> next_comm=swapper next_pid=0 next_prio=1',
        '   a b-9 [001] d..2 10.000800: irq_handler_entry: irq=1',
        `${' '.repeat(100_000)}x`,
      ].join('\n'),
    );
    const micros = (at: number) => expect.closeTo(10_000_000 + at, 3);
    expect(lanesOf(events)).toEqual([
      ['process 42', 'writer (43)', ['put', micros(100), micros(300)]],
      ['processors', 'cpu 1', ['a b (9)', micros(400), micros(700)]],
    ]);
    expect(countersOf(events)).toEqual([['process 42', 'queue', [micros(150)], [8]]]);
    expect(events.leftOut).toEqual([
      '1 events irq_handler_entry, which are not drawn',
      '1 lines of more than 1000 letters',
    ]);
  });
});

// What is made to cost more than its size.
describe('a hostile trace', () => {
  it('has times and values that no axis has', async () => {
    const x = { ph: 'X', pid: 1, tid: 1, name: 'x' };
    const events = await read(
      `[{"ph":"X","pid":1,"tid":1,"ts":1e300,"dur":1},{"ph":"X","pid":1,"tid":1,"ts":5,"dur":1e308},
        {"ph":"C","pid":1,"ts":1,"name":"n","args":{"a":1e308,"b":-1e308}},
        {"ph":"C","pid":1,"ts":2,"name":"n","args":{"a":-1e308}},${JSON.stringify({ ...x, ts: 7 })}]`,
    );
    expect(events.count).toBe(1);
    expect(events.to).toBeLessThan(10);
    expect(events.leftOut).toEqual(['2 events at a time that cannot be drawn']);
  });

  it('has other things where numbers belong: what is beside them is read', async () => {
    const x = { ph: 'X', pid: 1, tid: 1, ts: 3, dur: 1, name: 'x' };
    const odd = { toString: 1, valueOf: 1 };
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const events = await read(
      `[${JSON.stringify(x)},${JSON.stringify({ ...x, ts: odd })},${JSON.stringify({ ...x, ts: 4, dur: odd })},
        ${JSON.stringify({ ph: 'C', pid: 1, ts: 5, name: 'n', args: { a: odd } })},
        {"ph":"toString","ts":6},{"ph":"X","ts":${deep}},
        {"ph":"i","pid":1,"tid":1,"ts":9,"name":"deep","args":{"a":${deep},"b":"${'b'.repeat(20_000)}"}}]`,
    );
    expect(events.count).toBe(3);
    expect(events.leftOut.join()).toContain('2 events without a time');
    expect(events.leftOut.join()).toContain('of phase "toString"');
    const facts = new Map(events.factsOf(2));
    expect(facts.get('a')).toBe('nested too deeply to be shown');
    expect(facts.get('b')).toHaveLength(10_001);
  });

  it('has packets without anything, by the million', async () => {
    const empty = Uint8Array.from({ length: 2 * 3_000_000 }, (_, i) => (i % 2 === 0 ? 0x0a : 0));
    const began = performance.now();
    await expect(read(empty)).rejects.toThrow('no events');
    expect(performance.now() - began).toBeLessThan(5_000);
  }, 30_000);

  it('has a lane, a counter and a flow for each event', async () => {
    const n = 20_000;
    const events = await json(
      ...Array.from({ length: n }, (_, i) => [
        {
          ph: 'X',
          pid: i,
          tid: i,
          ts: i,
          dur: 5,
          name: 'x',
          bind_id: 1,
          flow_in: true,
          flow_out: true,
        },
        { ph: 'C', pid: i, ts: i, name: 'n', args: { value: i } },
      ]).flat(),
    );
    expect(events.tracks.length).toBeLessThanOrEqual(400);
    expect(events.counters.length).toBeLessThanOrEqual(200);
    expect(events.leftOut.join()).toContain('of more than 400 lanes');
    expect(events.leftOut.join()).toContain('values of counters: there are too many');
  });

  it('has many events at once, in no order, within each other', async () => {
    const n = 200_000;
    const lines = Array.from({ length: n }, (_, i) => {
      const ts = (i * 7919) % n;
      return `{"ph":"X","pid":1,"tid":1,"name":"x","ts":${ts},"dur":${2 * (n - ts)}}`;
    });
    const began = performance.now();
    const events = await read(`[${lines.join(',')}]`);
    expect(events.count).toBe(n);
    expect(events.tracks.length).toBeLessThanOrEqual(400);
    expect(performance.now() - began).toBeLessThan(20_000);
  }, 30_000);

  it('is compressed a thousandfold, or says lengths that it does not have', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 20, 0x20));
    await expect(read(Uint8Array.from(bomb))).rejects.toThrow('neither JSON');
    // A packet whose event has a name of 2^63 bytes, and one that is within itself without end.
    const huge = [0x0a, 0x0c, 0x5a, 0x0a, 0xba, 1, 255, 255, 255, 255, 255, 255, 255, 127];
    await expect(read(Uint8Array.from(huge))).rejects.toThrow('no events');
    let nested: number[] = [];
    for (let i = 0; i < 60; i += 1) nested = [0x0a, nested.length, ...nested];
    await expect(read(Uint8Array.from(nested))).rejects.toThrow('no events');
  });
});
