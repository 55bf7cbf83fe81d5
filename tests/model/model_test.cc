// SPDX-License-Identifier: Apache-2.0
// Random operations against a database and against std::map, which is right. Every answer is
// compared when it is given. Even seeds run in memory without threads, odd ones on disk with them,
// unless there is no disk.
//
//   model_test [--seed=N] [--ops=N] [--seeds=N] [--in-memory]
//
// A difference prints the line that replays it and ends the run.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

struct Order {
  const Comparator* comparator = BytewiseComparator();
  bool operator()(std::string_view a, std::string_view b) const {
    return comparator->Compare(a, b) < 0;
  }
  using is_transparent = void;
};
using Contents = std::map<std::string, std::string, Order>;

struct ModelFamily {
  std::string name;
  Contents contents;
  // Since the key was last deleted singly or by range; 2: more than one, merged or deleted, so that
  // it must not be deleted singly.
  std::map<std::string, int> puts;
};
using Model = std::map<ColumnFamilyId, ModelFamily>;

struct ModelSnapshot {
  Snapshot snapshot;
  std::map<ColumnFamilyId, Contents> contents;
};

class Run {
 public:
  Run(uint64_t seed, uint64_t ops, bool in_memory) : seed_(seed), ops_(ops), random_(seed) {
    if (in_memory || seed % 2 == 0) {
      memory_ = NewMemoryFileSystem();
      options_.env = NativeEnvironment();
      options_.env.file_system = memory_.get();
      options_.env.executor = &inline_executor_;
    } else {
      // Syncing costs nothing where there is no disk.
      const std::filesystem::path shared_memory = "/dev/shm";
      const std::filesystem::path parent = std::filesystem::is_directory(shared_memory)
                                               ? shared_memory
                                               : std::filesystem::temp_directory_path();
      const std::string run = std::to_string(std::random_device()());
      path_ = (parent / ("varve_model_" + std::to_string(seed) + "_" + run)).string();
    }
    ChooseOptions();
    Open();
    model_[0] = {"default", Contents(Order{OrderOf("default")}), {}};
  }

  ~Run() {
    snapshots_.clear();
    db_.reset();
    if (memory_ == nullptr) std::filesystem::remove_all(path_);
  }

  void Go() {
    for (op_ = 0; op_ < ops_; ++op_) Step();
    Scan(0, nullptr);
    for (const auto& [id, family] : model_) Scan(id, nullptr);
  }

 private:
  uint64_t Pick(uint64_t n) { return random_() % n; }
  bool OneIn(uint64_t n) { return Pick(n) == 0; }

  [[noreturn]] void Fail(const std::string& what) {
    std::fprintf(stderr, "%s\nreplay: model_test --seed=%llu --ops=%llu\n", what.c_str(),
                 static_cast<unsigned long long>(seed_), static_cast<unsigned long long>(op_ + 1));
    std::_Exit(1);
  }
  void Expect(bool condition, const std::string& what) {
    if (!condition) Fail("op " + std::to_string(op_) + ": " + what);
  }
  void ExpectOk(const Status& status, const std::string& what) {
    Expect(status.ok(), what + ": " + status.ToString());
  }

  // Families named "r..." run backwards.
  const Comparator* OrderOf(const std::string& name) const {
    return name.front() == 'r' ? ReverseBytewiseComparator() : BytewiseComparator();
  }

  ColumnFamilyOptions FamilyOptions(const std::string& name) const {
    ColumnFamilyOptions options = options_.family;
    options.comparator = OrderOf(name);
    return options;
  }

