// SPDX-License-Identifier: Apache-2.0
// What the kernel's data sources put into a trace of Perfetto: events of ftrace (scheduling, also in its compact
// form, markers, interrupts, frequencies), trees of processes, memory of processes and of the system.
// Numbers of fields: protos/perfetto/trace/ftrace/*.proto, ps/*.proto, sys_stats/sys_stats.proto
import { Kernel } from './kernel';
import { Message, type Part } from './protobuf';
import type { Told } from './told';

const kMeminfo: Partial<Record<number, string>> = {
  2: 'free',
  3: 'available',
  5: 'cached',
  16: 'swap, free',
  17: 'dirty',
  18: 'being written back',
  19: 'anonymous pages',
};
const kProcessMemory: Partial<Record<number, string>> = {
  3: 'resident memory',
  4: 'anonymous memory',
  7: 'swapped memory',
};
const kIdle = 4_294_967_295; // Of cpu_idle: it is not any more.

// The first text of a field.
const textOf = (part: Part, field: number): string => {
  const message = new Message(part);
  while (message.next()) if (message.field === field && message.isBytes) return message.text();
  return '';
};

// The numbers of a message by their fields; texts are left out.
function numbers(part: Part): Map<number, number> {
  const message = new Message(part);
  const found = new Map<number, number>();
  while (message.next()) if (!message.isBytes) found.set(message.field, message.signed());
  return found;
}

export class PerfettoKernel {
  private readonly kernel: Kernel;

  constructor(
    private readonly told: Told,
    nameOf: (process: string) => string | undefined,
  ) {
    this.kernel = new Kernel(told, nameOf);
  }

  named = (row: string) => this.kernel.named(row);

  // Of one processor. Times are those of CLOCK_BOOTTIME, the axis.
  ftrace(bundle: Part): void {
    const message = new Message(bundle);
    let cpu = '0';
    const events: Part[] = [];
    let compact: Part | null = null;
    while (message.next()) {
      if (message.field === 1) cpu = String(message.number());
      else if (message.field === 2 && message.isBytes) events.push(message.bytes());
      else if (message.field === 4 && message.isBytes) compact = message.bytes();
      else if (message.field === 3 && message.number() !== 0)
        this.told.leaveOut('times that the kernel lost events');
    }
    if (compact) this.compact(cpu, compact);
    for (const event of events) this.event(cpu, event);
  }

  private event(cpu: string, part: Part) {
    const message = new Message(part);
    let [at, pid]: [number, string] = [NaN, ''];
    let what: { field: number; of: Part } | null = null;
    while (message.next()) {
      if (message.field === 1) at = message.number() / 1000;
      else if (message.field === 2) pid = String(message.number());
      else if (message.isBytes) what = { field: message.field, of: message.bytes() };
    }
    if (!what) return;
    const { field, of } = what;
    if (field === 4) {
      const said = numbers(of);
      const next = String(said.get(6) ?? 0);
      this.kernel.task(String(said.get(2) ?? 0), textOf(of, 1));
      this.runs(cpu, at, next, textOf(of, 5));
    } else if (field === 3) this.kernel.marker(pid, at, textOf(of, 2).replace(/\n$/, ''));
    else if (field === 11) {
      const said = numbers(of);
      this.count(`frequency, cpu ${said.get(2) ?? cpu}, kHz`, at, said.get(1) ?? 0);
    } else if (field === 13) {
      const said = numbers(of);
      const state = said.get(1) ?? 0;
      this.count(`idle state, cpu ${said.get(2) ?? cpu}`, at, state === kIdle ? 0 : state + 1);
    } else if (field === 36)
      this.told.begin(
        `irq ${cpu}`,
        `irq ${cpu}`,
        at,
        textOf(of, 2) || `irq ${numbers(of).get(1) ?? 0}`,
        null,
      );
    else if (field === 37) this.told.end(`irq ${cpu}`, at);
    else if (field === 24)
      this.told.begin(
        `softirq ${cpu}`,
        `softirq ${cpu}`,
        at,
        `softirq ${numbers(of).get(1) ?? 0}`,
        null,
      );
    else if (field === 25) this.told.end(`softirq ${cpu}`, at);
    else if (field === 236) this.kernel.task(String(numbers(of).get(1) ?? 0), textOf(of, 3));
    else this.told.leaveOut('kernel events of kinds that are not drawn');
  }

  private runs(cpu: string, at: number, pid: string, name: string) {
    if (pid !== '0') this.kernel.task(pid, name);
    this.kernel.runs(cpu, at, pid, name, null);
  }

  // Columns of what sched_switch says; times are differences.
  private compact(cpu: string, part: Part) {
    const message = new Message(part);
    const names: string[] = [];
    const [times, pids, indexes]: [number[], number[], number[]] = [[], [], []];
    while (message.next()) {
      if (message.field === 5) names.push(message.text());
      else if (message.field === 1) for (const one of message.signeds()) times.push(one);
      else if (message.field === 3) for (const one of message.signeds()) pids.push(one);
      else if (message.field === 6) for (const one of message.signeds()) indexes.push(one);
    }
    let nanos = 0;
    times.forEach((time, i) => {
      nanos += time;
      this.runs(cpu, nanos / 1000, String(pids[i] ?? 0), names[indexes[i] ?? -1] ?? '');
    });
  }

  processTree(part: Part): void {
    const message = new Message(part);
    while (message.next()) {
      if (!message.isBytes) continue;
      const of = message.bytes();
      const said = numbers(of);
      const id = String(said.get(1) ?? 0);
      if (message.field === 1) {
        const command = textOf(of, 3); // Its first word.
        if (command) this.kernel.process(id, `${command.slice(0, 80)} (${id})`);
        this.kernel.isOf(id, id);
      } else if (message.field === 2) {
        const name = textOf(of, 2);
        if (name) this.kernel.task(id, name);
        this.kernel.isOf(id, String(said.get(3) ?? id));
      }
    }
  }

  processStats(part: Part, at: number): void {
    const message = new Message(part);
    while (message.next()) {
      if (message.field !== 1 || !message.isBytes) continue;
      const said = numbers(message.bytes());
      const pid = String(said.get(1) ?? 0);
      for (const [field, name] of Object.entries(kProcessMemory)) {
        const value = said.get(Number(field));
        if (value === undefined) continue;
        const named = { group: this.kernel.groupOf(pid), name: `${name}, kB` };
        this.told.count(`memory ${pid} ${field}`, named, at, value);
      }
    }
  }

  sysStats(part: Part, at: number): void {
    const message = new Message(part);
    while (message.next()) {
      if (message.field !== 1 || !message.isBytes) continue;
      const said = numbers(message.bytes());
      const name = kMeminfo[said.get(1) ?? 0];
      if (name) this.count(`memory, ${name}, kB`, at, said.get(2) ?? 0);
    }
  }

  private count(name: string, at: number, value: number) {
    this.told.count(`system ${name}`, { group: 'system', name }, at, value);
  }
}
