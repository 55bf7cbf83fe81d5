// SPDX-License-Identifier: Apache-2.0
// Refused: compactions by a service of the program, and as its worker. The engine has both in a
// form of its own (core/engine/jobs/remote_compaction.h), whose plans RocksDB's workers cannot
// read.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/c/eleven/handles.h"
#include "core/c/eleven/nothing.h"
#include "core/c/error.h"

struct rocksdb_block_based_table_options_t;
struct rocksdb_compactionfilter_t;
struct rocksdb_compactionfilterfactory_t;
struct rocksdb_compactionservice_jobinfo_t;
struct rocksdb_comparator_t;
struct rocksdb_cuckoo_table_options_t;
struct rocksdb_env_t;
struct rocksdb_eventlistener_t;
struct rocksdb_file_checksum_gen_factory_t;
struct rocksdb_logger_t;
struct rocksdb_mergeoperator_t;
struct rocksdb_open_and_compact_options_t;
struct rocksdb_options_t;
struct rocksdb_slicetransform_t;
struct rocksdb_sst_partitioner_factory_t;
struct rocksdb_table_properties_collector_factory_t;

struct rocksdb_compactionservice_scheduleresponse_t {
  std::string job;
  int status;
};
struct rocksdb_compaction_service_options_override_t {};
struct rocksdb_compactionservice_t {
  void* state;
  void (*destructor)(void*);
};
using ScheduleResponse = rocksdb_compactionservice_scheduleresponse_t;

