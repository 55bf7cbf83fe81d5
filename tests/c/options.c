// SPDX-License-Identifier: Apache-2.0
// Options: a database with many of them, and options from text. That each setter keeps its value
// for its getter is in options_test.py.
#include "steps.h"

static rocksdb_block_based_table_options_t* NewTableOptions(rocksdb_cache_t* cache) {
  rocksdb_block_based_table_options_t* const table = rocksdb_block_based_options_create();
  rocksdb_block_based_options_set_block_cache(table, cache);
  rocksdb_block_based_options_set_filter_policy(table, rocksdb_filterpolicy_create_ribbon(12));
  rocksdb_block_based_options_set_block_size(table, 1000);
  rocksdb_block_based_options_set_index_type(
      table, rocksdb_block_based_table_index_type_two_level_index_search);
  rocksdb_block_based_options_set_partition_filters(table, 1);
  rocksdb_block_based_options_set_checksum(table, 1);
  rocksdb_block_based_options_set_data_block_index_type(
      table, rocksdb_block_based_table_data_block_index_type_binary_search_and_hash);
  rocksdb_block_based_options_set_cache_index_and_filter_blocks(table, 1);
  return table;
}

void OptionsStep(const char* directory) {
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_cache_t* const cache = rocksdb_cache_create_lru(1 << 20);
  rocksdb_block_based_table_options_t* const table = NewTableOptions(cache);
  rocksdb_options_set_block_based_table_factory(options, table);
  rocksdb_block_based_options_destroy(table);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_compression(options, rocksdb_lz4_compression);
  rocksdb_options_set_bottommost_compression(options, rocksdb_zstd_compression);
  rocksdb_options_set_compression_options(options, -14, 3, 0, 1000);
  const int levels[] = {rocksdb_no_compression, rocksdb_snappy_compression,
                        rocksdb_zlib_compression};
  rocksdb_options_set_compression_per_level(options, levels, 3);
  rocksdb_options_set_write_buffer_size(options, 100000);
  rocksdb_options_increase_parallelism(options, 2);
  rocksdb_options_set_max_open_files(options, 50);
  rocksdb_options_set_compaction_style(options, rocksdb_universal_compaction);
  rocksdb_env_t* const env = rocksdb_create_default_env();
  rocksdb_options_set_env(options, env);
  rocksdb_options_enable_statistics(options);
  Fixture f = {options, rocksdb_readoptions_create(), rocksdb_writeoptions_create(), NULL, NULL};
  f.db = rocksdb_open(options, directory, &f.error);
  MustBeOk("open", f.error);
  char key[16];
  for (int i = 0; i < 2000; ++i) {
    snprintf(key, sizeof(key), "%08d", i * 31 % 2000);
    Put(&f, key, "a value that is long enough to fill some blocks");
  }
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  PrintValue(&f, "00000777");
  printf("the cache holds %s\n", rocksdb_cache_get_usage(cache) > 0 ? "something" : "nothing");
  printf("of %d bytes\n", (int)rocksdb_cache_get_capacity(cache));
  char* const text = rocksdb_options_statistics_get_string(options);
  printf("statistics: %s\n",
         text != NULL && strstr(text, "rocksdb.number.keys.written COUNT : 2000") != NULL
             ? "2000 keys"
             : "?");
  rocksdb_free(text);
  Closed(&f);
  rocksdb_env_destroy(env);
  rocksdb_cache_destroy(cache);
}

void OptionTextStep(const char* directory) {
  char* error = NULL;
  rocksdb_options_t* const base = rocksdb_options_create();
  rocksdb_options_t* const read = rocksdb_options_create();
  rocksdb_options_set_max_open_files(base, 77);
  rocksdb_get_options_from_string(
      base,
      "create_if_missing=true;write_buffer_size=3145728;compression=kLZ4Compression;"
      "max_bytes_for_level_multiplier=7.5;block_based_table_factory={block_size=2000;"
      "filter_policy=bloomfilter:9:false}",
      read, &error);
  Outcome("options from text", &error);
  printf("%d %d %d %d %.1f\n", rocksdb_options_get_create_if_missing(read),
         (int)rocksdb_options_get_write_buffer_size(read), rocksdb_options_get_compression(read),
         rocksdb_options_get_max_open_files(read),
         rocksdb_options_get_max_bytes_for_level_multiplier(read));
  rocksdb_options_t* const wrong = rocksdb_options_create();
  rocksdb_get_options_from_string(base, "no_such_option=1", wrong, &error);
  Outcome("unknown", &error);
  rocksdb_get_options_from_string(base, "write_buffer_size=much", wrong, &error);
  Outcome("wrong", &error);
  rocksdb_options_destroy(wrong);
  rocksdb_t* const db = rocksdb_open(read, directory, &error);
  MustBeOk("open", error);
  rocksdb_close(db);
  rocksdb_options_t* loaded = NULL;
  rocksdb_options_t** families = NULL;
  char** names = NULL;
  size_t count = 0;
  rocksdb_env_t* const env = rocksdb_create_default_env();
  rocksdb_load_latest_options(directory, env, false, NULL, &loaded, &count, &names, &families,
                              &error);
  Outcome("loaded", &error);
  for (size_t i = 0; i < count; ++i) {
    printf("%s %d %d\n", names[i], (int)rocksdb_options_get_write_buffer_size(families[i]),
           rocksdb_options_get_compression(families[i]));
  }
  printf("%d\n", rocksdb_options_get_max_open_files(loaded));
  rocksdb_load_latest_options_destroy(loaded, names, families, count);
  rocksdb_env_destroy(env);
  rocksdb_options_destroy(read);
  rocksdb_options_destroy(base);
}
