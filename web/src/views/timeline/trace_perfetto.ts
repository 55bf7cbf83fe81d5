// SPDX-License-Identifier: Apache-2.0
// A trace of Perfetto: track events with their descriptors, interned names, clocks, counters and flows; samples
// of call stacks; and what the kernel told (perfetto_kernel.ts).
// Numbers of fields are those of https://github.com/google/perfetto/tree/main/protos/perfetto/trace:
// trace_packet.proto, track_event/*.proto, interned_data.proto, clock_snapshot.proto, profiling/*.proto. What
// other data sources tell, like heap profiles, is left out, and counted.
import type { Events } from './events';
import type { Inflate } from './inflate';
import { PerfettoClocks } from './perfetto_clocks';
import { PerfettoKernel } from './perfetto_kernel';
import { PerfettoStacks } from './perfetto_stacks';
import { PerfettoTracks } from './perfetto_tracks';
import { Message, type Part } from './protobuf';
import { Told, type Named } from './told';

const kPacket = {
  events: 11,
  clocks: 6,
  descriptor: 60,
  interned: 12,
  defaults: 59,
  deflated: 50,
  ftrace: 1,
  processes: 2,
  system: 7,
  memory: 9,
  sample: 66,
  samples: 54,
};
const kKnown = new Set(Object.values(kPacket));
const kCleared = 1; // Of sequence_flags: what was interned until then is forgotten.
const kSlice = { begin: 1, end: 2, instant: 3, counter: 4 };

type Id = number | string;

// Of one writer: what its packets refer to by numbers.
interface Sequence {
  id: number;
  names: Map<Id, string>;
  categories: Map<Id, string>;
  annotations: Map<Id, string>;
  stacks: PerfettoStacks;
  clock?: number;
  track?: Id;
  extras: Id[];
  extraDoubles: Id[];
  sums: Map<Id, number>; // Of counters whose values are differences.
}

const newSequence = (id: number): Sequence => ({
  id,
  names: new Map(),
  categories: new Map(),
  annotations: new Map(),
  stacks: new PerfettoStacks(),
  extras: [],
  extraDoubles: [],
  sums: new Map(),
});

// What is said of an event only if somebody asks.
class Raw {
  constructor(
    readonly of: Part,
    readonly annotations: Map<Id, string>,
    readonly categories: string[],
  ) {}
}

class Sample {
  constructor(
    readonly stacks: PerfettoStacks,
    readonly id: Id,
  ) {}
}

const kPacketsMost = 20_000_000;
const kCategoriesMost = 16; // Of one event.

function* packetsOf(bytes: Uint8Array, told: Told): Generator<Part> {
  const trace = new Message({ bytes, begin: 0, end: bytes.length });
  let whole = 0;
  try {
    for (let count = 0; trace.next(); whole = trace.place) {
      count += 1;
      if (count > kPacketsMost) {
        told.leaveOut(`bytes after ${kPacketsMost} packets`, bytes.length - whole);
        return;
      }
      if (trace.field !== 1 || !trace.isBytes) continue;
      const packet = trace.bytes();
      if (packet.end > packet.begin) yield packet;
    }
  } catch {
    told.leaveOut('bytes at the end, which are cut or damaged', bytes.length - whole);
  }
}

class PerfettoReader {
  private readonly sequences = new Map<number, Sequence>();
  private readonly clocks = new PerfettoClocks();
  private readonly tracks = new PerfettoTracks();
  private readonly kernel: PerfettoKernel;

  constructor(
    private readonly told: Told,
    private readonly inflate: Inflate,
  ) {
    this.kernel = new PerfettoKernel(told, (process) => this.tracks.processName(process));
  }

  async read(bytes: Uint8Array): Promise<Events> {
    for (const packet of packetsOf(bytes, this.told)) {
      const deflated = this.take(packet);
      if (deflated) await this.takeDeflated(deflated);
    }
    this.told.shift(this.clocks.since1970 ?? 0);
    return this.told.events(
      (row) => this.named(row),
      (raw) =>
        raw instanceof Raw
          ? describe(raw)
          : raw instanceof Sample
            ? raw.stacks.of(raw.id).map((name, i) => [i === 0 ? 'function' : 'called by', name])
            : [],
    );
  }

  // Rows of tracks are numbers.
  private named(row: string): Named {
    if (!/^[a-z]/.test(row)) return this.tracks.named(row);
    const [kind = '', of = ''] = row.split(' ');
    return kind === 'samples'
      ? { group: 'samples', name: `of writer ${of}` }
      : this.kernel.named(row);
  }

  // One level: packets within compressed ones are not compressed.
  private async takeDeflated({ bytes, begin, end }: Part) {
    try {
      const inflated = await this.inflate.bytes(bytes.slice(begin, end), 'deflate');
      for (const packet of packetsOf(inflated, this.told))
        if (this.take(packet)) this.told.leaveOut('packets compressed twice');
    } catch {
      this.told.leaveOut('groups of packets that cannot be decompressed');
    }
  }

  private take(packet: Part): Part | null {
    try {
      return this.takeWhole(packet);
    } catch {
      this.told.leaveOut('packets that are damaged');
      return null;
    }
  }

