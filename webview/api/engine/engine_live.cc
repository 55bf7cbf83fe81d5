// SPDX-License-Identifier: Apache-2.0
#include "webview/api/engine/engine_live.h"

#include <filesystem>
#include <mutex>
#include <system_error>

#include "core/base/hash/sha256.h"
#include "core/base/out_of_memory.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/db.h"
#include "webview/api/engine/engine_metrics.h"
#include "webview/api/engine/engine_records.h"

namespace varve::api {
namespace {

Result<ColumnFamilyId> FamilyOf(const DB& db, const std::string& name) {
  if (const auto id = db.FindFamily(name)) return *id;
  return Status::InvalidArgument("there is no column family '" + EscapeForDisplay(name) + "'");
}

}  // namespace

void EngineLive::Sample() {
  StatsSample sample = {.unix_micros = clock_.UnixMicros(), .db = db_.Stats()};
  if (uploads_ != nullptr) uploads_->Sweep();
  MutexLock lock(mu_);
  samples_.push_back(std::move(sample));
  if (samples_.size() > kSamplesMax) samples_.pop_front();
}

std::shared_ptr<RecordReader> EngineLive::Records() { return RecordsOf(db_); }

EngineStats EngineLive::Stats() { return {.db = db_.Stats(), .families = db_.StatsOfFamilies()}; }

std::vector<StatsSample> EngineLive::StatsHistory() {
  MutexLock lock(mu_);
  return {samples_.begin(), samples_.end()};
}

std::string EngineLive::Metrics() { return MetricsText(Stats()); }

Status EngineLive::SetOptions(const std::string& family,
                              const std::vector<std::pair<std::string, std::string>>& changes,
                              bool validate_only) {
  const OutOfMemoryEnds ends;
  ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyOf(db_, family));
  return validate_only ? db_.CheckOptions(changes, id) : db_.SetOptions(changes, id);
}

Result<std::optional<size_t>> EngineLive::FirstUnmet(const std::vector<Expectation>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto& [family, key, sha256] = expected[i];
    ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyOf(db_, family));
    ASSIGN_OR_RETURN(const std::optional<Value> value, db_.Get({}, key, id));
    const bool holds = value ? sha256 == Sha256Of(value->view()) : !sha256;
    if (!holds) return std::optional(i);
  }
  return std::optional<size_t>();
}

Result<LiveEngine::Written> EngineLive::Write(const std::vector<Operation>& operations,
                                              const std::vector<Expectation>& expected) {
  WriteBatch batch;
  for (const Operation& operation : operations) {
    ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyOf(db_, operation.family));
    switch (operation.kind) {
      case Operation::Kind::kPut:
        batch.Put(operation.key, operation.value, id);
        break;
      case Operation::Kind::kDelete:
        batch.Delete(operation.key, id);
        break;
      case Operation::Kind::kSingleDelete:
        batch.SingleDelete(operation.key, id);
        break;
      case Operation::Kind::kMerge:
        batch.Merge(operation.key, operation.value, id);
        break;
      case Operation::Kind::kDeleteRange:
        batch.DeleteRange(operation.key, operation.value, id);
        break;
    }
  }
  const OutOfMemoryEnds ends;
  std::unique_lock<std::shared_mutex> alone(writes_, std::defer_lock);
  std::shared_lock<std::shared_mutex> shared(writes_, std::defer_lock);
  if (expected.empty()) {
    shared.lock();
  } else {
    alone.lock();
    ASSIGN_OR_RETURN(const std::optional<size_t> unmet, FirstUnmet(expected));
    if (unmet) return Written{.unmet = unmet};
  }
  RETURN_IF_ERROR(db_.Write({.durability = Durability::kSync}, std::move(batch)));
  return Written{.sequence = db_.Stats().last_sequence};
}

Status EngineLive::Flush(const std::string& family) {
  const OutOfMemoryEnds ends;
  ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyOf(db_, family));
  return db_.Flush({}, id);
}

Status EngineLive::Compact(const std::string& family, std::optional<std::string> from,
                           std::optional<std::string> to) {
  const OutOfMemoryEnds ends;
  ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyOf(db_, family));
  return db_.CompactRange({}, from, to, id);
}

void EngineLive::TakeUploads(const Environment& env, const UploadLimits& limits) {
  uploads_ = std::make_unique<Uploads>(env, db_.path(), limits);
}

Status EngineLive::Ingest(const std::string& folder, const std::vector<StagedTables>& tables,
                          bool move) {
  const OutOfMemoryEnds ends;
  const std::string directory = db_.path() + "/";
  std::vector<FamilyTables> families;
  for (const StagedTables& staged : tables) {
    ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyOf(db_, staged.family));
    std::vector<std::string>& paths = families.emplace_back(FamilyTables{id}).paths;
    for (const std::string& name : staged.files) {
      if (!IsStagedName(name)) {
        return Status::InvalidArgument(EscapeForDisplay(name) + ": is not the name of a file");
      }
      paths.push_back(directory + folder + "/" + name);
      std::error_code error;
      if (std::filesystem::is_symlink(paths.back(), error)) {
        return Status::InvalidArgument(EscapeForDisplay(name) + ": is a symbolic link");
      }
    }
  }
  const std::shared_lock<std::shared_mutex> shared(writes_);
  const Status added = db_.IngestFamilies({.move_files = move}, families);
  // Clients need not know where the database is.
  const std::string_view message = added.message();
  if (!message.starts_with(directory)) return added;
  return Status(added.code(), std::string(message.substr(directory.size())));
}

}  // namespace varve::api
