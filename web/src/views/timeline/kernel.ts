// SPDX-License-Identifier: Apache-2.0
// What a kernel tells, whichever format says it: which task each processor runs, and what programs wrote into
// the trace marker: begun and ended spans (B, E, S, F), instants (I) and counters (C).
// https://docs.kernel.org/trace/ftrace.html
import type { Named, Told } from './told';

export class Kernel {
  private readonly tasks = new Map<string, string>(); // Names, by their numbers.
  private readonly processes = new Map<string, string>(); // Of tasks, and names of processes.
  private readonly names = new Map<string, string>();
  private readonly running = new Set<string>(); // Processors that are not idle.

  // `nameOf`: of a process, if something else in the trace says it.
  constructor(
    private readonly told: Told,
    private readonly nameOf: (process: string) => string | undefined = () => undefined,
  ) {}

  task(pid: string, name: string): void {
    this.tasks.set(pid, name);
  }

  isOf(pid: string, process: string): void {
    this.processes.set(pid, process);
  }

  process(pid: string, name: string): void {
    this.names.set(pid, name);
  }

  // Task "0" is none: the processor is idle.
  runs(cpu: string, at: number, pid: string, name: string, raw: unknown): void {
    const row = `cpu ${cpu}`;
    if (this.running.delete(cpu)) this.told.end(row, at);
    if (!pid || pid === '0') return;
    this.running.add(cpu);
    this.told.begin(row, row, at, `${name} (${pid})`, raw);
  }

  marker(pid: string, at: number, text: string): void {
    const row = `task ${pid}`;
    const [phase = '', of = '', name = '', value = ''] = text.split('|');
    if (/^\d+$/.test(of)) this.isOf(pid, of);
    if (phase === 'B') this.told.begin(row, row, at, name, text);
    else if (phase === 'E') this.told.end(row, at);
    else if (phase === 'I') this.told.span(row, at, at, name, text);
    else if (phase === 'S')
      this.told.begin(`async ${of} ${name}`, `${of} ${name} ${value}`, at, name, text);
    else if (phase === 'F') this.told.end(`${of} ${name} ${value}`, at);
    else if (phase === 'C') {
      const named = { group: this.groupOf(of), name };
      this.told.count(`${of} ${name}`, named, at, Number(value || NaN));
    } else this.told.span(row, at, at, text.slice(0, 80), text);
  }

  // How the row of a processor, an interrupt or a task is called.
  named(row: string): Named {
    const [kind = '', of = '', ...name] = row.split(' ');
    if (kind === 'cpu' || kind === 'irq' || kind === 'softirq')
      return { group: 'processors', name: `${kind === 'cpu' ? '' : `${kind}, `}cpu ${Number(of)}` };
    if (kind === 'async') return { group: this.groupOf(of), name: name.join(' ') };
    return {
      group: this.groupOf(this.processes.get(of) ?? of),
      name: `${this.tasks.get(of) ?? 'task'} (${of})`,
    };
  }

  groupOf(process: string): string {
    return this.nameOf(process) ?? this.names.get(process) ?? `process ${process}`;
  }
}
