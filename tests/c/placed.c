// SPDX-License-Identifier: Apache-2.0
// Tables that overlap each other, ingested in one call, and tables that are deleted by range.
#include "steps.h"

static void WriteTable(const char* path, const char* first, const char* last, const char* value) {
  char* error = NULL;
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_envoptions_t* const env = rocksdb_envoptions_create();
  rocksdb_sstfilewriter_t* const writer = rocksdb_sstfilewriter_create(env, options);
  rocksdb_sstfilewriter_open(writer, path, &error);
  MustBeOk("open a table", error);
  char key[2] = {first[0], 0};
  for (; key[0] <= last[0]; ++key[0]) {
    rocksdb_sstfilewriter_put(writer, key, 1, value, strlen(value), &error);
  }
  rocksdb_sstfilewriter_finish(writer, &error);
  MustBeOk("finish", error);
  rocksdb_sstfilewriter_destroy(writer);
  rocksdb_envoptions_destroy(env);
  rocksdb_options_destroy(options);
}

static void Ingest(Fixture* f, const char* directory, const char* const (*tables)[3], size_t count,
                   unsigned char may_overlap) {
  char paths[3][600];
  const char* files[3];
  for (size_t i = 0; i < count; ++i) {
    snprintf(paths[i], sizeof(paths[i]), "%s.%d.sst", directory, (int)i);
    WriteTable(paths[i], tables[i][0], tables[i][1], tables[i][2]);
    files[i] = paths[i];
  }
  rocksdb_ingestexternalfileoptions_t* const options = rocksdb_ingestexternalfileoptions_create();
  rocksdb_ingestexternalfileoptions_set_allow_global_seqno(options, may_overlap);
  rocksdb_ingest_external_file(f->db, files, count, options, &f->error);
  Outcome("ingest", &f->error);
  rocksdb_ingestexternalfileoptions_destroy(options);
}

void PlacedStep(const char* directory) {
  Fixture f = Opened(directory);
  const char* const overlapping[][3] = {
      {"c", "g", "first"}, {"a", "d", "second"}, {"d", "e", "third"}};
  Ingest(&f, directory, overlapping, 3, 0);
  PrintAll(&f);
  Ingest(&f, directory, overlapping, 3, 1);
  PrintAll(&f);
  Put(&f, "d", "of the memtable");
  PrintValue(&f, "d");
  Ingest(&f, directory, overlapping, 2, 1);
  PrintAll(&f);
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  PrintAll(&f);
  Reopen(&f, directory);
  PrintAll(&f);
  // Three tables side by side, below level 0.
  const char* const apart[][3] = {{"h", "i", "4"}, {"j", "k", "5"}, {"l", "m", "6"}};
  Ingest(&f, directory, apart, 3, 1);
  rocksdb_delete_file_in_range(f.db, "i", 1, "l", 1, &f.error);
  Outcome("delete files", &f.error);
  PrintAll(&f);
  rocksdb_delete_file_in_range(f.db, "l", 1, "m", 1, &f.error);
  Outcome("both ends", &f.error);
  rocksdb_delete_file_in_range(f.db, "x", 1, "z", 1, &f.error);
  Outcome("nothing there", &f.error);
  Put(&f, "z", "in memory");
  rocksdb_delete_file_in_range(f.db, "y", 1, "zz", 2, &f.error);
  PrintAll(&f);
  Reopen(&f, directory);
  PrintAll(&f);
  Closed(&f);
}
