// SPDX-License-Identifier: Apache-2.0
// The options that the playground has controls for, by their names in RocksDB's OPTIONS files, and
// the grades of this engine's algorithms.

export interface OptionRow {
  name: string;
  group: 'tree' | 'tables' | 'algorithms of this engine';
  values: string[]; // In order where they are numbers.
  start: string; // What the playground has if nothing is chosen.
}

export type OptionValues = Record<string, string>;

const row = (group: OptionRow['group'], name: string, start: string, values: string[]) => ({
  group,
  name,
  start,
  values,
});
const kSwitch = ['false', 'true'];
const kBytes = (from: number, to: number) =>
  Array.from({ length: Math.log2(to / from) / 2 + 1 }, (_, i) => String(from * 4 ** i));

export const kOptionRows: OptionRow[] = [
  row('tree', 'compaction_style', 'level', ['level', 'universal', 'fifo', 'none']),
  row('tree', 'disable_auto_compactions', 'false', kSwitch),
  row('tree', 'level0_file_num_compaction_trigger', '2', ['1', '2', '3', '4', '6', '8', '12']),
  row('tree', 'level0_slowdown_writes_trigger', '20', ['2', '4', '8', '12', '20']),
  row('tree', 'level0_stop_writes_trigger', '36', ['4', '8', '16', '24', '36']),
  row('tree', 'write_buffer_size', '67108864', kBytes(4096, 67108864)),
  row('tree', 'max_bytes_for_level_base', '268435456', kBytes(4096, 268435456)),
  row('tree', 'max_bytes_for_level_multiplier', '10', ['2', '4', '6', '8', '10']),
  row('tree', 'target_file_size_base', '67108864', kBytes(1024, 67108864)),
  row('tree', 'compaction_options_universal.size_ratio', '1', ['0', '1', '10', '20', '50', '100']),
  row('tree', 'compaction_options_universal.min_merge_width', '2', ['2', '3', '4', '6', '8']),
  row('tree', 'compaction_options_universal.max_size_amplification_percent', '200', [
    '25',
    '50',
    '100',
    '200',
    '400',
  ]),
  row('tree', 'compaction_options_universal.stop_style', 'total', ['total_size', 'similar_size']),
  row('tree', 'compaction_options_fifo.max_table_files_size', '1073741824', kBytes(4096, 2 ** 30)),
  row('tree', 'merge_operator', 'nullptr', ['nullptr', 'stringappend', 'max', 'put']),
  row('tables', 'block_size', '4096', kBytes(256, 65536)),
  row('tables', 'block_restart_interval', '16', ['1', '2', '4', '8', '16', '32']),
  row('tables', 'filter_bits_per_key', '10', ['0', '2', '4', '6', '8', '10', '12', '16', '20']),
  row('tables', 'compression', 'lz4', ['none', 'snappy', 'lz4', 'zstd']),
  row('tables', 'block_cache_bytes', '8388608', ['0', ...kBytes(8192, 8388608)]),
  row('tables', 'index_type', 'binary', ['binary', 'two_level']),
  row('tables', 'partition_filters', 'false', kSwitch),
  row('tables', 'decouple_partitioned_filters', 'true', kSwitch),
  row('tables', 'merge_runt_partitions', 'true', kSwitch),
  row('tables', 'metadata_block_size', '4096', kBytes(256, 65536)),
  row('algorithms of this engine', 'memtable_rep', 'btree_hash', [
    'skip_list',
    'btree',
    'btree_hash',
  ]),
  row('algorithms of this engine', 'memtable_batch_lookup', 'interleaved', [
    'off',
    'finger',
    'interleaved',
  ]),
  row('algorithms of this engine', 'file_search', 'heads', ['comparator', 'prefix', 'heads']),
  row('algorithms of this engine', 'multiget', 'pipeline', ['per_key', 'grouped', 'pipeline']),
  row('algorithms of this engine', 'partition_search', 'decoded', ['iterate', 'decoded']),
  row('algorithms of this engine', 'cache_metadata_with_high_priority', 'true', kSwitch),
  row('algorithms of this engine', 'scan_readahead', 'adaptive', ['off', 'doubling', 'adaptive']),
];

const startOf = (name: string) => kOptionRows.find((one) => one.name === name)?.start;

// "block_size=1024;compression=none": what is not as at the start. Only options that there are.
export function optionsOf(text: string | undefined): OptionValues {
  return Object.fromEntries(
    (text ?? '').split(';').flatMap((part): [string, string][] => {
      const equals = part.indexOf('=');
      const [name, value] = [part.slice(0, equals), part.slice(equals + 1)];
      const known = kOptionRows.find((one) => one.name === name);
      return known?.values.includes(value) && value !== known.start ? [[name, value]] : [];
    }),
  );
}

export function optionsText(values: OptionValues): string | undefined {
  const parts = Object.entries(values)
    .filter(([name, value]) => value !== startOf(name))
    .map(([name, value]) => `${name}=${value}`);
  return parts.length > 0 ? parts.join(';') : undefined;
}

// What the engine is opened with: those whose start is not the engine's own default, and the chosen.
export function engineOptions(values: OptionValues): OptionValues {
  return { level0_file_num_compaction_trigger: '2', ...values };
}
