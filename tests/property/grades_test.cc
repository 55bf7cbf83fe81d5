// SPDX-License-Identifier: Apache-2.0
// The grades of the read optimisations (options.h) give the same answers: random data under random
// combinations of all of them, against std::map, which is right, and against the plain engine that
// has them all off.
//
//   grades_test [--seed=N] [--first=N] [--seeds=N] [--ops=N | --keep=LIST] [--samples=N]
//
// A seed decides about the data (order of keys, shape of the tree, writes, flushes, compactions,
// ingestions, reopenings, snapshots) and about the questions. Each seed runs with everything off,
// with everything on, and with --samples combinations drawn at random. Each operation is drawn by
// itself: it is the same with others or without. A difference prints the combination, and the line
// that replays it (tests/replay).
#include "core/base/options/grades.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash/hash.h"
#include "core/base/threads/inline_executor.h"
#include "core/engine/open/open_graded.h"
#include "core/fs/memory_fs.h"
#include "tests/mix/arguments.h"
#include "tests/orders.h"
#include "tests/replay/kept.h"
#include "tests/replay/replay.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"
#include "varve/option_table.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

// An option and its grades, the plain one first.
struct Axis {
  std::string_view option;
  std::vector<std::string_view> grades;
};
const std::vector<Axis>& Axes() {
  static const std::vector<Axis> axes = {
      {"memtable_rep", {"skip_list", "btree", "btree_hash"}},
      {"memtable_batch_lookup", {"off", "finger", "interleaved"}},
      {"file_search", {"comparator", "prefix", "heads"}},
      {"multiget", {"per_key", "grouped", "pipeline"}},
      {"multiget_io", {"per_file", "global"}},
      {"block_form", {"disk", "lookup"}},
      {"partition_search", {"iterate", "decoded"}},
      {"decouple_partitioned_filters", {"false", "true"}},
      {"merge_runt_partitions", {"false", "true"}},
      {"cache_metadata_with_high_priority", {"false", "true"}},
      {"scan_readahead", {"off", "doubling", "adaptive"}},
      {"point_index", {"none", "integer", "any"}},
  };
  return axes;
}
using Combination = std::vector<size_t>;  // The grade of each axis.

std::string Words(const Combination& combination) {
  std::string words;
  for (size_t i = 0; i < combination.size(); ++i) {
    words.append(words.empty() ? "" : " ").append(Axes()[i].option);
    words.append("=").append(Axes()[i].grades[combination[i]]);
  }
  return words;
}

// --- Orders

const Comparator* OrderOf(uint64_t n) {
  static const ByLength by_length;
  static const Caseless caseless;
  const std::array<const Comparator*, 5> orders = {BytewiseComparator(), BytewiseComparator(),
                                                   ReverseBytewiseComparator(), &by_length,
                                                   &caseless};
  return orders[n % orders.size()];
}

struct Order {
  const Comparator* comparator = nullptr;
  bool operator()(std::string_view a, std::string_view b) const {
    return comparator->Compare(a, b) < 0;
  }
  using is_transparent = void;
};
using Contents = std::map<std::string, std::string, Order>;

struct Command {
  replay::Kept ops;
  uint64_t samples = 0;
};

std::string ReplayLine(uint64_t seed, const Command& command) {
  return "grades --seed=" + std::to_string(seed) + " " + command.ops.Option() +
         " --samples=" + std::to_string(command.samples);
}

// --- One seed under one combination

class Run {
 public:
  Run(uint64_t seed, const Command& command, const Combination& combination)
      : seed_(seed), command_(command), combination_(combination), random_(seed) {
    ChooseShape();
    for (size_t i = 0; i < combination.size(); ++i) {
      const Axis& axis = Axes()[i];
      const std::string_view value = axis.grades[combination[i]];
      const GradeRow* const grade = FindGrade(axis.option);
      ExpectOk(grade != nullptr ? grade->set(&grades_, value)
                                : FindOption(axis.option)->set(&options_, value),
               "option");
    }
    Open();
  }
  ~Run() {
    snapshots_.clear();
    db_.reset();
  }