extern "C" {

// --- objects that can be made

ScheduleResponse* rocksdb_compactionservice_scheduleresponse_create(const char* job, int status,
                                                                    char** errptr) {
  constexpr int kStatusMax = 3;
  if (status < 0 || status > kStatusMax) {
    varve::c::SaveError(errptr, varve::Status::InvalidArgument("there is no such job status"));
    return nullptr;
  }
  return new ScheduleResponse{job == nullptr ? "" : job, status};
}
ScheduleResponse* rocksdb_compactionservice_scheduleresponse_create_with_status(int status,
                                                                                char** errptr) {
  return rocksdb_compactionservice_scheduleresponse_create(nullptr, status, errptr);
}
int rocksdb_compactionservice_scheduleresponse_getstatus(const ScheduleResponse* response) {
  return response->status;
}
const char* rocksdb_compactionservice_scheduleresponse_get_scheduled_job_id(
    const ScheduleResponse* response, size_t* size) {
  *size = response->job.size();
  return response->job.data();
}
void rocksdb_compactionservice_scheduleresponse_t_destroy(ScheduleResponse* response) {
  delete response;
}

rocksdb_compaction_service_options_override_t*
rocksdb_compaction_service_options_override_create() {
  return new rocksdb_compaction_service_options_override_t;
}
rocksdb_compaction_service_options_override_t*
rocksdb_compaction_service_options_override_create_from_options(rocksdb_options_t* /*options*/) {
  return new rocksdb_compaction_service_options_override_t;
}
void rocksdb_compaction_service_options_override_destroy(
    rocksdb_compaction_service_options_override_t* override) {
  delete override;
}

unsigned char* rocksdb_open_and_compact_canceled_create() { return new unsigned char(0); }
void rocksdb_open_and_compact_canceled_destroy(unsigned char* canceled) { delete canceled; }
void rocksdb_open_and_compact_canceled_set(unsigned char* canceled, unsigned char value) {
  *canceled = value;
}
void rocksdb_open_and_compact_options_set_canceled(rocksdb_open_and_compact_options_t* /*options*/,
                                                   unsigned char* /*canceled*/) {}

// --- refused when a database is opened

rocksdb_compactionservice_t* rocksdb_compactionservice_create(
    void* state, void (*destructor)(void*),
    ScheduleResponse* (*)(void*, const rocksdb_compactionservice_jobinfo_t*, const char*, size_t),
    const char* /*name*/, int (*)(void*, const char*, char**, size_t*), void (*)(void*),
    void (*)(void*, const char*, int)) {
  return new rocksdb_compactionservice_t{state, destructor};
}
// The options own it, as in RocksDB; they keep none.
void rocksdb_options_set_compaction_service(rocksdb_options_t* options,
                                            rocksdb_compactionservice_t* service) {
  options->refused.erase(__func__);
  if (service == nullptr) return;
  options->refused.insert(__func__);
  if (service->destructor != nullptr) service->destructor(service->state);
  delete service;
}

// --- the rest

VARVE_C_NO_TEXT(rocksdb_compactionservice_jobinfo_t_get_db_name,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NO_TEXT(rocksdb_compactionservice_jobinfo_t_get_db_id,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NO_TEXT(rocksdb_compactionservice_jobinfo_t_get_db_session_id,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NO_TEXT(rocksdb_compactionservice_jobinfo_t_get_cf_name,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(uint32_t, rocksdb_compactionservice_jobinfo_t_get_cf_id,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(uint64_t, rocksdb_compactionservice_jobinfo_t_get_job_id,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_compactionservice_jobinfo_t_get_priority,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_compactionservice_jobinfo_t_get_compaction_reason,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_compactionservice_jobinfo_t_get_base_input_level,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(int, rocksdb_compactionservice_jobinfo_t_get_output_level,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(unsigned char, rocksdb_compactionservice_jobinfo_t_is_full_compaction,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(unsigned char, rocksdb_compactionservice_jobinfo_t_is_manual_compaction,
                const rocksdb_compactionservice_jobinfo_t*)
VARVE_C_NOTHING(unsigned char, rocksdb_compactionservice_jobinfo_t_is_bottommost_level,
                const rocksdb_compactionservice_jobinfo_t*)
void rocksdb_compaction_service_options_override_set_env(
    rocksdb_compaction_service_options_override_t* /*override_options*/, rocksdb_env_t* /*env*/) {}
void rocksdb_compaction_service_options_override_set_comparator(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_comparator_t* /*comparator*/) {}
void rocksdb_compaction_service_options_override_set_merge_operator(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_mergeoperator_t* /*merge_operator*/) {}
void rocksdb_compaction_service_options_override_set_compaction_filter(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_compactionfilter_t* /*compaction_filter*/) {}
void rocksdb_compaction_service_options_override_set_compaction_filter_factory(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_compactionfilterfactory_t* /*compaction_filter_factory*/) {}
void rocksdb_compaction_service_options_override_set_prefix_extractor(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_slicetransform_t* /*prefix_extractor*/) {}
void rocksdb_compaction_service_options_override_set_block_based_table_factory(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_block_based_table_options_t* /*table_options*/) {}
void rocksdb_compaction_service_options_override_set_cuckoo_table_factory(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_cuckoo_table_options_t* /*table_options*/) {}
void rocksdb_compaction_service_options_override_add_event_listener(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_eventlistener_t* /*event_listener*/) {}
void rocksdb_compaction_service_options_override_set_statistics(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_options_t* /*options*/) {}
void rocksdb_compaction_service_options_override_set_info_log(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_logger_t* /*logger*/) {}
void rocksdb_compaction_service_options_override_set_option(
    rocksdb_compaction_service_options_override_t* /*override_options*/, const char* /*key*/,
    const char* /*value*/) {}
void rocksdb_compaction_service_options_override_set_file_checksum_gen_factory(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_file_checksum_gen_factory_t* /*factory*/) {}
void rocksdb_compaction_service_options_override_set_sst_partitioner_factory(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_sst_partitioner_factory_t* /*factory*/) {}
void rocksdb_compaction_service_options_override_add_table_properties_collector_factory(
    rocksdb_compaction_service_options_override_t* /*override_options*/,
    rocksdb_table_properties_collector_factory_t* /*factory*/) {}
char* rocksdb_open_and_compact(
    const char* /*db_path*/, const char* /*output_directory*/, const char* /*input*/,
    size_t /*input_len*/, size_t* size,
    const rocksdb_compaction_service_options_override_t* /*override_options*/, char** errptr) {
  *size = 0;
  varve::c::Refuse(errptr, __func__);
  return nullptr;
}
char* rocksdb_open_and_compact_with_options(
    const rocksdb_open_and_compact_options_t* /*options*/, const char* /*db_path*/,
    const char* /*output_directory*/, const char* /*input*/, size_t /*input_len*/, size_t* size,
    const rocksdb_compaction_service_options_override_t* /*override_options*/, char** errptr) {
  *size = 0;
  varve::c::Refuse(errptr, __func__);
  return nullptr;
}

}  // extern "C"
