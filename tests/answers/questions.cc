// SPDX-License-Identifier: Apache-2.0
#include "tests/answers/questions.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/format/value/stored_value.h"
#include "core/inspect/explain/explain.h"
#include "core/inspect/explain/explain_scan.h"
#include "core/inspect/verify/verify.h"
#include "core/repair/database_repair.h"
#include "core/table/read/table_reader.h"
#include "varve/db.h"
#include "varve/environment.h"

namespace varve {
namespace {

constexpr size_t kExplainedKeys = 12;
// Of more rows than this, some that are spread evenly are sought and got.
constexpr size_t kRowsAllAsked = 5000;
constexpr size_t kAskedKeys = 100;

// Between the rows that are asked about. One question may cost as much as all keys of a block.
size_t Step(size_t rows) { return rows <= kRowsAllAsked ? 1 : rows / kAskedKeys + 1; }

using Row = std::pair<std::string, std::string>;
struct StoredRow {
  std::string key;
  Sequence sequence = 0;
  ValueType type = ValueType::kValue;
  std::string value;
};

class TableQuestions {
 public:
  explicit TableQuestions(const TableReader& table) : table_(table) {}

  Answers Ask() {
    if (Scan()) {
      Seek();
      Get();
    }
    return std::move(answers_);
  }

 private:
  bool Scan() {
    const auto it = table_.NewIterator({.fill_cache = false});
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      const InternalKey& key = it->key();
      rows_.push_back(
          {std::string(key.user_key), key.sequence, key.type, std::string(it->value())});
      answers_.Take(CheckStoredValue(key.user_key, key.type, it->value()), "a value");
    }
    if (!answers_.Take(it->status(), "scan")) return false;
    size_t left = rows_.size();
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      if (left == 0 || rows_[left - 1].key != it->key().user_key ||
          rows_[left - 1].value != it->value()) {
        answers_.Fail("backwards another entry comes than forwards");
        return false;
      }
      --left;
    }
    if (answers_.Take(it->status(), "scan backwards") && left != 0) {
      answers_.Fail("backwards entries are left out");
    }
    return answers_.wrong.empty();
  }

  void Seek() {
    if (table_.comparator() == nullptr) return;
    const auto it = table_.NewIterator({.fill_cache = false});
    for (size_t i = 0; i < rows_.size(); i += Step(rows_.size())) {
      const StoredRow& row = rows_[i];
      it->Seek({row.key, row.sequence, row.type});
      const bool there = it->Valid() && it->key().user_key == row.key && it->value() == row.value;
      if (!answers_.Take(it->status(), "seek")) return;
      if (!there) return answers_.Fail("a seek of " + row.key + " misses it");
    }
  }

  void Get() {
    if (table_.comparator() == nullptr) return;
    for (size_t i = 0; i < rows_.size(); i += Step(rows_.size())) {
      const StoredRow& row = rows_[i];
      Lookup lookup(row.key, row.sequence);
      table_.Get({}, &lookup, FilterVerdict::kNotAsked);
      if (!answers_.Take(lookup.status, "get")) return;
      if (lookup.state == Lookup::State::kSearching) {
        return answers_.Fail("a get of " + row.key + " does not find it");
      }
      if (row.type == ValueType::kValue && lookup.state == Lookup::State::kFound &&
          lookup.value.view() != row.value) {
        return answers_.Fail("a get of " + row.key + " has another value");
      }
    }
  }

  const TableReader& table_;
  Answers answers_;
  std::vector<StoredRow> rows_;
};

class DatabaseQuestions {
 public:
  DatabaseQuestions(FileSystem& fs, Judge* judge) : fs_(fs), judge_(judge) {
    environment_ = NativeEnvironment();
    environment_.file_system = &fs;
    environment_.executor = &executor_;
  }

  Answers Ask(const std::string& path) {
    path_ = path;
    Options options;
    options.env = environment_;
    options.block_cache_bytes = 1 << 20;
    RecoveryReport recovery;
    const auto db = DB::OpenReadOnly(options, path, &recovery);
    if (!answers_.Take(db.status(), "open")) {
      ExplainAgainstRefusal(db.status());
      return std::move(answers_);
    }
    // What recovery left out, everybody leaves out; whether that is damage is not asked here.
    if (!recovery.losses.empty()) answers_.unsupported = true;
    for (const FamilyInfo& family : (*db)->Families()) {
      if (ComparatorByName(family.comparator) == nullptr) {
        answers_.unsupported = true;
        continue;
      }
      AskFamily(**db, family);
    }
    return std::move(answers_);
  }

