// SPDX-License-Identifier: Apache-2.0
// A trace in the text of ftrace, as `trace-cmd report`, `systrace` and /sys/kernel/tracing/trace print it:
//   kworker/0:1-42 (   42) [000] d..3  1234.567890: sched_switch: prev_comm=… ==> next_comm=… next_pid=7
// Drawn are which task each processor runs, and what programs wrote into the trace marker:
// begun and ended spans (B, E, S, F), instants (I) and counters (C).
// https://docs.kernel.org/trace/ftrace.html
import type { Events } from './events';
import { Told } from './told';

const kLine =
  /^\s*(.{1,64}?)-(\d+)\s+(?:\(\s*(\d+|-+)\)\s+)?\[(\d+)\]\s+(?:\S+\s+)?(\d+\.\d+):\s+(\w+):\s+(.*)$/;
const kNext = /next_comm=(.*) next_pid=(\d+)/;
const kLineMost = 1000; // Letters.
const kMarkers = new Set(['tracing_mark_write', 'print', '0']);

export function eventsOfText(trace: string): Events {
  const told = new Told();
  const tasks = new Map<string, string>(); // By their numbers.
  const groups = new Map<string, string>(); // Processes of threads.
  const running = new Set<string>();
  let known = 0;
  for (let at = 0, end = 0; at < trace.length; at = end + 1) {
    end = trace.indexOf('\n', at);
    if (end < 0) end = trace.length;
    if (end - at > kLineMost) {
      told.leaveOut(`lines of more than ${kLineMost} letters`);
      continue;
    }
    const [, task = '', pid = '', process = '', cpu = '', seconds = '', what = '', rest = ''] =
      kLine.exec(trace.slice(at, end)) ?? [];
    if (!task) continue;
    known += 1;
    tasks.set(pid, task);
    const time = Number(seconds) * 1e6;
    const row = `task ${pid}`;
    if (/^\d+$/.test(process)) groups.set(pid, process);
    if (what === 'sched_switch') {
      const [, name = '', next = ''] = kNext.exec(rest) ?? [];
      if (running.delete(cpu)) told.end(`cpu ${cpu}`, time);
      if (!next || next === '0') continue; // Idle.
      running.add(cpu);
      told.begin(`cpu ${cpu}`, `cpu ${cpu}`, time, `${name} (${next})`, rest);
    } else if (kMarkers.has(what)) {
      const [phase = '', of = '', name = '', value = ''] = rest.replace(/^0: /, '').split('|');
      if (of) groups.set(pid, of);
      if (phase === 'B') told.begin(row, row, time, name, rest);
      else if (phase === 'E') told.end(row, time);
      else if (phase === 'I') told.span(row, time, time, name, rest);
      else if (phase === 'S')
        told.begin(`async ${of} ${name}`, `${of} ${name} ${value}`, time, name, rest);
      else if (phase === 'F') told.end(`${of} ${name} ${value}`, time);
      else if (phase === 'C')
        told.count(`${of} ${name}`, { group: `process ${of}`, name }, time, Number(value || NaN));
      else told.span(row, time, time, rest.slice(0, 80), rest);
    } else told.leaveOut(`events ${what}, which are not drawn`);
  }
  if (known === 0) throw new Error('neither JSON, nor a trace of Perfetto, nor the text of ftrace');
  return told.events(
    (row) => {
      const [kind = '', of = '', ...name] = row.split(' ');
      if (kind === 'cpu') return { group: 'processors', name: `cpu ${Number(of)}` };
      if (kind === 'async') return { group: `process ${of}`, name: name.join(' ') };
      return { group: `process ${groups.get(of) ?? of}`, name: `${tasks.get(of)} (${of})` };
    },
    (raw) => (typeof raw === 'string' ? [['data', raw]] : []),
  );
}