  // Returns a digest of all answers.
  uint64_t Go() {
    for (op_ = 0; op_ < command_.ops.end(); ++op_) {
      if (!command_.ops.Has(op_)) continue;
      DrawAnew(op_);
      Step();
    }
    DrawAnew(UINT64_MAX);
    for (int i = 0; i < 40; ++i) Ask();
    return digest_;
  }

 private:
  struct Past {
    Snapshot snapshot;
    Contents contents;
  };

  uint64_t Pick(uint64_t n) { return random_() % n; }
  bool OneIn(uint64_t n) { return Pick(n) == 0; }
  void DrawAnew(uint64_t op) {
    constexpr uint64_t kStride =
        0x9E3779B97F4A7C15;  // Seeds of operations and of runs do not meet.
    random_.seed(seed_ + kStride * (op + 1));
  }

  [[noreturn]] void Fail(const std::string& what) {
    std::fprintf(stderr, "op %llu: %s\n  with %s\n", static_cast<unsigned long long>(op_),
                 what.c_str(), Words(combination_).c_str());
    Command command = command_;
    command.ops = command.ops.Before(op_ + 1);
    replay::Print(ReplayLine(seed_, command));
    std::_Exit(1);
  }
  void Expect(bool condition, const std::string& what) {
    if (!condition) Fail(what);
  }
  void ExpectOk(const Status& status, const std::string& what) {
    if (!status.ok()) Fail(what + ": " + status.ToString());
  }

  void Open() {
    auto db = OpenGraded(options_, grades_, path_);
    ExpectOk(db.status(), "open");
    db_ = *std::move(db);
  }

  // The same for every combination.
  void ChooseShape() {
    options_.env = NativeEnvironment();
    options_.env.executor = &executor_;  // No threads: the tree's shape is the same every time.
    const bool on_disk = OneIn(8);       // Syncs take their time.
    if (on_disk) {
      // Readahead has files of its own to read only where there is a disk.
      path_ = directory_.emplace() / "db";
      options_.use_direct_reads = OneIn(2);
    } else {
      memory_ = NewMemoryFileSystem();
      options_.env.file_system = memory_.get();
    }
    options_.create_if_missing = true;
    options_.block_cache_bytes = std::array<uint64_t, 3>{0, 16 << 10, 1 << 20}[Pick(3)];
    ColumnFamilyOptions& family = options_.family;
    family.comparator = order_ = OrderOf(Pick(5));
    family.merge_operator = MergeOperatorByName("stringappend");
    family.write_buffer_size = uint64_t{4096} << (on_disk ? 5 : Pick(6));
    family.target_file_size_base = uint64_t{1024} << (on_disk ? 6 : Pick(4));
    family.max_bytes_for_level_base = uint64_t{8192} << Pick(3);
    family.max_bytes_for_level_multiplier = 3;
    family.level0_file_num_compaction_trigger = 2 + static_cast<int>(Pick(8));
    family.table.block_size = uint32_t{128} << Pick(4);
    family.table.block_restart_interval = 1 + static_cast<uint32_t>(Pick(16));
    family.table.format_version = 2 + static_cast<uint32_t>(Pick(6));
    family.table.metadata_block_size = uint32_t{64} << Pick(4);
    // Filters know keys by their bytes.
    const bool has_filter = order_->name() != "test.Caseless" && !OneIn(4);
    family.table.filter_bits_per_key = has_filter ? 10 : 0;
    if (OneIn(2)) {
      family.table.index_type = IndexType::kTwoLevel;
      family.table.partition_filters = has_filter && OneIn(2);
    }
    contents_ = Contents(Order{order_});
    key_count_ = uint64_t{30} << Pick(6);
    integer_keys_ = seed_ % 3 == 1;
    prefix_ = OneIn(2) ? std::string() : std::string("Tenant-0007/Table-042/Row-", 26);
  }

