// SPDX-License-Identifier: Apache-2.0
#include "core/c/error.h"
#include "core/c/handles.h"

struct rocksdb_checkpoint_t {
  varve::DB* db;
};

extern "C" {

rocksdb_checkpoint_t* rocksdb_checkpoint_object_create(rocksdb_t* db, char** /*errptr*/) {
  return new rocksdb_checkpoint_t{db->db.get()};
}

// Logs are copied whatever their size: `log_size_for_flush` is a hint.
void rocksdb_checkpoint_create(rocksdb_checkpoint_t* checkpoint, const char* directory,
                               uint64_t /*log_size_for_flush*/, char** errptr) {
  const varve::Status created = checkpoint->db->Checkpoint(directory);
  varve::c::SaveError(errptr, varve::c::IoErrorIfMissing(created));
}

void rocksdb_checkpoint_object_destroy(rocksdb_checkpoint_t* checkpoint) { delete checkpoint; }

}  // extern "C"
