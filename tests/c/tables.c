// SPDX-License-Identifier: Apache-2.0
// Tables written outside and ingested, checkpoints, flushes, compactions, what is said of tables.
#include "steps.h"

static void PathIn(char* path, size_t room, const char* directory, const char* suffix) {
  snprintf(path, room, "%s%s", directory, suffix);
}

static void WriteTable(const char* path) {
  char* error = NULL;
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_envoptions_t* const env = rocksdb_envoptions_create();
  rocksdb_sstfilewriter_t* const writer = rocksdb_sstfilewriter_create(env, options);
  rocksdb_sstfilewriter_open(writer, path, &error);
  MustBeOk("open a table", error);
  rocksdb_sstfilewriter_put(writer, "t1", 2, "from a table", 12, &error);
  rocksdb_sstfilewriter_put(writer, "t2", 2, "also", 4, &error);
  rocksdb_sstfilewriter_delete(writer, "t3", 2, &error);
  MustBeOk("fill it", error);
  rocksdb_sstfilewriter_put(writer, "t0", 2, "not in order", 12, &error);
  Outcome("not in order", &error);
  rocksdb_sstfilewriter_finish(writer, &error);
  Outcome("finish", &error);
  uint64_t size = 0;
  rocksdb_sstfilewriter_file_size(writer, &size);
  printf("a table of %s\n", size > 500 && size < 5000 ? "about 1 KB" : "another size");
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_envoptions_destroy(env);
  rocksdb_options_destroy(options);
}

void TablesStep(const char* directory) {
  char path[600];
  Fixture f = Opened(directory);
  Put(&f, "t1", "old");
  Put(&f, "t3", "old");
  PathIn(path, sizeof(path), directory, ".made.sst");
  WriteTable(path);
  const char* const files[] = {path};
  rocksdb_ingestexternalfileoptions_t* const ingest = rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingest_external_file(f.db, files, 1, ingest, &f.error);
  Outcome("ingest", &f.error);
  PrintAll(&f);
  rocksdb_ingestexternalfileoptions_set_move_files(ingest, 1);
  rocksdb_ingest_external_file(f.db, files, 1, ingest, &f.error);
  Outcome("ingest and move", &f.error);
  rocksdb_ingestexternalfileoptions_destroy(ingest);
  FILE* const left = fopen(path, "r");
  printf("the file is %s\n", left == NULL ? "moved" : "there");
  rocksdb_checkpoint_t* const checkpoint = rocksdb_checkpoint_object_create(f.db, &f.error);
  Outcome("checkpoint object", &f.error);
  PathIn(path, sizeof(path), directory, ".checkpoint");
  rocksdb_checkpoint_create(checkpoint, path, 0, &f.error);
  Outcome("checkpoint", &f.error);
  rocksdb_checkpoint_create(checkpoint, path, 0, &f.error);
  Outcome("where one is", &f.error);
  rocksdb_checkpoint_object_destroy(checkpoint);
  Put(&f, "later", "not in the checkpoint");
  Closed(&f);
  f = Opened(path);
  PrintAll(&f);
  Closed(&f);
}

static void PutMany(Fixture* f, int first, int count) {
  char key[16], value[200];
  for (int i = first; i < first + count; ++i) {
    snprintf(key, sizeof(key), "key%06d", i);
    snprintf(value, sizeof(value), "%0150d", i * 7919);
    Put(f, key, value);
  }
}

static void PrintLevels(Fixture* f) {
  int files = 0;
  char name[40];
  for (int level = 0; level < 7; ++level) {
    snprintf(name, sizeof(name), "rocksdb.num-files-at-level%d", level);
    char* const value = rocksdb_property_value(f->db, name);
    files += atoi(value);
    if (level == 0) printf("level 0: %s; ", value);
    rocksdb_free(value);
  }
  printf("%s tables\n", files == 0 ? "no" : "some");
}

void MaintenanceStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  PrintLevels(&f);
  PutMany(&f, 0, 1000);
  rocksdb_flush(f.db, flush, &f.error);
  Outcome("flush", &f.error);
  PrintLevels(&f);
  PutMany(&f, 500, 1000);
  rocksdb_flush(f.db, flush, &f.error);
  rocksdb_compact_range(f.db, "a", 1, "z", 1);
  PrintLevels(&f);
  rocksdb_compactoptions_t* const compact = rocksdb_compactoptions_create();
  rocksdb_compactoptions_set_bottommost_level_compaction(compact, 2);
  rocksdb_compact_range_opt(f.db, compact, NULL, 0, NULL, 0);
  rocksdb_compactoptions_destroy(compact);
  PrintLevels(&f);
  const char* const begins[] = {"key000000", "key000000", "x"};
  const char* const ends[] = {"key000500", "z", "z"};
  const size_t begin_sizes[] = {9, 9, 1}, end_sizes[] = {9, 1, 1};
  uint64_t sizes[3] = {0, 0, 0};
  rocksdb_approximate_sizes(f.db, 3, begins, begin_sizes, ends, end_sizes, sizes, &f.error);
  Outcome("sizes", &f.error);
  printf("part of it %s, %s\n", sizes[0] > 0 && sizes[0] < sizes[1] ? "is smaller" : "is not",
         sizes[2] == 0 ? "nothing else" : "something else");
  const char* const names[] = {"disable_auto_compactions"};
  const char* const yes[] = {"true"};
  const char* const wrong[] = {"perhaps"};
  rocksdb_set_options(f.db, 1, names, yes, &f.error);
  Outcome("set_options", &f.error);
  rocksdb_set_options(f.db, 1, names, wrong, &f.error);
  Outcome("a wrong value", &f.error);
  const char* const hints[] = {"report_bg_io_stats", "paranoid_file_checks"};
  const char* const both[] = {"true", "true"};
  rocksdb_set_options(f.db, 2, hints, both, &f.error);
  Outcome("hints", &f.error);
  uint64_t number = 0;
  printf("int property: %d\n",
         rocksdb_property_int(f.db, "rocksdb.num-immutable-mem-table", &number));
  printf("%d of them\n", (int)number);
  printf("unknown: %d, %s\n", rocksdb_property_int(f.db, "rocksdb.none", &number),
         rocksdb_property_value(f.db, "rocksdb.none") == NULL ? "null" : "a value");
  rocksdb_flushoptions_destroy(flush);
  Closed(&f);
}

void MetadataStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  PutMany(&f, 0, 10);
  rocksdb_delete(f.db, f.write, "nothing", 7, &f.error);
  rocksdb_flush(f.db, flush, &f.error);
  MustBeOk("flush", f.error);
  const rocksdb_livefiles_t* const files = rocksdb_livefiles(f.db);
  const int count = rocksdb_livefiles_count(files);
  for (int i = 0; i < count; ++i) {
    size_t size = 0;
    const char* key = rocksdb_livefiles_smallestkey(files, i, &size);
    printf("%s level %d, ", rocksdb_livefiles_column_family_name(files, i),
           rocksdb_livefiles_level(files, i));
    PrintBytes(key, size);
    key = rocksdb_livefiles_largestkey(files, i, &size);
    printf("..");
    PrintBytes(key, size);
    printf(", %d entries, %d deletions, %s, name %c...sst %d\n",
           (int)rocksdb_livefiles_entries(files, i), (int)rocksdb_livefiles_deletions(files, i),
           rocksdb_livefiles_size(files, i) > 0 ? "some bytes" : "no bytes",
           rocksdb_livefiles_name(files, i)[0], (int)strlen(rocksdb_livefiles_name(files, i)));
  }
  rocksdb_livefiles_destroy(files);
  rocksdb_column_family_metadata_t* const family = rocksdb_get_column_family_metadata(f.db);
  char* text = rocksdb_column_family_metadata_get_name(family);
  printf("%s: %d tables, %d levels\n", text,
         (int)rocksdb_column_family_metadata_get_file_count(family),
         (int)rocksdb_column_family_metadata_get_level_count(family));
  rocksdb_free(text);
  rocksdb_level_metadata_t* const level =
      rocksdb_column_family_metadata_get_level_metadata(family, 0);
  rocksdb_sst_file_metadata_t* const file = rocksdb_level_metadata_get_sst_file_metadata(level, 0);
  size_t size = 0;
  text = rocksdb_sst_file_metadata_get_largestkey(file, &size);
  PrintBytes(text, size);
  rocksdb_free(text);
  text = rocksdb_sst_file_metadata_get_relative_filename(file);
  printf(" in a name of %d bytes, sizes %s\n", (int)strlen(text),
         rocksdb_sst_file_metadata_get_size(file) == rocksdb_level_metadata_get_size(level) &&
                 rocksdb_column_family_metadata_get_size(family) ==
                     rocksdb_level_metadata_get_size(level)
             ? "agree"
             : "differ");
  rocksdb_free(text);
  rocksdb_sst_file_metadata_destroy(file);
  rocksdb_level_metadata_destroy(level);
  rocksdb_column_family_metadata_destroy(family);
  rocksdb_flushoptions_destroy(flush);
  Closed(&f);
}
