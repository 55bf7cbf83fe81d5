// SPDX-License-Identifier: Apache-2.0
// Backups with options and with data of the program.
#include "core/c/backup_engine.h"
#include "core/c/eleven/handles.h"
#include "core/c/error.h"

using BackupHandle = rocksdb_backup_engine_t;
using CreateOptions = rocksdb_create_backup_options_t;

extern "C" {

void rocksdb_create_backup_options_set_progress_callback(CreateOptions* options, void* state,
                                                         void (*progress)(void*)) {
  options->progress = progress;
  options->progress_state = state;
}
// A backup with it is refused.
void rocksdb_create_backup_options_set_exclude_files_callback(
    CreateOptions* options, void* /*state*/,
    unsigned char (*exclude)(void*, const char* file, size_t size)) {
  options->excludes = exclude != nullptr;
}

void rocksdb_backup_engine_create_new_backup_with_metadata(BackupHandle* engine, rocksdb_t* db,
                                                           const CreateOptions* options,
                                                           const char* metadata, size_t size,
                                                           uint32_t* id, char** errptr) {
  if (options->excludes) {
    return varve::c::Refuse(errptr, "rocksdb_create_backup_options_set_exclude_files_callback");
  }
  varve::c::BackupExtras extras;
  if (metadata != nullptr) extras.app_metadata.assign(metadata, size);
  if (options->progress != nullptr) {
    extras.progress = [options] { options->progress(options->progress_state); };
  }
  const auto made = engine->rep->Create(db, options->flush_before_backup, extras);
  if (varve::c::SaveError(errptr, made.status())) return;
  if (id != nullptr) *id = *made;
}
void rocksdb_backup_engine_create_new_backup_with_options(BackupHandle* engine, rocksdb_t* db,
                                                          const CreateOptions* options,
                                                          uint32_t* id, char** errptr) {
  rocksdb_backup_engine_create_new_backup_with_metadata(engine, db, options, nullptr, 0, id,
                                                        errptr);
}

const char* rocksdb_backup_engine_info_app_metadata(const rocksdb_backup_engine_info_t* info,
                                                    int index, size_t* size) {
  const std::string& text = info->backups[static_cast<size_t>(index)].second.app_metadata;
  *size = text.size();
  return text.data();
}

void rocksdb_backup_engine_stop_backup(BackupHandle* engine) { engine->rep->Stop(); }

}  // extern "C"
