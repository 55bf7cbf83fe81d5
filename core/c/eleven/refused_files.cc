// SPDX-License-Identifier: Apache-2.0
// Refused: the list of a database's files, traces.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/c/eleven/handles.h"
#include "core/c/eleven/nothing.h"
#include "core/c/error.h"

struct rocksdb_block_cache_trace_options_t;
struct rocksdb_block_cache_trace_writer_options_t;
struct rocksdb_column_family_handle_t;
struct rocksdb_env_t;
struct rocksdb_envoptions_t;
struct rocksdb_livefiles_storage_info_options_t;
struct rocksdb_livefiles_storage_info_t;
struct rocksdb_replay_options_t;
struct rocksdb_replayer_t;
struct rocksdb_t;
struct rocksdb_trace_options_t;
struct rocksdb_trace_reader_t;

extern "C" {

rocksdb_trace_reader_t* rocksdb_trace_reader_create(rocksdb_env_t* /*env*/,
                                                    const rocksdb_envoptions_t* /*env_options*/,
                                                    const char* /*trace_path*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_trace_reader_read(rocksdb_trace_reader_t* /*reader*/, size_t* size, char** errptr) {
  *size = 0;
  varve::c::Refuse(errptr, __func__);
  return nullptr;
}
void rocksdb_trace_reader_reset(rocksdb_trace_reader_t* /*reader*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
void rocksdb_trace_reader_close(rocksdb_trace_reader_t* /*reader*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
void rocksdb_trace_reader_destroy(rocksdb_trace_reader_t* /*reader*/) {}
rocksdb_replayer_t* rocksdb_new_default_replayer(
    rocksdb_t* /*db*/, rocksdb_column_family_handle_t** /*column_families*/,
    size_t /*num_column_families*/, rocksdb_env_t* /*env*/,
    const rocksdb_envoptions_t* /*env_options*/, const char* /*trace_path*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
  return nullptr;
}
void rocksdb_replayer_prepare(rocksdb_replayer_t* /*replayer*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
VARVE_C_NOTHING(uint64_t, rocksdb_replayer_get_header_timestamp, const rocksdb_replayer_t*)
void rocksdb_replayer_replay(rocksdb_replayer_t* /*replayer*/,
                             const rocksdb_replay_options_t* /*options*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
void rocksdb_replayer_destroy(rocksdb_replayer_t* /*replayer*/) {}
void rocksdb_start_trace(rocksdb_t* /*db*/, rocksdb_env_t* /*env*/,
                         const rocksdb_envoptions_t* /*env_options*/,
                         const rocksdb_trace_options_t* /*options*/, const char* /*trace_path*/,
                         char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
void rocksdb_end_trace(rocksdb_t* /*db*/, char** errptr) { varve::c::Refuse(errptr, __func__); }
void rocksdb_start_io_trace(rocksdb_t* /*db*/, rocksdb_env_t* /*env*/,
                            const rocksdb_envoptions_t* /*env_options*/,
                            const rocksdb_trace_options_t* /*options*/, const char* /*trace_path*/,
                            char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
void rocksdb_end_io_trace(rocksdb_t* /*db*/, char** errptr) { varve::c::Refuse(errptr, __func__); }
void rocksdb_start_block_cache_trace(rocksdb_t* /*db*/, rocksdb_env_t* /*env*/,
                                     const rocksdb_envoptions_t* /*env_options*/,
                                     const rocksdb_trace_options_t* /*options*/,
                                     const char* /*trace_path*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
void rocksdb_start_block_cache_trace_with_options(
    rocksdb_t* /*db*/, rocksdb_env_t* /*env*/, const rocksdb_envoptions_t* /*env_options*/,
    const rocksdb_block_cache_trace_options_t* /*options*/,
    const rocksdb_block_cache_trace_writer_options_t* /*writer_options*/,
    const char* /*trace_path*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
void rocksdb_end_block_cache_trace(rocksdb_t* /*db*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
}
rocksdb_livefiles_storage_info_t* rocksdb_get_livefiles_storage_info(
    rocksdb_t* /*db*/, const rocksdb_livefiles_storage_info_options_t* /*options*/, char** errptr) {
  varve::c::Refuse(errptr, __func__);
  return nullptr;
}
VARVE_C_NOTHING(size_t, rocksdb_livefiles_storage_info_count,
                const rocksdb_livefiles_storage_info_t*)
VARVE_C_NOTHING(const char*, rocksdb_livefiles_storage_info_relative_filename,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NOTHING(const char*, rocksdb_livefiles_storage_info_directory,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NOTHING(uint64_t, rocksdb_livefiles_storage_info_file_number,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NOTHING(int, rocksdb_livefiles_storage_info_file_type,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NOTHING(uint64_t, rocksdb_livefiles_storage_info_size,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NOTHING(int, rocksdb_livefiles_storage_info_temperature,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NOTHING(const char*, rocksdb_livefiles_storage_info_file_checksum,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NOTHING(const char*, rocksdb_livefiles_storage_info_file_checksum_func_name,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NO_TEXT(rocksdb_livefiles_storage_info_replacement_contents,
                const rocksdb_livefiles_storage_info_t*, size_t)
VARVE_C_NOTHING(unsigned char, rocksdb_livefiles_storage_info_trim_to_size,
                const rocksdb_livefiles_storage_info_t*, size_t)
void rocksdb_livefiles_storage_info_destroy(rocksdb_livefiles_storage_info_t* /*info*/) {}

}  // extern "C"