  void ChooseOptions() {
    options_.create_if_missing = true;
    options_.paranoid_checks = !OneIn(3);
    options_.max_open_files = OneIn(4) ? 3 : -1;
    options_.max_subcompactions = 1 + static_cast<int>(Pick(3));
    options_.block_cache_bytes = OneIn(3) ? 0 : 1 << 16;
    options_.max_manifest_file_size = OneIn(3) ? 1 : 1 << 20;
    options_.max_total_wal_size = OneIn(3) ? 4096 : 0;
    ColumnFamilyOptions& family = options_.family;
    family.merge_operator = MergeOperatorByName("stringappend");
    family.write_buffer_size = uint64_t{2048} << Pick(6);
    family.max_write_buffer_number = 2 + static_cast<int>(Pick(3));
    family.target_file_size_base = uint64_t{1024} << Pick(5);
    family.max_bytes_for_level_base = uint64_t{8192} << Pick(4);
    family.max_bytes_for_level_multiplier = 2 + static_cast<double>(Pick(5));
    family.level0_file_num_compaction_trigger = 1 + static_cast<int>(Pick(4));
    family.level_compaction_dynamic_level_bytes = OneIn(2);
    family.disable_auto_compactions = OneIn(5);
    family.table.block_size = uint32_t{64} << Pick(6);
    family.table.block_restart_interval = 1 + static_cast<uint32_t>(Pick(16));
    family.table.format_version = 2 + static_cast<uint32_t>(Pick(6));
    family.table.compression = OneIn(2) ? CompressionType::kNone : CompressionType::kLz4;
    if (OneIn(3)) {
      family.table.index_type = IndexType::kTwoLevel;
      family.table.partition_filters = OneIn(2);
    }
    options_.families["default"] = FamilyOptions("default");
  }

  void Open() {
    RecoveryReport report;
    auto db = DB::Open(options_, path_, &report);
    ExpectOk(db.status(), "open");
    Expect(report.losses.empty(), "open lost something");
    db_ = *std::move(db);
    ExpectNoStrayTables();
  }

  // After an open the directory holds exactly the live tables.
  void ExpectNoStrayTables() {
    ExpectOk(db_->WaitForBackgroundWork(), "wait");
    uint64_t live = 0;
    for (const FamilyInfo& family : db_->Families()) {
      for (const LevelInfo& level : db_->Levels(family.id)) live += level.files;
    }
    FileSystem& fs = memory_ != nullptr ? *memory_ : *NativeEnvironment().file_system;
    auto entries = fs.List(path_);
    ExpectOk(entries.status(), "list");
    uint64_t tables = 0;
    for (const DirectoryEntry& entry : *entries) tables += entry.name.ends_with(".sst");
    Expect(tables == live,
           std::to_string(tables) + " tables in the directory, " + std::to_string(live) + " live");
  }

  void Reopen() {
    snapshots_.clear();
    if (OneIn(2)) ExpectOk(db_->Close(), "close");
    db_.reset();
    for (const auto& [id, family] : model_) {
      options_.families[family.name] = FamilyOptions(family.name);
    }
    Open();
    Expect(db_->Families().size() == model_.size(), "families after reopening");
  }

  std::string Key() {
    // Few enough to meet often, many enough to fill levels.
    std::string key = "k" + std::to_string(Pick(OneIn(3) ? 20 : 300));
    if (OneIn(10)) key.append(Pick(40), 'x');
    return OneIn(200) ? std::string() : key;
  }
  std::string Bytes() { return std::to_string(random_() % 1000) + std::string(Pick(60), 'v'); }

  std::map<ColumnFamilyId, ModelFamily>::iterator AnyFamily() {
    auto family = model_.begin();
    std::advance(family, static_cast<ptrdiff_t>(Pick(model_.size())));
    return family;
  }

  void AddChange(WriteBatch* batch) {
    const auto family = AnyFamily();
    const ColumnFamilyId id = family->first;
    Contents& contents = family->second.contents;
    auto& puts = family->second.puts;
    const std::string key = Key(), value = Bytes();
    switch (Pick(12)) {
      case 0:
      case 1:
        batch->Delete(id, key);
        contents.erase(key);
        puts[key] = 2;
        break;
      case 2: {
        if (puts[key] > 1) return;
        batch->SingleDelete(id, key);
        contents.erase(key);
        puts.erase(key);
        break;
      }
      case 3:
      case 4: {
        batch->Merge(id, key, value);
        const auto at = contents.find(key);
        contents[key] = at == contents.end() ? value : at->second + "," + value;
        puts[key] = 2;
        break;
      }
      case 5: {
        if (!OneIn(3)) return;
        std::string begin = Key(), end = Key();
        if (OrderOf(family->second.name)->Compare(begin, end) > 0) std::swap(begin, end);
        batch->DeleteRange(id, begin, end);
        const auto from = contents.lower_bound(begin), to = contents.lower_bound(end);
        for (auto at = from; at != to; ++at) puts.erase(at->first);
        contents.erase(from, to);
        break;
      }
      default:
        batch->Put(id, key, value);
        contents[key] = value;
        ++puts[key];
        break;
    }
  }

