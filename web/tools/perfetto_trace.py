#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the trace of web/src/views/timeline/perfetto.fixture.ts, encoded by Perfetto's own package.

    pip install perfetto==0.59.1 && perfetto_trace.py > ../src/views/timeline/perfetto.fixture.ts
"""
import base64
import zlib

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TracePacket, TrackEvent

BOOT = 5_000_000_000  # Nanoseconds, when it was REAL since 1970.
REAL = 1_795_846_241_000_000_000


def trace() -> Trace:
    made = Trace()

    def packet(at: int | None = None, sequence: int = 1) -> TracePacket:
        one = made.packet.add()
        one.trusted_packet_sequence_id = sequence
        if at is not None:
            one.timestamp = at
        return one

    snapshot = packet().clock_snapshot
    for clock, shown in ((6, BOOT), (1, REAL), (3, BOOT - 1_000_000)):
        snapshot.clocks.add(clock_id=clock, timestamp=shown)
    delta = snapshot.clocks.add(clock_id=64, timestamp=BOOT // 1000, is_incremental=True)
    delta.unit_multiplier_ns = 1000

    process = packet().track_descriptor
    process.uuid = 1
    process.process.pid = 42
    process.process.process_name = "engine"
    thread = packet().track_descriptor
    thread.uuid = 2**63 + 5
    thread.parent_uuid = 1
    thread.thread.pid, thread.thread.tid, thread.thread.thread_name = 42, 43, "writer"
    other = packet().track_descriptor
    other.uuid, other.parent_uuid, other.name = 2**63 + 6, 1, "background"
    for uuid, name in ((7, "queue"), (8, "sum")):
        counter = packet().track_descriptor
        counter.uuid, counter.parent_uuid, counter.name = uuid, 1, name
        counter.counter.unit_multiplier = 1000 if uuid == 7 else 1
        counter.counter.is_incremental = uuid == 8

    # Interned names and defaults, on the first sequence.
    first = packet(BOOT + 1_000_000)
    first.sequence_flags = TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
    first.interned_data.event_names.add(iid=1, name="put")
    first.interned_data.event_categories.add(iid=1, name="write")
    first.interned_data.debug_annotation_names.add(iid=1, name="bytes")
    first.trace_packet_defaults.track_event_defaults.track_uuid = 2**63 + 5
    first.track_event.type = TrackEvent.TYPE_SLICE_BEGIN
    first.track_event.name_iid = 1
    first.track_event.category_iids.append(1)
    annotation = first.track_event.debug_annotations.add()
    annotation.name_iid, annotation.int_value = 1, -7
    inner = packet(BOOT + 2_000_000).track_event
    inner.type, inner.name = TrackEvent.TYPE_SLICE_BEGIN, "log"
    inner.flow_ids.append(2**64 - 1)
    packet(BOOT + 3_000_000).track_event.type = TrackEvent.TYPE_SLICE_END
    packet(BOOT + 5_000_000).track_event.type = TrackEvent.TYPE_SLICE_END

    # Another sequence, in a clock of differences, and compressed.
    within = Trace()
    for after, kind in ((4000, TrackEvent.TYPE_SLICE_BEGIN), (3000, TrackEvent.TYPE_SLICE_END)):
        one = within.packet.add()
        one.trusted_packet_sequence_id = 1
        one.timestamp, one.timestamp_clock_id = after, 64
        one.track_event.type, one.track_event.track_uuid = kind, 2**63 + 6
        if kind == TrackEvent.TYPE_SLICE_BEGIN:
            one.track_event.name = "flush"
            one.track_event.terminating_flow_ids.append(2**64 - 1)
    packet().compressed_packets = zlib.compress(within.SerializeToString())

    for at, uuid, value in ((1, 7, 3), (3, 7, 5), (1, 8, 10), (2, 8, -4)):
        event = packet(BOOT + at * 1_000_000).track_event
        event.type, event.track_uuid, event.counter_value = TrackEvent.TYPE_COUNTER, uuid, value
    now = packet(BOOT + 4_000_000 - 1_000_000)
    now.timestamp_clock_id = 3  # CLOCK_MONOTONIC
    now.track_event.type, now.track_event.name = TrackEvent.TYPE_INSTANT, "now"
    now.track_event.extra_double_counter_track_uuids.append(9)
    now.track_event.extra_double_counter_values.append(0.5)
    packet(BOOT).android_log.stats.num_total = 1  # Of another data source.
    kernel(packet)
    return made


def kernel(packet) -> None:
    tree = packet().process_tree
    tree.processes.add(pid=42, ppid=1, cmdline=["/usr/bin/engine", "serve"])
    tree.threads.add(tid=43, tgid=42, name="writer")
    bundle = packet().ftrace_events
    bundle.cpu = 1
    compact = bundle.compact_sched
    compact.intern_table.extend(["writer", "idle"])
    compact.switch_timestamp.extend([BOOT + 1_000_000, 2_000_000, 1_000_000])
    compact.switch_next_pid.extend([43, 0, 43])
    compact.switch_next_comm_index.extend([0, 1, 0])
    compact.switch_prev_state.extend([0, 0, 0])
    compact.switch_next_prio.extend([120, 120, 120])

    def happens(after: int, pid: int = 43):
        event = bundle.event.add()
        event.timestamp, event.pid = BOOT + after * 1_000_000, pid
        return event

    end = happens(6).sched_switch
    end.prev_comm, end.prev_pid, end.next_comm, end.next_pid = "writer", 43, "swapper/1", 0
    for after, text in ((1, "B|42|fsync\n"), (2, "E|42\n"), (2, "C|42|dirty|7\n")):
        happens(after).print.buf = text
    interrupt = happens(3).irq_handler_entry
    interrupt.irq, interrupt.name = 9, "nvme0q1"
    happens(4).irq_handler_exit.irq = 9
    frequency = happens(1).cpu_frequency
    frequency.state, frequency.cpu_id = 2_400_000, 1
    idle = happens(3).cpu_idle
    idle.state, idle.cpu_id = 2, 1
    idle = happens(4).cpu_idle
    idle.state, idle.cpu_id = 2**32 - 1, 1
    happens(5).suspend_resume.action = "s2idle"  # Of a kind that is not drawn.

    sizes = packet(BOOT + 1_000_000).process_stats
    sizes.processes.add(pid=42, vm_rss_kb=1000, vm_size_kb=5000)
    packet(BOOT + 1_000_000).sys_stats.meminfo.add(key=3, value=640_000)  # MEMINFO_MEM_AVAILABLE

    names = packet(sequence=7).interned_data
    for iid, name in ((1, b"main"), (2, b"Get"), (3, b"memcmp")):
        names.function_names.add(iid=iid, str=name)
        names.frames.add(iid=iid + 10, function_name_id=iid)
    names.callstacks.add(iid=1, frame_ids=[11, 12, 13])
    names.callstacks.add(iid=2, frame_ids=[11, 99])
    sample = packet(BOOT + 2_000_000, sequence=7).perf_sample
    sample.cpu, sample.pid, sample.tid, sample.callstack_iid = 1, 42, 43, 1
    streamed = packet(BOOT + 2_000_000, sequence=7).streaming_profile_packet
    streamed.callstack_iid.extend([1, 2])
    streamed.timestamp_delta_us.extend([0, 1500])


TEXT = base64.b64encode(trace().SerializeToString()).decode()
print("""// SPDX-License-Identifier: Apache-2.0
// Printed by web/tools/perfetto_trace.py, which says what is in it.
export const kPerfettoTrace = [""")
for begin in range(0, len(TEXT), 92):
    print(f"  '{TEXT[begin:begin + 92]}',")
print("].join('');")