  // Makes "repaired", as the command does, and asks it.
  void Repair(const std::string& path) {
    const auto repaired = RepairDatabase(environment_, path, "repaired", {});
    if (!repaired.ok()) return;  // It says what it cannot repair.
    Options options;
    options.env = environment_;
    options.block_cache_bytes = 1 << 20;
    options.wal_recovery_mode = WalRecoveryMode::kSkipAnyCorrupted;
    options.family.disable_auto_compactions = true;
    {
      const auto db = DB::Open(options, "repaired");
      if (!db.ok()) {
        // A batch with a right checksum that is none, or a MANIFEST that wants a log again which
        // was flushed: the command says so and leaves all as it was.
        const bool of_log = db.status().message().find(".log") != std::string_view::npos ||
                            db.status().message().find("do not follow") != std::string_view::npos;
        if (db.status().code() != Code::kNotSupported && !of_log) {
          judge_->Fail("the repaired database does not open: " + db.status().ToString());
        }
        return;
      }
      if (const Status closed = (*db)->Close(); !closed.ok()) judge_->Fail(closed.ToString());
    }
    std::string result = "repaired";
    if (repaired->brings_flushed_logs()) {
      result = "placed";
      const auto placed = RepairDatabase(environment_, "repaired", result, {.place_anew = true});
      if (!placed.ok()) return judge_->Fail("placed anew: " + placed.status().ToString());
    }
    const auto report = VerifyDatabase(fs_, result, nullptr);
    if (!report.ok()) return judge_->Fail("repaired: " + report.status().ToString());
    for (const Finding& finding : report->findings) {
      if (finding.severity != Finding::Severity::kError) continue;
      // It is copied for the values of it that tables point to; those are read below.
      if (finding.file.ends_with(".blob")) continue;
      return judge_->Fail("the repaired database has damage: " + finding.file + ": " +
                          finding.what);
    }
    const Answers reads = DatabaseQuestions(fs_, judge_).Ask(result);
    if (!reads.wrong.empty()) judge_->Fail("repaired: " + reads.wrong);
  }

 private:
  // What does not open is not explained either.
  void ExplainAgainstRefusal(const Status& refused) {
    const auto explained = ExplainGet(fs_, path_, {.key = "abc", .cache_bytes = 0});
    if (explained.ok() && explained->failure.ok() && refused.code() == Code::kCorruption &&
        refused.message().find(".log") != std::string_view::npos) {
      judge_->Fail("a get is explained that is refused: " + refused.ToString());
    }
  }

  void AskFamily(DB& db, const FamilyInfo& family) {
    rows_.clear();
    const Status scanned = Scan(db, family.id);
    ExplainScanAgainst(scanned, family.name);
    for (size_t i = 0; i < rows_.size(); i += Step(rows_.size())) {
      const auto value = db.Get({}, rows_[i].first, family.id);
      if (!answers_.Take(value.status(), "get")) break;
      if (!*value) {
        answers_.Fail("a get of " + rows_[i].first + " does not find it");
      } else if ((*value)->view() != rows_[i].second) {
        answers_.Fail("a get of " + rows_[i].first + " has another value");
      }
    }
    const size_t step = rows_.size() / kExplainedKeys + 1;
    std::vector<std::string> keys;
    for (size_t i = 0; i < rows_.size(); i += step) keys.push_back(rows_[i].first);
    keys.emplace_back("abc");
    for (const std::string& key : keys) ExplainGetAgainst(db, family, key);
    ExplainMultiGetAgainst(db, family, keys);
  }

