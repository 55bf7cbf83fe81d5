// SPDX-License-Identifier: Apache-2.0
// Times of Perfetto's clocks on one axis, that of CLOCK_BOOTTIME. A snapshot says what several clocks showed at one moment:
// protos/perfetto/trace/clock_snapshot.proto
import { Message, type Part } from './protobuf';

const kRealtime = 1;
const kBoottime = 6;

interface Clock {
  nanos: number; // Of one unit.
  ahead: number; // What is to be added to its nanoseconds.
  last: number | null; // In nanoseconds, if each time is a difference from the one before.
}

export class PerfettoClocks {
  private readonly clocks = new Map<string, Clock>([
    [String(kBoottime), { nanos: 1, ahead: 0, last: null }],
  ]);
  since1970: number | null = null; // Microseconds, of the beginning of the axis.

  // Clocks 64 to 127 belong to the writer.
  private key(sequence: number, id: number): string {
    return id >= 64 && id < 128 ? `${sequence}/${id}` : String(id);
  }

  snapshot(sequence: number, part: Part): void {
    const shown: { id: number; at: number; nanos: number; isDelta: boolean }[] = [];
    const snapshot = new Message(part);
    while (snapshot.next()) {
      if (snapshot.field !== 1 || !snapshot.isBytes) continue;
      const clock = new Message(snapshot.bytes());
      const one = { id: 0, at: 0, nanos: 1, isDelta: false };
      while (clock.next()) {
        if (clock.field === 1) one.id = clock.number();
        else if (clock.field === 2) one.at = clock.number();
        else if (clock.field === 3) one.isDelta = clock.number() !== 0;
        else if (clock.field === 4) one.nanos = clock.number() || 1;
      }
      shown.push(one);
    }
    // The axis, by a clock whose place on it is known.
    const known =
      shown.find(({ id }) => id === kBoottime) ??
      shown.find(({ id }) => this.clocks.has(this.key(sequence, id)));
    const from = known && this.clocks.get(this.key(sequence, known.id));
    const now = known && from ? known.at * from.nanos + from.ahead : (shown[0]?.at ?? 0);
    for (const { id, at, nanos, isDelta } of shown) {
      if (id === kBoottime) continue;
      const own = at * nanos;
      this.clocks.set(this.key(sequence, id), {
        nanos,
        ahead: now - own,
        last: isDelta ? own : null,
      });
      if (id === kRealtime) this.since1970 ??= (own - now) / 1000;
    }
  }

  // Microseconds on the axis. What no snapshot tells of is taken as it is.
  micros(sequence: number, id: number | undefined, time: number): number {
    const clock = this.clocks.get(this.key(sequence, id ?? kBoottime));
    if (!clock) return time / 1000;
    let nanos = time * clock.nanos;
    if (clock.last !== null) {
      nanos += clock.last;
      clock.last = nanos;
    }
    return (nanos + clock.ahead) / 1000;
  }
}