  void Write() {
    WriteBatch batch;
    const uint64_t changes = OneIn(5) ? Pick(20) : 1;
    for (uint64_t i = 0; i < changes; ++i) AddChange(&batch);
    WriteOptions options;
    if (OneIn(20)) options.durability = Durability::kSync;
    if (OneIn(20)) options.durability = Durability::kNone;
    ExpectOk(db_->Write(options, std::move(batch)), "write");
  }

  // What a reader sees: now, or at a snapshot that knows the family.
  const Contents& View(ColumnFamilyId id, ReadOptions* options) {
    if (!snapshots_.empty() && OneIn(2)) {
      const ModelSnapshot& at = snapshots_[Pick(snapshots_.size())];
      if (const auto found = at.contents.find(id); found != at.contents.end()) {
        options->snapshot = &at.snapshot;
        return found->second;
      }
    }
    return model_.at(id).contents;
  }

  void ExpectAnswer(const Contents& contents, const std::string& key,
                    const Result<std::optional<Value>>& answer, const std::string& where) {
    ExpectOk(answer.status(), where + " of " + key);
    const auto right = contents.find(key);
    if (right == contents.end()) {
      Expect(!answer->has_value(), where + ": " + key + " should be absent");
      return;
    }
    Expect(answer->has_value(), where + ": " + key + " is missing");
    Expect((*answer)->view() == right->second,
           where + ": " + key + " is " + (*answer)->ToString() + ", not " + right->second);
  }

  void Get() {
    const ColumnFamilyId id = AnyFamily()->first;
    ReadOptions options;
    const Contents& contents = View(id, &options);
    const std::string key = Key();
    ExpectAnswer(contents, key, db_->Get(options, key, id), "get");
  }

  void MultiGet() {
    const ColumnFamilyId id = AnyFamily()->first;
    ReadOptions options;
    const Contents& contents = View(id, &options);
    std::vector<std::string> keys(Pick(40));
    for (std::string& key : keys) key = Key();
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const auto answers = db_->MultiGet(options, views, id);
    Expect(answers.size() == keys.size(), "multiget's number of answers");
    for (size_t i = 0; i < keys.size(); ++i) {
      ExpectAnswer(contents, keys[i], answers[i], "multiget");
    }
  }

  void ExpectAt(const Iterator& it, const Contents& contents, Contents::const_iterator at,
                const std::string& where) {
    ExpectOk(it.status(), where);
    Expect(it.Valid() == (at != contents.end()),
           where + ": valid is " + std::to_string(it.Valid()));
    if (!it.Valid()) return;
    Expect(it.key() == at->first, where + ": at " + std::string(it.key()) + ", not " + at->first);
    Expect(it.value() == at->second, where + ": wrong value of " + at->first);
  }

  // Both ways, whole.
  void Scan(ColumnFamilyId id, const Contents* of) {
    ReadOptions options;
    const Contents& contents = of != nullptr ? *of : View(id, &options);
    auto it = db_->NewIterator(options, id);
    ExpectOk(it.status(), "iterator");
    it->SeekToFirst();
    for (auto at = contents.begin();; ++at, it->Next()) {
      ExpectAt(*it, contents, at, "scan");
      if (at == contents.end()) break;
    }
    it->SeekToLast();
    for (auto at = contents.rbegin(); at != contents.rend(); ++at, it->Prev()) {
      ExpectAt(*it, contents, std::prev(at.base()), "backward scan");
    }
    Expect(!it->Valid(), "backward scan goes on");
  }