  // Of one size, following each other, with gaps, or far apart; rarely another key between them, so
  // that some tables have no point index.
  std::string IntegerKey() {
    if (OneIn(20'000)) return prefix_;
    constexpr std::array<uint64_t, 3> kSteps = {1, 1000, 3};
    uint64_t n = Pick(OneIn(4) ? 10 : key_count_) * kSteps[seed_ / 3 % 3];
    std::string key = prefix_;
    for (size_t i = 0; i < sizeof(n); ++i, n <<= 8) key.push_back(static_cast<char>(n >> 56));
    return key;
  }

  // Clusters behind a prefix that may be long; keys that are prefixes of keys; zeros.
  std::string Key() {
    if (integer_keys_) return IntegerKey();
    if (OneIn(300)) return {};
    std::string key = OneIn(12) ? std::string("T") : prefix_;
    const uint64_t n = Pick(OneIn(4) ? 10 : key_count_);
    key += std::to_string(n * n);
    if (n % 7 == 0) key.append(n % 5, '\0');
    if (n % 11 == 0) key.append(n % 30, 'x');
    if (OneIn(2)) return key;
    // Another key, or in one order another spelling of the same.
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return key;
  }

  std::string NewValue() { return std::to_string(random_() % 100000) + std::string(Pick(80), 'v'); }
  void MergeInto(const std::string& key, const std::string& operand) {
    const auto at = contents_.find(key);
    if (at == contents_.end()) {
      contents_[key] = operand;
    } else {
      at->second += "," + operand;
    }
  }

  void AddChange(WriteBatch* batch) {
    const std::string key = Key();
    const std::string value = NewValue();
    const uint64_t kind = Pick(16);
    if (kind < 2) {
      batch->Delete(key);
      contents_.erase(key);
    } else if (kind < 5) {
      batch->Merge(key, value.substr(0, 4));
      MergeInto(key, value.substr(0, 4));
    } else if (kind == 5 && OneIn(4)) {
      std::string begin = Key(), end = Key();
      if (order_->Compare(begin, end) > 0) std::swap(begin, end);
      // Wide ones would leave little.
      if (std::distance(contents_.lower_bound(begin), contents_.lower_bound(end)) > 40) return;
      batch->DeleteRange(begin, end);
      contents_.erase(contents_.lower_bound(begin), contents_.lower_bound(end));
    } else {
      batch->Put(key, value);
      contents_[key] = value;
    }
  }

  void Write() {
    WriteBatch batch;
    for (uint64_t i = OneIn(3) ? Pick(30) : 1; i > 0; --i) AddChange(&batch);
    ExpectOk(db_->Write({}, std::move(batch)), "write");
  }

  // A table of its own: a range deletion of what was there, and then changes of single keys.
  void Ingest() {
    const std::string path = path_ + "-ingested.sst";
    auto writer = SstFileWriter::Create(options_.env, options_.family, path);
    ExpectOk(writer.status(), "table to ingest");
    if (OneIn(2)) {
      std::string begin = Key(), end = Key();
      if (order_->Compare(begin, end) > 0) std::swap(begin, end);
      const auto from = contents_.lower_bound(begin), to = contents_.lower_bound(end);
      if (order_->Compare(begin, end) < 0 && std::distance(from, to) <= 40) {
        ExpectOk(writer->DeleteRange(begin, end), "range deletion to ingest");
        contents_.erase(from, to);
      }
    }
    std::set<std::string, Order> keys(Order{order_});
    for (uint64_t i = 1 + Pick(60); i > 0; --i) keys.insert(Key());
    for (const std::string& key : keys) {
      const std::string value = NewValue();
      const uint64_t kind = Pick(8);
      if (kind == 0) {
        ExpectOk(writer->Delete(key), "deletion to ingest");
        contents_.erase(key);
      } else if (kind < 3) {
        ExpectOk(writer->Merge(key, value.substr(0, 4)), "operand to ingest");
        MergeInto(key, value.substr(0, 4));
      } else {
        ExpectOk(writer->Put(key, value), "entry to ingest");
        contents_[key] = value;
      }
    }
    ExpectOk(writer->Finish(), "table to ingest");
    ExpectOk(db_->Ingest({.move_files = true}, {path}), "ingest");
  }

  void Reopen() {
    snapshots_.clear();
    ExpectOk(db_->Close(), "close");
    db_.reset();
    Open();
  }

  void Step() {
    const uint64_t kind = Pick(250);
    if (kind == 249) {
      if (OneIn(2)) Reopen();
    } else if (kind >= 245) {
      Ingest();
    } else if (kind == 0) {
      ExpectOk(db_->Flush(), "flush");
    } else if (kind == 1) {
      std::string begin = Key(), end = Key();
      if (order_->Compare(begin, end) > 0) std::swap(begin, end);
      ExpectOk(db_->CompactRange({.force_bottommost = OneIn(3)}, begin, end), "compact");
    } else if (kind < 6) {
      if (snapshots_.size() >= 3) snapshots_.erase(snapshots_.begin());
      snapshots_.push_back({db_->GetSnapshot(), contents_});
    } else if (kind < 30) {
      Ask();
    } else {
      Write();
    }
  }

  // --- Questions

  const Contents& View(ReadOptions* options) {
    if (snapshots_.empty() || OneIn(2)) return contents_;
    const Past& past = snapshots_[Pick(snapshots_.size())];
    options->snapshot = &past.snapshot;
    return past.contents;
  }

  void Ask() {
    ReadOptions options;
    const Contents& contents = View(&options);
    const uint64_t kind = Pick(16);
    if (kind < 6) {
      Get(options, contents);
    } else if (kind < 12) {
      MultiGet(options, contents);
    } else if (kind < 14) {
      ScanRange(options, contents);
    } else {
      ScanAll(options, contents);
    }
  }

  void Digest(std::string_view bytes) { digest_ = 31 * digest_ + Xxh3_64(bytes); }

  void Judge(const Contents& contents, const std::string& key,
             const Result<std::optional<Value>>& answer, const std::string& where) {
    ExpectOk(answer.status(), where + " of " + key);
    const auto right = contents.find(key);
    const bool exists = right != contents.end();
    Expect(answer->has_value() == exists,
           where + ": " + key + (exists ? " is missing" : " should be absent"));
    if (!exists) return Digest("absent");
    Expect((**answer).view() == right->second,
           where + ": " + key + " is " + (**answer).ToString() + ", not " + right->second);
    Digest((**answer).view());
  }

  void Get(const ReadOptions& options, const Contents& contents) {
    const std::string key = Key();
    Judge(contents, key, db_->Get(options, key), "get");
  }

  void MultiGet(const ReadOptions& options, const Contents& contents) {
    constexpr std::array<uint64_t, 7> kSizes = {1, 2, 8, 31, 33, 64, 150};
    std::vector<std::string> keys(kSizes[Pick(kSizes.size())]);
    for (std::string& key : keys) key = Key();
    // Duplicates beside each other and apart; sorted or not.
    for (uint64_t i = Pick(4); i > 0; --i) keys[Pick(keys.size())] = keys[Pick(keys.size())];
    if (OneIn(2)) std::sort(keys.begin(), keys.end(), Order{order_});
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const auto answers = db_->MultiGet(options, views);
    Expect(answers.size() == keys.size(), "multiget's number of answers");
    for (size_t i = 0; i < keys.size(); ++i) Judge(contents, keys[i], answers[i], "multiget");
  }

  void JudgeAt(const Iterator& it, const Contents& contents, Contents::const_iterator at) {
    ExpectOk(it.status(), "scan");
    Expect(it.Valid() == (at != contents.end()), it.Valid() ? "a scan goes on" : "a scan ends");
    if (!it.Valid()) return Digest("end");
    Expect(order_->Compare(it.key(), at->first) == 0,
           "a scan is at " + std::string(it.key()) + ", not " + at->first);
    Expect(it.value() == at->second, "a scan shows the wrong value of " + at->first);
    Digest(at->first);  // Of several spellings of a key, any may be shown.
    Digest(it.value());
  }

  // Back from an end gives the other end.
  static Contents::const_iterator Before(const Contents& contents, Contents::const_iterator at) {
    return at == contents.begin() ? contents.end() : std::prev(at);
  }

  void ScanAll(const ReadOptions& options, const Contents& contents) {
    auto it = db_->NewIterator(options);
    ExpectOk(it.status(), "iterator");
    it->SeekToFirst();
    for (auto at = contents.begin(); at != contents.end(); ++at, it->Next()) {
      JudgeAt(*it, contents, at);
    }
    JudgeAt(*it, contents, contents.end());
    it->SeekToLast();
    for (auto at = Before(contents, contents.end()); at != contents.end();
         at = Before(contents, at), it->Prev()) {
      JudgeAt(*it, contents, at);
    }
    JudgeAt(*it, contents, contents.end());
  }

  // From somewhere on, with a bound or without, turning now and then.
  void ScanRange(ReadOptions options, const Contents& whole) {
    std::string begin = Key(), end = Key();
    if (order_->Compare(begin, end) > 0) std::swap(begin, end);
    Contents contents(whole.begin(), whole.end(), Order{order_});
    if (OneIn(2)) {
      options.upper_bound = end;
      contents.erase(contents.lower_bound(end), contents.end());
    }
    auto it = db_->NewIterator(options);
    ExpectOk(it.status(), "iterator");
    it->Seek(begin);
    Contents::const_iterator at = contents.lower_bound(begin);
    JudgeAt(*it, contents, at);
    for (uint64_t i = Pick(60); i > 0 && at != contents.end(); --i) {
      if (OneIn(10)) {
        it->Prev();
        at = Before(contents, at);
      } else {
        it->Next();
        ++at;
      }
      JudgeAt(*it, contents, at);
    }
    it->SeekForPrev(begin);
    at = Before(contents, contents.upper_bound(begin));
    JudgeAt(*it, contents, at);
  }

  const uint64_t seed_;
  const Command command_;
  const Combination combination_;
  std::mt19937_64 random_;
  std::unique_ptr<FileSystem> memory_;
  InlineExecutor executor_;
  std::optional<ScratchDirectory> directory_;  // If it is on a disk.
  std::string path_ = "db";
  Options options_;
  Grades grades_;
  const Comparator* order_ = nullptr;
  uint64_t key_count_ = 0;
  std::string prefix_;
  bool integer_keys_ = false;
  std::unique_ptr<DB> db_;
  Contents contents_;
  std::vector<Past> snapshots_;
  uint64_t op_ = 0;
  uint64_t digest_ = 0;
};

void RunSeed(uint64_t seed, const Command& command) {
  replay::At(ReplayLine(seed, command));
  std::vector<Combination> combinations(2);
  for (const Axis& axis : Axes()) {
    combinations[0].push_back(0);
    combinations[1].push_back(axis.grades.size() - 1);
  }
  std::mt19937_64 random(seed);
  for (uint64_t i = 0; i < command.samples; ++i) {
    Combination& drawn = combinations.emplace_back();
    for (const Axis& axis : Axes()) drawn.push_back(random() % axis.grades.size());
  }
  std::optional<uint64_t> plain;
  for (const Combination& combination : combinations) {
    const uint64_t digest = Run(seed, command, combination).Go();
    if (!plain.has_value()) plain = digest;
    if (digest == *plain) continue;
    std::fprintf(stderr, "answers differ from those of the plain engine\n  with %s\n",
                 Words(combination).c_str());
    replay::Print(ReplayLine(seed, command));
    std::_Exit(1);
  }
}

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  using varve::mix::Argument;
  if (varve::mix::HasUnknownArgument(
          argc, argv, {"--seed=", "--first=", "--seeds=", "--ops=", "--keep=", "--samples="})) {
    return 2;
  }
  const varve::Command command = {
      .ops = varve::replay::Kept(argc, argv, Argument(argc, argv, "--ops", 1000)),
      .samples = Argument(argc, argv, "--samples", 4)};
  if (!command.ops.ok()) return 2;
  const varve::mix::Seeds seeds(argc, argv, 12);
  for (uint64_t seed = seeds.first; seed < seeds.end(); ++seed) varve::RunSeed(seed, command);
  std::printf("%llu seeds\n", static_cast<unsigned long long>(seeds.count));
  return 0;
}
