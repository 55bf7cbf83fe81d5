// SPDX-License-Identifier: Apache-2.0
// Call stacks of a trace of Perfetto, which samples refer to by numbers:
// protos/perfetto/trace/interned_data/interned_data.proto, profiling/profile_common.proto
import { Message, type Part } from './protobuf';

type Id = number | string;

const kFramesMost = 200; // Of one stack.

export class PerfettoStacks {
  private readonly functions = new Map<Id, string>();
  private readonly frames = new Map<Id, Id>(); // Their functions.
  private readonly stacks = new Map<Id, Id[]>(); // Frames, the outermost first.

  // A field of InternedData; others are none of its own.
  intern(field: number, part: Part): void {
    if (field !== 5 && field !== 6 && field !== 7) return;
    const message = new Message(part);
    let id: Id = 0;
    let text = '';
    const refers: Id[] = [];
    while (message.next()) {
      if (message.field === 1) id = message.id();
      else if (message.field === 2 && field === 5) text = message.text();
      else if (message.field === 2) for (const one of message.ids()) refers.push(one);
    }
    if (field === 5) this.functions.set(id, text);
    else if (field === 6) this.frames.set(id, refers[0] ?? 0);
    else this.stacks.set(id, refers.slice(-kFramesMost));
  }

  // Names of functions, the innermost first.
  of(stack: Id): string[] {
    const frames = this.stacks.get(stack) ?? [];
    return frames
      .map((frame) => this.functions.get(this.frames.get(frame) ?? '') ?? `frame ${frame}`)
      .reverse();
  }
}
