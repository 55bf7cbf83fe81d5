// SPDX-License-Identifier: Apache-2.0
// Operations of a live engine, against a std::map: options that make everything happen early,
// writes, reads both ways, snapshots, flushes, compactions and reopening. tests/model draws longer
// stories from seeds; here coverage leads.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/verify/verify.h"
#include "tests/fuzz/targets.h"
#include "varve/db.h"
#include "varve/environment.h"
#include "varve/merge_operator.h"

namespace varve::fuzz {
namespace {

constexpr int kOperationsMax = 400;
const std::string kPath = "db";

using Contents = std::map<std::string, std::string, std::less<>>;

class Story {
 public:
  explicit Story(std::string_view bytes) : in_(bytes), fs_(NewMemoryFileSystem()) {
    options_.env = NativeEnvironment();
    options_.env.file_system = fs_.get();
    options_.env.executor = &executor_;
    options_.create_if_missing = true;
    DrawOptions();
  }

  void Tell() {
    Open();
    for (int i = 0; i < kOperationsMax && !in_.empty(); ++i) Step();
    Reopen();
    CheckAll(nullptr, contents_);
    MustBeOk(db_->Close(), "close");
    const auto report = VerifyDatabase(*fs_, kPath, nullptr);
    MustBeOk(report.status(), "verify");
    for (const Finding& finding : report->findings) {
      if (finding.severity != Finding::Severity::kWarning) Must(false, finding.what);
    }
  }

 private:
  struct Held {
    Snapshot snapshot;
    Contents contents;
  };

  void DrawOptions() {
    options_.block_cache_bytes = in_.Flag() ? 1 : 1 << 16;
    ColumnFamilyOptions& family = options_.family;
    family.merge_operator = MergeOperatorByName("stringappend");
    family.write_buffer_size = 1 << 16;
    family.num_levels = static_cast<int>(2 + in_.Number(4));
    family.level0_file_num_compaction_trigger = static_cast<int>(1 + in_.Number(3));
    family.max_bytes_for_level_base = 1 << 14;
    family.target_file_size_base = 1 << 12;
    family.level_compaction_dynamic_level_bytes = in_.Flag();
    family.disable_auto_compactions = in_.Number(4) == 0;
    TableOptions& table = family.table;
    table.format_version = static_cast<uint32_t>(2 + in_.Number(6));
    table.checksum = static_cast<ChecksumType>(1 + in_.Number(4));
    table.block_size = static_cast<uint32_t>(1 + in_.Number(600));
    table.block_restart_interval = static_cast<uint32_t>(1 + in_.Number(4));
    table.index_block_restart_interval = static_cast<uint32_t>(1 + in_.Number(4));
    table.metadata_block_size = static_cast<uint32_t>(1 + in_.Number(200));
    table.index_type = in_.Flag() ? IndexType::kTwoLevel : IndexType::kBinary;
    table.partition_filters = table.index_type == IndexType::kTwoLevel && in_.Flag();
    table.filter = in_.Flag() ? FilterKind::kRibbon : FilterKind::kBloom;
    table.data_block_hash_index = in_.Flag();
    table.compression = in_.Flag() ? CompressionType::kZstd : CompressionType::kNone;
  }

  std::string Key() {
    std::string key(1, static_cast<char>('a' + in_.Number(6)));
    if (in_.Flag()) key += in_.Bytes(6);
    return key;
  }

