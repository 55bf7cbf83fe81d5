// SPDX-License-Identifier: Apache-2.0
// Adding tables that an SstFileWriter made.
#include "core/c/error.h"
#include "core/c/handles.h"

namespace varve::c {
namespace {

void Ingest(rocksdb_t* db, const rocksdb_column_family_handle_t* family, const char* const* files,
            size_t count, const rocksdb_ingestexternalfileoptions_t* options, char** errptr) {
  if (options->ingest_behind) {
    Refuse(errptr, "rocksdb_ingestexternalfileoptions_set_ingest_behind");
    return;
  }
  if (!options->allow_blocking_flush) {
    Refuse(errptr, "rocksdb_ingestexternalfileoptions_set_allow_blocking_flush");
    return;
  }
  if (options->fail_if_not_bottommost_level) {
    Refuse(errptr, "rocksdb_ingestexternalfileoptions_set_fail_if_not_bottommost_level");
    return;
  }
  if (options->allow_db_generated_files) {
    Refuse(errptr, "rocksdb_ingestexternalfileoptions_set_allow_db_generated_files");
    return;
  }
  // Without a sequence number of their own, tables must not overlap what is there.
  const IngestOptions ingest{.move_files = options->move_files,
                             .allow_overlap = options->allow_global_seqno,
                             .in_order = options->allow_global_seqno,
                             .any_comparator = true};
  const Status ingested = db->db->Ingest(ingest, {files, files + count}, IdOf(family));
  SaveFamilyError(errptr, *db, IdOf(family), IoErrorIfMissing(ingested));
}

}  // namespace
}  // namespace varve::c

extern "C" {

void rocksdb_ingest_external_file(rocksdb_t* db, const char* const* files, const size_t count,
                                  const rocksdb_ingestexternalfileoptions_t* options,
                                  char** errptr) {
  varve::c::Ingest(db, nullptr, files, count, options, errptr);
}

void rocksdb_ingest_external_file_cf(rocksdb_t* db, rocksdb_column_family_handle_t* family,
                                     const char* const* files, const size_t count,
                                     const rocksdb_ingestexternalfileoptions_t* options,
                                     char** errptr) {
  varve::c::Ingest(db, family, files, count, options, errptr);
}

}  // extern "C"
