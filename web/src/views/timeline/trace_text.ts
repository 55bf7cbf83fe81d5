// SPDX-License-Identifier: Apache-2.0
// A trace in the text of ftrace, as `trace-cmd report`, `systrace` and /sys/kernel/tracing/trace print it:
//   kworker/0:1-42 (   42) [000] d..3  1234.567890: sched_switch: prev_comm=… ==> next_comm=… next_pid=7
// Drawn is what kernel.ts has.
import type { Events } from './events';
import { Kernel } from './kernel';
import { Told } from './told';

const kLine =
  /^\s*(.{1,64}?)-(\d+)\s+(?:\(\s*(\d+|-+)\)\s+)?\[(\d+)\]\s+(?:\S+\s+)?(\d+\.\d+):\s+(\w+):\s+(.*)$/;
const kNext = /next_comm=(.*) next_pid=(\d+)/;
const kLineMost = 1000; // Letters.
const kMarkers = new Set(['tracing_mark_write', 'print', '0']);

export function eventsOfText(trace: string): Events {
  const told = new Told();
  const kernel = new Kernel(told);
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
    kernel.task(pid, task);
    const time = Number(seconds) * 1e6;
    if (/^\d+$/.test(process)) kernel.isOf(pid, process);
    if (what === 'sched_switch') {
      const [, name = '', next = ''] = kNext.exec(rest) ?? [];
      kernel.runs(cpu, time, next, name, rest);
    } else if (kMarkers.has(what)) kernel.marker(pid, time, rest.replace(/^0: /, ''));
    else told.leaveOut(`events ${what}, which are not drawn`);
  }
  if (known === 0) throw new Error('neither JSON, nor a trace of Perfetto, nor the text of ftrace');
  return told.events(
    (row) => kernel.named(row),
    (raw) => (typeof raw === 'string' ? [['data', raw]] : []),
  );
}
