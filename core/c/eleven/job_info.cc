// SPDX-License-Identifier: Apache-2.0
// What a compaction of chosen files has done, and its statistics. Those that the engine does not
// know are in refused_listeners.cc.
#include "core/c/eleven/job_info.h"

#include <algorithm>
#include <utility>

#include "core/c/error.h"

using varve::CompactedTable;
using varve::CompactionJobInfo;
using Info = rocksdb_compactionjobinfo_t;
using Stats = rocksdb_compaction_job_stats_t;
using varve::c::BytesOf;

void rocksdb_compactionjobinfo_t::Set(CompactionJobInfo done, uint64_t thread) {
  info = std::move(done);
  thread_id = thread;
  inputs.clear();
  outputs.clear();
  additions.clear();
  garbage.clear();
  for (const CompactedTable& table : info.inputs) inputs.push_back({&table});
  for (const CompactedTable& table : info.outputs) outputs.push_back({&table});
  for (const varve::CompactedBlobs& blobs : info.blobs) additions.push_back({&blobs});
  for (const varve::CompactedBlobs& blobs : info.garbage) garbage.push_back({&blobs});
}

namespace varve::c {
namespace {

template <typename Number>
uint64_t SumOf(const std::vector<CompactedTable>& tables, Number CompactedTable::* number) {
  uint64_t sum = 0;
  for (const CompactedTable& table : tables) sum += table.*number;
  return sum;
}

size_t InputsAtOutputLevel(const CompactionJobInfo& info) {
  return static_cast<size_t>(
      std::count_if(info.inputs.begin(), info.inputs.end(),
                    [&](const CompactedTable& table) { return table.level == info.output_level; }));
}

// What was moved has been read by nobody.
const std::vector<CompactedTable>& Written(const CompactionJobInfo& info) {
  static const auto* const nothing = new std::vector<CompactedTable>;
  return info.moved ? *nothing : info.outputs;
}
const std::vector<CompactedTable>& Read(const CompactionJobInfo& info) {
  static const auto* const nothing = new std::vector<CompactedTable>;
  return info.moved ? *nothing : info.inputs;
}

uint64_t BlobBytes(const CompactionJobInfo& info) {
  uint64_t bytes = 0;
  for (const CompactedBlobs& blobs : info.blobs) bytes += blobs.bytes;
  return bytes;
}

const char* PathAt(const std::vector<CompactedTable>& tables, size_t at, size_t* size) {
  return BytesOf(at < tables.size() ? std::string_view(tables[at].path) : std::string_view(), size);
}

template <typename Handle>
const Handle* HandleAt(const std::vector<Handle>& handles, size_t at) {
  return at < handles.size() ? &handles[at] : nullptr;
}

}  // namespace
}  // namespace varve::c

using varve::c::HandleAt;
using varve::c::PathAt;
using varve::c::Read;
using varve::c::SumOf;
using varve::c::Written;