  Status Scan(DB& db, ColumnFamilyId family) {
    auto it = db.NewIterator({}, family);
    if (!answers_.Take(it.status(), "scan")) return it.status();
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      rows_.emplace_back(std::string(it->key()), std::string(it->value()));
    }
    const Status forwards = it->status();
    const bool whole = answers_.Take(forwards, "scan");
    size_t left = rows_.size();
    for (it->SeekToLast(); whole && it->Valid(); it->Prev()) {
      if (left == 0 || rows_[left - 1].first != it->key() ||
          rows_[left - 1].second != it->value()) {
        answers_.Fail("backwards another row comes than forwards");
        return forwards;
      }
      --left;
    }
    if (whole && answers_.Take(it->status(), "scan backwards") && left != 0) {
      answers_.Fail("backwards rows are left out");
    }
    return forwards;
  }

  void ExplainScanAgainst(const Status& scanned, const std::string& family) {
    const auto explained =
        ExplainScan(fs_, path_, {.family = family, .limit = ~uint64_t{0}, .cache_bytes = 1 << 20});
    if (!explained.ok()) return judge_->Fail("explain scan: " + explained.status().ToString());
    Status problem;
    for (const ScanPart& part : explained->parts) {
      if (problem.ok()) problem = part.problem;
    }
    if (problem.code() != scanned.code()) {
      judge_->Fail("a scan: " + scanned.ToString() + "; explained: " + problem.ToString());
    } else if (scanned.ok() && explained->rows != rows_.size()) {
      judge_->Fail("a scan has " + std::to_string(rows_.size()) +
                   " rows; explained: " + std::to_string(explained->rows));
    }
  }

  void ExplainGetAgainst(DB& db, const FamilyInfo& family, const std::string& key) {
    const auto got = db.Get({}, key, family.id);
    const auto explained =
        ExplainGet(fs_, path_, {.family = family.name, .key = key, .cache_bytes = 0});
    if (!explained.ok()) return judge_->Fail("explain get: " + explained.status().ToString());
    CompareGot("a get of " + key, got, *explained);
  }

  void ExplainMultiGetAgainst(DB& db, const FamilyInfo& family,
                              const std::vector<std::string>& keys) {
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const auto got = db.MultiGet({}, views, family.id);
    const auto explained =
        ExplainMultiGet(fs_, path_, {.family = family.name, .cache_bytes = 0}, keys);
    if (!explained.ok()) return judge_->Fail("explain multiget: " + explained.status().ToString());
    if (explained->keys.size() != keys.size()) {
      return judge_->Fail("explain multiget has " + std::to_string(explained->keys.size()) +
                          " answers for " + std::to_string(keys.size()) + " keys");
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      CompareGot("a multiget of " + keys[i], got.at(i), explained->keys[i]);
    }
  }

  void CompareGot(const std::string& what, const Result<std::optional<Value>>& got,
                  const ExplainedGet& explained) {
    if (got.status().code() != explained.failure.code()) {
      return judge_->Fail(what + ": " + got.status().ToString() +
                          "; explained: " + explained.failure.ToString());
    }
    if (!got.ok()) return;
    if (got->has_value() != explained.found) {
      judge_->Fail(what + (*got ? " finds it" : " does not find it") + ", explained otherwise");
    } else if (*got && (*got)->view() != explained.value) {
      judge_->Fail(what + " and its explanation differ in the value");
    }
  }

  FileSystem& fs_;
  Judge* const judge_;
  InlineExecutor executor_;
  Environment environment_;
  std::string path_;
  Answers answers_;
  std::vector<Row> rows_;
};

}  // namespace

void CheckTable(FileSystem& fs, const std::string& path, Judge* judge) {
  const auto report = VerifyTable(fs, path, nullptr);
  if (!report.ok()) {
    if (report.status().code() != Code::kNotSupported) judge->Fail(report.status().ToString());
    return;
  }
  Answers answers;
  auto file = fs.OpenForRead(path, /*direct=*/false);
  if (!file.ok()) return judge->Fail(file.status().ToString());
  const auto table = TableReader::Open(*std::move(file), {});
  if (answers.Take(table.status(), "open")) answers = TableQuestions(**table).Ask();
  judge->Compare(*report, answers);
}

void CheckDatabase(FileSystem& fs, Judge* judge) {
  const auto report = VerifyDatabase(fs, "db", nullptr);
  const Answers reads = DatabaseQuestions(fs, judge).Ask("db");
  if (report.ok()) {
    judge->Compare(*report, reads);
  } else if (report.status().code() != Code::kNotSupported && reads.wrong.empty()) {
    judge->Fail("verify gave up: " + report.status().ToString());
  }
}

void CheckRepaired(FileSystem& fs, Judge* judge) { DatabaseQuestions(fs, judge).Repair("db"); }

}  // namespace varve