  // Returns what is to be decompressed.
  private takeWhole(packet: Part): Part | null {
    const message = new Message(packet);
    const parts: Partial<Record<number, Part>> = {};
    let [time, clock, sequence, flags]: (number | undefined)[] = [];
    let others = 0;
    while (message.next()) {
      const { field } = message;
      if (field === 8) time = message.number();
      else if (field === 58) clock = message.number();
      else if (field === 10) sequence = message.number();
      else if (field === 13) flags = message.number();
      else if (field === 41 && message.number() !== 0) flags = (flags ?? 0) | kCleared;
      else if (!message.isBytes) continue;
      else if (kKnown.has(field)) parts[field] = message.bytes();
      else others += 1;
    }
    let of = this.sequences.get(sequence ?? 0);
    if (!of || ((flags ?? 0) & kCleared) !== 0) {
      of = newSequence(sequence ?? 0);
      this.sequences.set(of.id, of);
    }
    const { [kPacket.clocks]: clocks, [kPacket.descriptor]: descriptor } = parts;
    const { [kPacket.interned]: interned, [kPacket.defaults]: defaults } = parts;
    if (interned) intern(of, interned);
    if (defaults) setDefaults(of, defaults);
    if (clocks) this.clocks.snapshot(of.id, clocks);
    if (descriptor) this.tracks.describe(descriptor);
    const event = parts[kPacket.events];
    const at = time === undefined ? NaN : this.clocks.micros(of.id, clock ?? of.clock, time);
    if (event) this.takeEvent(of, event, at);
    else if (this.takeOther(of, parts, at)) {
      // It was told.
    } else if (time !== undefined && others > 0 && Object.keys(parts).length === 0)
      this.told.leaveOut('packets of other kinds than track events', others);
    return parts[kPacket.deflated] ?? null;
  }

  private takeOther(of: Sequence, parts: Partial<Record<number, Part>>, at: number): boolean {
    const { ftrace, processes, system, memory, sample, samples } = kPacket;
    const { [ftrace]: bundle, [processes]: tree, [system]: stats, [memory]: sizes } = parts;
    const { [sample]: one, [samples]: many } = parts;
    if (bundle) this.kernel.ftrace(bundle);
    else if (tree) this.kernel.processTree(tree);
    else if (stats) this.kernel.sysStats(stats, at);
    else if (sizes) this.kernel.processStats(sizes, at);
    else if (one) this.takeSample(of, one, at);
    else if (many) this.takeSamples(of, many, at);
    else return false;
    return true;
  }

  private takeSample(of: Sequence, part: Part, at: number) {
    const message = new Message(part);
    let [task, stack]: [Id, Id | undefined] = [0, undefined];
    while (message.next()) {
      if (message.field === 3) task = message.id();
      else if (message.field === 4) stack = message.id();
    }
    if (stack === undefined) this.told.leaveOut('samples without a stack');
    else this.sampled(of, `task ${task}`, stack, at);
  }

  private takeSamples(of: Sequence, part: Part, from: number) {
    const message = new Message(part);
    const [stacks, deltas]: [Id[], number[]] = [[], []];
    while (message.next()) {
      if (message.field === 1) for (const id of message.ids()) stacks.push(id);
      else if (message.field === 2) for (const by of message.signeds()) deltas.push(by);
    }
    let at = from;
    stacks.forEach((stack, i) => {
      at += deltas[i] ?? 0;
      this.sampled(of, `samples ${of.id}`, stack, at);
    });
  }

  private sampled({ stacks }: Sequence, row: string, stack: Id, at: number) {
    this.told.span(row, at, at, stacks.of(stack)[0] ?? 'sample', new Sample(stacks, stack));
  }