  // Jumps about, changing direction.
  void Wander() {
    const ColumnFamilyId id = AnyFamily()->first;
    ReadOptions options;
    const Contents& contents = View(id, &options);
    auto it = db_->NewIterator(options, id);
    ExpectOk(it.status(), "iterator");
    auto at = contents.end();
    for (int i = 0; i < 20; ++i) {
      const std::string key = Key();
      const uint64_t move = Pick(6);
      if (move == 0) {
        it->Seek(key);
        at = contents.lower_bound(key);
      } else if (move == 1) {
        it->SeekForPrev(key);
        at = contents.upper_bound(key);
        at = at == contents.begin() ? contents.end() : std::prev(at);
      } else if (it->Valid() && move < 4) {
        it->Next();
        ++at;
      } else if (it->Valid()) {
        it->Prev();
        at = at == contents.begin() ? contents.end() : std::prev(at);
      } else {
        continue;
      }
      ExpectAt(*it, contents, at, "move " + std::to_string(move));
    }
  }

  void TakeSnapshot() {
    if (snapshots_.size() >= 4)
      snapshots_.erase(snapshots_.begin() + static_cast<ptrdiff_t>(Pick(4)));
    ModelSnapshot snapshot{db_->GetSnapshot(), {}};
    for (const auto& [id, family] : model_) snapshot.contents[id] = family.contents;
    snapshots_.push_back(std::move(snapshot));
  }

  void CreateOrDrop() {
    if (model_.size() < 4 && OneIn(2)) {
      const std::string name = (OneIn(2) ? "r" : "f") + std::to_string(next_name_++);
      auto id = db_->CreateColumnFamily(name, FamilyOptions(name));
      ExpectOk(id.status(), "create " + name);
      model_[*id] = {name, Contents(Order{OrderOf(name)}), {}};
    } else if (const auto family = AnyFamily(); family->first != 0) {
      ExpectOk(db_->DropColumnFamily(family->first), "drop");
      for (ModelSnapshot& snapshot : snapshots_) snapshot.contents.erase(family->first);
      model_.erase(family);
    }
  }

  void Compact() {
    const ColumnFamilyId id = AnyFamily()->first;
    std::string begin = Key(), end = Key();
    if (OrderOf(model_.at(id).name)->Compare(begin, end) > 0) std::swap(begin, end);
    std::optional<std::string_view> from, to;
    if (OneIn(2)) from = begin;
    if (OneIn(2)) to = end;
    ExpectOk(db_->CompactRange({.force_bottommost = OneIn(3)}, from, to, id), "compact");
  }

  void Step() {
    switch (Pick(64)) {
      case 0:
        return Reopen();
      case 1:
        return CreateOrDrop();
      case 2:
        return Compact();
      case 3:
        return ExpectOk(db_->Flush({.wait = OneIn(2)}, AnyFamily()->first), "flush");
      case 4:
        return ExpectOk(db_->FlushAll(), "flush all");
      case 5:
      case 6:
        return TakeSnapshot();
      case 7:
        return Scan(AnyFamily()->first, nullptr);
      case 8:
      case 9:
        return Wander();
      case 10:
      case 11:
        return MultiGet();
      case 12:
      case 13:
      case 14:
      case 15:
        return Get();
      default:
        return Write();
    }
  }

  const uint64_t seed_, ops_;
  uint64_t op_ = 0;
  std::mt19937_64 random_;
  std::unique_ptr<FileSystem> memory_;
  InlineExecutor inline_executor_;
  std::string path_ = "db";
  Options options_;
  std::unique_ptr<DB> db_;
  Model model_;
  std::vector<ModelSnapshot> snapshots_;
  int next_name_ = 0;
};

uint64_t Argument(int argc, char** argv, std::string_view name, uint64_t otherwise) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(name) && argument.substr(name.size()).starts_with("=")) {
      return std::strtoull(argv[i] + name.size() + 1, nullptr, 10);
    }
  }
  return otherwise;
}

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  const uint64_t ops = varve::Argument(argc, argv, "--ops", 1000);
  const uint64_t only = varve::Argument(argc, argv, "--seed", 0);
  const uint64_t seeds = varve::Argument(argc, argv, "--seeds", 200);
  const bool in_memory = std::count(argv, argv + argc, std::string_view("--in-memory")) > 0;
  if (only != 0) {
    varve::Run(only, ops, in_memory).Go();
  } else {
    for (uint64_t seed = 1; seed <= seeds; ++seed) varve::Run(seed, ops, in_memory).Go();
  }
  return 0;
}