  void Step() {
    switch (in_.Number(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return Write();
      case 4:
      case 5:
        return CheckGet();
      case 6:
        return CheckSeek();
      case 7:
        return CheckAll(nullptr, contents_);
      case 8:
        return MustBeOk(db_->Flush(), "flush");
      case 9:
        return Compact();
      case 10:
        held_.push_back({db_->GetSnapshot(), contents_});
        return;
      case 11:
        if (!held_.empty()) held_.erase(held_.begin() + static_cast<ptrdiff_t>(AnyHeld()));
        return;
      case 12:
        if (!held_.empty()) {
          const Held& held = held_[AnyHeld()];
          CheckAll(&held.snapshot, held.contents);
        }
        return;
      case 13:
        return Reopen();
      default:
        return Write();
    }
  }
  size_t AnyHeld() { return in_.Number(held_.size()); }

  void Open() {
    auto db = DB::Open(options_, kPath);
    MustBeOk(db.status(), "open");
    db_ = *std::move(db);
  }
  void Reopen() {
    held_.clear();
    MustBeOk(db_->Close(), "close");
    db_.reset();
    Open();
    Must(db_->recovery().losses.empty(), "nothing is lost by closing");
  }
  void Compact() {
    const std::string begin = Key(), end = Key();
    const std::optional<std::string_view> none;
    const bool whole = in_.Flag();
    MustBeOk(db_->CompactRange({}, whole ? none : begin, whole ? none : end), "compact");
  }

  void Write() {
    WriteBatch batch;
    for (uint64_t left = 1 + in_.Number(4); left > 0; --left) Change(&batch);
    MustBeOk(db_->Write({}, std::move(batch)), "write");
  }

  void Change(WriteBatch* batch) {
    const std::string key = Key();
    switch (in_.Number(6)) {
      case 0:
      case 1:
      case 2: {
        std::string value(in_.Bytes(20));
        if (in_.Number(8) == 0) value.append(3000, 'v');
        batch->Put(key, value);
        contents_[key] = value;
        return;
      }
      case 3:
        batch->Delete(key);
        contents_.erase(key);
        return;
      case 4: {
        const std::string end = Key();
        batch->DeleteRange(key, end);
        if (key < end) contents_.erase(contents_.lower_bound(key), contents_.lower_bound(end));
        return;
      }
      default: {
        const std::string operand(in_.Bytes(5));
        batch->Merge(key, operand);
        const auto found = contents_.find(key);
        contents_[key] = found == contents_.end() ? operand : found->second + "," + operand;
      }
    }
  }

  void CheckGet() {
    const std::string key = Key();
    const auto value = db_->Get({}, key);
    MustBeOk(value.status(), "get");
    const auto found = contents_.find(key);
    Must(value->has_value() == (found != contents_.end()), "a get finds what is there");
    if (*value) Must((*value)->view() == found->second, "a get has the value");
  }

  void CheckSeek() {
    auto it = db_->NewIterator({});
    MustBeOk(it.status(), "iterator");
    const std::string key = Key();
    it->Seek(key);
    auto found = contents_.lower_bound(key);
    for (uint64_t moves = in_.Number(6);; --moves) {
      Must(it->Valid() == (found != contents_.end()), "an iterator is where the model is");
      if (!it->Valid()) break;
      Must(it->key() == found->first && it->value() == found->second, "with what is there");
      if (moves == 0) break;
      if (in_.Flag()) {
        it->Next();
        ++found;
        continue;
      }
      it->Prev();
      if (found == contents_.begin()) return Must(!it->Valid(), "nothing is before the first");
      --found;
    }
    MustBeOk(it->status(), "iterator");
  }

  void CheckAll(const Snapshot* snapshot, const Contents& contents) {
    ReadOptions options;
    options.snapshot = snapshot;
    auto it = db_->NewIterator(options);
    MustBeOk(it.status(), "iterator");
    it->SeekToFirst();
    for (const auto& [key, value] : contents) {
      Must(it->Valid() && it->key() == key && it->value() == value, "forwards: what is there");
      it->Next();
    }
    Must(!it->Valid(), "forwards: nothing else");
    it->SeekToLast();
    for (auto row = contents.rbegin(); row != contents.rend(); ++row) {
      Must(it->Valid() && it->key() == row->first && it->value() == row->second,
           "backwards: what is there");
      it->Prev();
    }
    Must(!it->Valid(), "backwards: nothing else");
    MustBeOk(it->status(), "iterator");
  }

  Input in_;
  const std::unique_ptr<FileSystem> fs_;
  InlineExecutor executor_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<Held> held_;
  Contents contents_;
};

void Run(std::string_view bytes) { Story(bytes).Tell(); }

}  // namespace

const Target engine = {"engine", Run};

}  // namespace varve::fuzz