extern "C" {

Info* rocksdb_compactionjobinfo_create() { return new Info; }
void rocksdb_compactionjobinfo_destroy(Info* info) { delete info; }

uint32_t rocksdb_compactionjobinfo_cf_id(const Info* info) { return info->info.family; }
const char* rocksdb_compactionjobinfo_cf_name(const Info* info, size_t* size) {
  return BytesOf(info->info.family_name, size);
}
// Only what was done is described.
void rocksdb_compactionjobinfo_status(const Info* /*info*/, char** /*errptr*/) {}
uint64_t rocksdb_compactionjobinfo_thread_id(const Info* info) { return info->thread_id; }
int rocksdb_compactionjobinfo_job_id(const Info* info) { return static_cast<int>(info->info.job); }
int rocksdb_compactionjobinfo_num_l0_files(const Info* info) {
  return static_cast<int>(info->info.level0_files);
}
int rocksdb_compactionjobinfo_base_input_level(const Info* info) {
  return info->info.base_input_level;
}
int rocksdb_compactionjobinfo_output_level(const Info* info) { return info->info.output_level; }
uint32_t rocksdb_compactionjobinfo_compaction_reason(const Info* /*info*/) {
  constexpr uint32_t kManualCompaction = 9;
  return kManualCompaction;
}
uint32_t rocksdb_compactionjobinfo_compression(const Info* info) {
  return static_cast<uint32_t>(info->info.compression);
}
uint32_t rocksdb_compactionjobinfo_blob_compression_type(const Info* info) {
  return static_cast<uint32_t>(info->info.blob_compression);
}
unsigned char rocksdb_compactionjobinfo_aborted(const Info* /*info*/) { return 0; }

size_t rocksdb_compactionjobinfo_input_files_count(const Info* info) {
  return info->info.inputs.size();
}
const char* rocksdb_compactionjobinfo_input_file_at(const Info* info, size_t at, size_t* size) {
  return PathAt(info->info.inputs, at, size);
}
size_t rocksdb_compactionjobinfo_output_files_count(const Info* info) {
  return info->info.outputs.size();
}
const char* rocksdb_compactionjobinfo_output_file_at(const Info* info, size_t at, size_t* size) {
  return PathAt(info->info.outputs, at, size);
}
size_t rocksdb_compactionjobinfo_input_file_infos_count(const Info* info) {
  return info->inputs.size();
}
const rocksdb_compaction_file_info_t* rocksdb_compactionjobinfo_input_file_info_at(const Info* info,
                                                                                   size_t at) {
  return HandleAt(info->inputs, at);
}
size_t rocksdb_compactionjobinfo_output_file_infos_count(const Info* info) {
  return info->outputs.size();
}
const rocksdb_compaction_file_info_t* rocksdb_compactionjobinfo_output_file_info_at(
    const Info* info, size_t at) {
  return HandleAt(info->outputs, at);
}
size_t rocksdb_compactionjobinfo_table_properties_count(const Info* /*info*/) { return 0; }
size_t rocksdb_compactionjobinfo_blob_file_addition_infos_count(const Info* info) {
  return info->additions.size();
}
const rocksdb_blob_file_addition_info_t* rocksdb_compactionjobinfo_blob_file_addition_info_at(
    const Info* info, size_t at) {
  return HandleAt(info->additions, at);
}
size_t rocksdb_compactionjobinfo_blob_file_garbage_infos_count(const Info* info) {
  return info->garbage.size();
}
const rocksdb_blob_file_garbage_info_t* rocksdb_compactionjobinfo_blob_file_garbage_info_at(
    const Info* info, size_t at) {
  return HandleAt(info->garbage, at);
}

const Stats* rocksdb_compactionjobinfo_stats(const Info* info) { return &info->stats; }

// --- statistics

uint64_t rocksdb_compaction_job_stats_elapsed_micros(const Stats* stats) {
  return stats->info->micros;
}
unsigned char rocksdb_compaction_job_stats_has_accurate_num_input_records(const Stats* stats) {
  const std::vector<CompactedTable>& read = Read(*stats->info);
  return std::all_of(read.begin(), read.end(),
                     [](const CompactedTable& table) { return table.entries > 0; });
}
uint64_t rocksdb_compaction_job_stats_num_input_records(const Stats* stats) {
  return SumOf(Read(*stats->info), &CompactedTable::entries);
}
size_t rocksdb_compaction_job_stats_num_input_files(const Stats* stats) {
  return Read(*stats->info).size();
}
size_t rocksdb_compaction_job_stats_num_input_files_trivially_moved(const Stats* stats) {
  return stats->info->moved ? stats->info->inputs.size() : 0;
}
size_t rocksdb_compaction_job_stats_num_input_files_at_output_level(const Stats* stats) {
  return varve::c::InputsAtOutputLevel(*stats->info);
}
uint64_t rocksdb_compaction_job_stats_num_output_records(const Stats* stats) {
  return SumOf(Written(*stats->info), &CompactedTable::entries);
}
size_t rocksdb_compaction_job_stats_num_output_files(const Stats* stats) {
  return Written(*stats->info).size();
}
size_t rocksdb_compaction_job_stats_num_output_files_blob(const Stats* stats) {
  return stats->info->blobs.size();
}
unsigned char rocksdb_compaction_job_stats_is_full_compaction(const Stats* stats) {
  return stats->info->full;
}
unsigned char rocksdb_compaction_job_stats_is_manual_compaction(const Stats* stats) {
  return stats->info->job > 0;
}
unsigned char rocksdb_compaction_job_stats_is_remote_compaction(const Stats* stats) {
  return stats->info->remote;
}
uint64_t rocksdb_compaction_job_stats_total_input_bytes(const Stats* stats) {
  return SumOf(Read(*stats->info), &CompactedTable::size);
}
uint64_t rocksdb_compaction_job_stats_total_output_bytes(const Stats* stats) {
  return SumOf(Written(*stats->info), &CompactedTable::size);
}
uint64_t rocksdb_compaction_job_stats_total_output_bytes_blob(const Stats* stats) {
  return varve::c::BlobBytes(*stats->info);
}
uint64_t rocksdb_compaction_job_stats_total_input_raw_key_bytes(const Stats* stats) {
  return SumOf(Read(*stats->info), &CompactedTable::raw_key_bytes);
}
uint64_t rocksdb_compaction_job_stats_total_input_raw_value_bytes(const Stats* stats) {
  return SumOf(Read(*stats->info), &CompactedTable::raw_value_bytes);
}
uint64_t rocksdb_compaction_job_stats_num_input_deletion_records(const Stats* stats) {
  return SumOf(Read(*stats->info), &CompactedTable::deletions);
}

uint64_t rocksdb_compactionjobinfo_elapsed_micros(const Info* info) {
  return rocksdb_compaction_job_stats_elapsed_micros(&info->stats);
}
uint64_t rocksdb_compactionjobinfo_num_corrupt_keys(const Info* /*info*/) { return 0; }
uint64_t rocksdb_compactionjobinfo_input_records(const Info* info) {
  return rocksdb_compaction_job_stats_num_input_records(&info->stats);
}
uint64_t rocksdb_compactionjobinfo_output_records(const Info* info) {
  return rocksdb_compaction_job_stats_num_output_records(&info->stats);
}
uint64_t rocksdb_compactionjobinfo_total_input_bytes(const Info* info) {
  return rocksdb_compaction_job_stats_total_input_bytes(&info->stats);
}
uint64_t rocksdb_compactionjobinfo_total_output_bytes(const Info* info) {
  return rocksdb_compaction_job_stats_total_output_bytes(&info->stats);
}
size_t rocksdb_compactionjobinfo_num_input_files(const Info* info) {
  return rocksdb_compaction_job_stats_num_input_files(&info->stats);
}
size_t rocksdb_compactionjobinfo_num_input_files_at_output_level(const Info* info) {
  return rocksdb_compaction_job_stats_num_input_files_at_output_level(&info->stats);
}

// --- files

int rocksdb_compaction_file_info_level(const rocksdb_compaction_file_info_t* info) {
  return info->table->level;
}
uint64_t rocksdb_compaction_file_info_file_number(const rocksdb_compaction_file_info_t* info) {
  return info->table->number;
}
uint64_t rocksdb_compaction_file_info_oldest_blob_file_number(
    const rocksdb_compaction_file_info_t* info) {
  return info->table->oldest_blob_file;
}
const char* rocksdb_blob_file_addition_info_blob_file_path(
    const rocksdb_blob_file_addition_info_t* info, size_t* size) {
  return BytesOf(info->blobs->path, size);
}
uint64_t rocksdb_blob_file_addition_info_blob_file_number(
    const rocksdb_blob_file_addition_info_t* info) {
  return info->blobs->number;
}
uint64_t rocksdb_blob_file_addition_info_total_blob_count(
    const rocksdb_blob_file_addition_info_t* info) {
  return info->blobs->count;
}
uint64_t rocksdb_blob_file_addition_info_total_blob_bytes(
    const rocksdb_blob_file_addition_info_t* info) {
  return info->blobs->bytes;
}
const char* rocksdb_blob_file_garbage_info_blob_file_path(
    const rocksdb_blob_file_garbage_info_t* info, size_t* size) {
  return BytesOf(info->blobs->path, size);
}
uint64_t rocksdb_blob_file_garbage_info_blob_file_number(
    const rocksdb_blob_file_garbage_info_t* info) {
  return info->blobs->number;
}
uint64_t rocksdb_blob_file_garbage_info_garbage_blob_count(
    const rocksdb_blob_file_garbage_info_t* info) {
  return info->blobs->count;
}
uint64_t rocksdb_blob_file_garbage_info_garbage_blob_bytes(
    const rocksdb_blob_file_garbage_info_t* info) {
  return info->blobs->bytes;
}

}  // extern "C"