  private takeEvent(sequence: Sequence, part: Part, time: number) {
    const message = new Message(part);
    let [at, type, track, name]: [number, number, Id | undefined, string | undefined] = [
      time,
      0,
      sequence.track,
      undefined,
    ];
    let value: Message | null = null;
    let double = NaN;
    let integer = NaN;
    let legacy: Part | null = null;
    const categories: string[] = [];
    const [extras, extraDoubles]: [Id[], Id[]] = [[], []];
    const [values, doubles]: [number[], number[]] = [[], []];
    const [flows, lastFlows]: [Id[], Id[]] = [[], []];
    while (message.next()) {
      const { field } = message;
      value = message;
      if (field === 9) type = value.number();
      else if (field === 11) track = value.id();
      else if (field === 10) name = sequence.names.get(value.id()) ?? `name ${value.id()}`;
      else if (field === 23) name = value.text();
      else if (field === 3)
        for (const id of value.ids()) {
          if (categories.length >= kCategoriesMost) break;
          categories.push(sequence.categories.get(id) ?? String(id));
        }
      else if (field === 22 && categories.length < kCategoriesMost) categories.push(value.text());
      else if (field === 30) integer = value.signed();
      else if (field === 44) double = value.double();
      else if (field === 31) extras.push(...value.ids());
      else if (field === 45) extraDoubles.push(...value.ids());
      else if (field === 12) values.push(...value.signeds());
      else if (field === 46) doubles.push(...value.fixed((of) => of.double()));
      else if (field === 47) flows.push(...value.fixed((of) => of.id()));
      else if (field === 48) lastFlows.push(...value.fixed((of) => of.id()));
      else if (field === 36) flows.push(...value.ids());
      else if (field === 42) lastFlows.push(...value.ids());
      else if (field === 16) at = value.signed();
      else if (field === 6) legacy = value.bytes();
    }
    const row = String(track ?? 0);
    const raw = new Raw(part, sequence.annotations, categories);
    const { phase, takes } = legacy ? legacyOf(legacy) : { phase: '', takes: 0 };
    let event = -1;
    if (!Number.isFinite(at)) this.told.leaveOut('track events without a time');
    else if (type === kSlice.begin || phase === 'B')
      event = this.told.begin(row, row, at, name ?? '', raw);
    else if (type === kSlice.end || phase === 'E') this.told.end(row, at);
    else if (type === kSlice.instant || phase === 'i' || phase === 'I')
      event = this.told.span(row, at, at, name ?? '', raw);
    else if (phase === 'X') event = this.told.span(row, at, at + takes, name ?? '', raw);
    else if (type === kSlice.counter)
      this.count(sequence, track ?? 0, at, Number.isNaN(double) ? integer : double);
    else this.told.leaveOut(`track events of type ${type || `"${phase}"`}, which are not drawn`);
    const of = extras.length > 0 ? extras : sequence.extras;
    const ofDoubles = extraDoubles.length > 0 ? extraDoubles : sequence.extraDoubles;
    values.forEach((one, i) => this.count(sequence, of[i], at, one));
    doubles.forEach((one, i) => this.count(sequence, ofDoubles[i], at, one));
    for (const id of flows) this.told.flowAt(event, id, 'passes');
    for (const id of lastFlows) this.told.flowAt(event, id, 'ends');
  }

  private count(sequence: Sequence, track: Id | undefined, at: number, value: number) {
    if (track === undefined) return;
    const { isSum, times } = this.tracks.counterOf(track);
    const sum = isSum ? (sequence.sums.get(track) ?? 0) + value : value;
    if (isSum) sequence.sums.set(track, sum);
    this.told.count(String(track), this.tracks.named(String(track)), at, sum * times);
  }
}

function intern(into: Sequence, part: Part) {
  const tables: Partial<Record<number, Map<Id, string>>> = {
    1: into.categories,
    2: into.names,
    3: into.annotations,
  };
  const data = new Message(part);
  while (data.next()) {
    if (!data.isBytes) continue;
    into.stacks.intern(data.field, data.bytes());
    const table = tables[data.field];
    if (!table) continue;
    const entry = new Message(data.bytes());
    let [id, text]: [Id, string] = [0, ''];
    while (entry.next()) {
      if (entry.field === 1) id = entry.id();
      else if (entry.field === 2) text = entry.text();
    }
    table.set(id, text);
  }
}

function setDefaults(of: Sequence, part: Part) {
  const defaults = new Message(part);
  while (defaults.next()) {
    if (defaults.field === 58) of.clock = defaults.number();
    if (defaults.field !== 11 || !defaults.isBytes) continue;
    const event = new Message(defaults.bytes());
    [of.extras, of.extraDoubles] = [[], []];
    while (event.next()) {
      if (event.field === 11) of.track = event.id();
      else if (event.field === 31) of.extras.push(...event.ids());
      else if (event.field === 45) of.extraDoubles.push(...event.ids());
    }
  }
}

// Of events as Chrome wrote them before there were types.
function legacyOf(part: Part): { phase: string; takes: number } {
  const message = new Message(part);
  let [phase, takes] = ['', 0];
  while (message.next()) {
    if (message.field === 2) phase = String.fromCharCode(message.number() & 0xff);
    else if (message.field === 3) takes = Math.max(0, message.signed());
  }
  return { phase, takes };
}

function describe({ of, annotations, categories }: Raw): [string, string][] {
  const facts: [string, string][] = categories.map((one) => ['category', one]);
  const message = new Message(of);
  while (message.next()) {
    if (message.field !== 4 || !message.isBytes) continue;
    const annotation = new Message(message.bytes());
    let [name, value] = ['', ''];
    while (annotation.next()) {
      const { field } = annotation;
      if (field === 1) name = annotations.get(annotation.id()) ?? `${annotation.id()}`;
      else if (field === 10) name = annotation.text();
      else if (field === 2) value = annotation.number() === 0 ? 'false' : 'true';
      else if (field === 3 || field === 7) value = String(annotation.id());
      else if (field === 4) value = String(annotation.signed());
      else if (field === 5) value = String(annotation.double());
      else if (field === 6 || field === 9) value = annotation.text();
      else value = '…'; // A list, or a group of others.
    }
    facts.push([name, value]);
  }
  return facts;
}

export const eventsOfPerfetto = (bytes: Uint8Array, inflate: Inflate): Promise<Events> =>
  new PerfettoReader(new Told(), inflate).read(bytes);
