// SPDX-License-Identifier: Apache-2.0
// What Perfetto's tracks are called, and whose they are: protos/perfetto/trace/track_event/track_descriptor.proto
import { Message, type Part } from './protobuf';
import type { Named } from './told';

interface Track {
  name?: string;
  pid?: number; // Of its process or of that of its thread.
  process?: string;
  thread?: string;
  parent?: string;
  isSum: boolean; // A counter whose values are differences.
  times: number; // What its values are multiplied by.
}

const kParentsMost = 16; // A parent may be its own child.

export class PerfettoTracks {
  private readonly tracks = new Map<string, Track>();
  private readonly processes = new Map<number, string>();

  describe(part: Part): void {
    const message = new Message(part);
    let id = '0';
    const track: Track = { isSum: false, times: 1 };
    while (message.next()) {
      const { field } = message;
      if (field === 1) id = String(message.id());
      else if (field === 5) track.parent = String(message.id());
      else if (!message.isBytes) continue;
      else if (field === 2 || field === 10 || field === 13) track.name = message.text();
      else if (field === 3) this.process(track, message.bytes());
      else if (field === 4) this.thread(track, message.bytes());
      else if (field === 8) this.counter(track, message.bytes());
    }
    // A later descriptor adds to what is known.
    const before = this.tracks.get(id);
    this.tracks.set(id, { ...before, ...track });
    if (track.pid !== undefined && track.process) this.processes.set(track.pid, track.process);
  }

  private process(track: Track, part: Part) {
    const message = new Message(part);
    while (message.next()) {
      if (message.field === 1) track.pid = message.signed();
      else if (message.field === 6) track.process = message.text();
    }
    track.process ??= `process ${track.pid ?? ''}`;
  }

  private thread(track: Track, part: Part) {
    const message = new Message(part);
    let tid = 0;
    while (message.next()) {
      if (message.field === 1) track.pid = message.signed();
      else if (message.field === 2) tid = message.signed();
      else if (message.field === 5) track.thread = message.text();
    }
    track.thread ??= `thread ${tid}`;
  }

  private counter(track: Track, part: Part) {
    const message = new Message(part);
    while (message.next()) {
      if (message.field === 4) track.times = message.signed() || 1;
      else if (message.field === 5) track.isSum = message.number() !== 0;
    }
  }

  counterOf(id: number | string): { isSum: boolean; times: number } {
    return this.tracks.get(String(id)) ?? { isSum: false, times: 1 };
  }

  processName(pid: string): string | undefined {
    return this.processes.get(Number(pid));
  }

  named(row: string): Named {
    const own = this.tracks.get(row);
    const name = own?.name ?? own?.thread ?? (own?.process ? 'process' : `track ${row}`);
    let pid: number | undefined;
    let group: string | undefined;
    let at = own;
    for (let i = 0; at && i < kParentsMost; i += 1) {
      pid ??= at.pid;
      group ??= at.process;
      at = at.parent === undefined ? undefined : this.tracks.get(at.parent);
    }
    group = (pid === undefined ? undefined : this.processes.get(pid)) ?? group;
    return { group: group ?? (pid === undefined ? 'trace' : `process ${pid}`), name };
  }
}
