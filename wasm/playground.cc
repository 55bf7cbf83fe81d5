// SPDX-License-Identifier: Apache-2.0
#include "wasm/playground.h"

#include "core/base/try.h"
#include "varve/option_table.h"
#include "webview/api/engine_records.h"

namespace varve::wasm {
namespace {

Status SetAll(const std::string& lines, Options* options) {
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string line = lines.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    const OptionRow* row = FindOption(line.substr(0, equals));
    if (row == nullptr || equals == std::string::npos) {
      return Status::InvalidArgument(line + ": there is no such option");
    }
    RETURN_IF_ERROR(row->set(options, std::string_view(line).substr(equals + 1)));
  }
  return ValidateOptions(*options);
}

}  // namespace

Result<std::unique_ptr<Playground>> Playground::Open(const Environment& environment,
                                                     const std::string& path,
                                                     const std::string& lines) {
  Options options;
  options.env = environment;
  options.create_if_missing = true;
  options.block_cache_bytes = 8 << 20;
  RETURN_IF_ERROR(SetAll(lines, &options));
  ASSIGN_OR_RETURN(std::unique_ptr<DB> db, DB::Open(options, path));
  return std::unique_ptr<Playground>(new Playground(path, std::move(db)));
}

std::shared_ptr<api::RecordReader> Playground::Records() { return api::RecordsOf(*db_); }

api::Json Playground::Stats() {
  const DbStats stats = db_->Stats();
  return {{"last_sequence", std::to_string(stats.last_sequence)},
          {"memtable_bytes", stats.memtable_bytes},
          {"block_cache_bytes", stats.block_cache_bytes},
          {"block_cache_hits", stats.block_cache_hits},
          {"block_cache_misses", stats.block_cache_misses},
          {"user_bytes_written", stats.user_bytes_written},
          {"wal_bytes_written", stats.wal_bytes_written},
          {"flush_bytes_written", stats.flush_bytes_written},
          {"compaction_bytes_read", stats.compaction_bytes_read},
          {"compaction_bytes_written", stats.compaction_bytes_written},
          {"flushes", stats.flushes},
          {"compactions", stats.compactions}};
}

Status Playground::SetOptions(const std::string&,
                              const std::vector<std::pair<std::string, std::string>>&, bool) {
  return Status::NotSupported("the options of a playground are given when it is made");
}

Status Playground::Flush(const std::string& family) {
  const std::optional<ColumnFamilyId> id = db_->FindFamily(family);
  if (!id) return Status::NotFound("there is no column family '" + family + "'");
  return db_->Flush({}, *id);
}

Status Playground::Compact(const std::string& family, std::optional<std::string> from,
                           std::optional<std::string> to) {
  const std::optional<ColumnFamilyId> id = db_->FindFamily(family);
  if (!id) return Status::NotFound("there is no column family '" + family + "'");
  return db_->CompactRange({}, from, to, *id);
}

}  // namespace varve::wasm
