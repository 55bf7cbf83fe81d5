// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/import.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/engine/jobs/arrivals.h"
#include "core/format/file_name.h"
#include "core/fs/durable.h"
#include "core/fs/file_copy.h"
#include "core/table/read/table_reader.h"
#include "core/version/seen_bounds.h"
#include "core/version/table_weight.h"

namespace varve {
namespace {

// Higher ones would leave too few for what is written here.
constexpr Sequence kImportedSequenceMax = kMaxSequence / 2;

Status CheckSequence(const ExportedTable& table, Sequence sequence) {
  if (sequence <= kImportedSequenceMax) return Status::Ok();
  return Status::NotSupported(table.path + ": has the sequence number " + std::to_string(sequence) +
                              ", of at most " + std::to_string(kImportedSequenceMax));
}

// The keys that count of a table.
class Extent {
 public:
  Extent(const Comparator& order, const LiveFile& file)
      : order_(order),
        known_(!file.smallest_key.empty() || !file.largest_key.empty()),
        first_(file.smallest_key),
        last_(file.largest_key) {}

  bool Has(std::string_view key) const {
    return !known_ || (order_.Compare(first_, key) <= 0 && order_.Compare(key, last_) <= 0);
  }
  // What is left of a range deletion may be nothing.
  RangeTombstone Clip(RangeTombstone tombstone) const {
    if (!known_) return tombstone;
    if (order_.Compare(tombstone.begin, first_) < 0) tombstone.begin = first_;
    if (order_.Compare(tombstone.end, last_) > 0) tombstone.end = last_;
    return tombstone;
  }

 private:
  const Comparator& order_;
  const bool known_;
  const std::string first_, last_;
};

// Entries that are no range deletions: they ascend, and are all in the extent.
Status CoverPoints(const TableReader& table, const Comparator& order, const Extent& extent,
                   SeenBounds* bounds) {
  const std::unique_ptr<InternalIterator> it = table.NewIterator({.fill_cache = false});
  std::string previous;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    const InternalKey& key = it->key();
    if (!extent.Has(key.user_key)) {
      return Status::Corruption(DebugString(key) + " is outside of the described keys");
    }
    if (key.type == ValueType::kBlobIndex) {
      return Status::NotSupported("the value of " + DebugString(key) + " is in a blob file");
    }
    if (!previous.empty() &&
        CompareInternalKeys(VirtualOrder{&order}, *DecodeInternalKey(previous), key) >= 0) {
      return Status::Corruption(DebugString(key) + " is not greater than the previous key");
    }
    previous.clear();
    AppendInternalKey(&previous, key);
    bounds->Cover(key);
    bounds->CoverSequence(key.sequence);
  }
  return it->status();
}

Status CoverTombstones(const TableReader& table, const Comparator& order, const Extent& extent,
                       SeenBounds* bounds) {
  for (const RangeTombstone& stored : table.RawTombstones()) {
    const RangeTombstone tombstone = extent.Clip(stored);
    if (order.Compare(tombstone.begin, tombstone.end) >= 0) continue;
    bounds->Cover({tombstone.begin, tombstone.sequence, ValueType::kRangeDeletion});
    bounds->Cover({tombstone.end, kMaxSequence, ValueType::kRangeDeletion});
    bounds->CoverSequence(tombstone.sequence);
  }
  return Status::Ok();
}

// Describes the copy at `path` of an exported table.
Status Verify(FileSystem& fs, const std::string& path, const ExportedTable& exported,
              const Comparator& order, FileDescription* description) {
  TableReaderOptions options;
  options.comparator = &order;
  options.global_sequence = exported.file.largest_sequence;
  options.expected_size = description->size;
  ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const auto table, TableReader::Open(std::move(file), options));
  if (table->comparator_name() != order.name()) {
    return Status::InvalidArgument("its comparator is \"" + table->comparator_name() +
                                   "\", the family's is \"" + std::string(order.name()) + "\"");
  }
  const Extent extent(order, exported.file);
  SeenBounds bounds(order);
  RETURN_IF_ERROR(CoverPoints(*table, order, extent, &bounds));
  RETURN_IF_ERROR(CoverTombstones(*table, order, extent, &bounds));
  if (bounds.empty()) return Status::InvalidArgument("it has no entries");
  bounds.Describe(description);
  description->counts = CountsOf(table->properties());
  return Status::Ok();
}

// The tables on their way into the directory. One thread.
class Imported {
 public:
  Imported(Engine* engine, const NewFamily& family, const ImportOptions& options,
           const ExportedFamily& exported)
      : engine_(engine),
        fs_(*engine->env().file_system),
        order_(family.options.comparator == nullptr ? *BytewiseComparator()
                                                    : *family.options.comparator),
        options_(options),
        exported_(exported),
        directory_(engine->DirectoryOf(family)) {
    for (const ExportedTable& table : exported.tables) {
      FileDescription description;
      description.number = engine->NewFileNumber();
      tables_.push_back({table.file.level, description});
    }
  }
  ~Imported() {
    if (kept_) return;
    for (const auto& table : tables_) RemoveObsoleteFile(fs_, PathOf(table));
  }
  Imported(const Imported&) = delete;
  Imported& operator=(const Imported&) = delete;

  Status Bring() {
    RETURN_IF_ERROR(BringEach(engine_->env().executor, tables_.size(),
                              [this](size_t i) { return BringOne(i); }));
    return SyncDirectory(fs_, directory_);
  }
  void Keep() { kept_ = true; }
  const std::vector<VersionEdit::NewFile>& tables() const { return tables_; }

 private:
  std::string PathOf(const VersionEdit::NewFile& table) const {
    return JoinPath(directory_, TableFileName(table.file.number));
  }

  // Copies first and verifies the copy: later changes of the original have no effect.
  Status BringOne(size_t index) {
    const ExportedTable& from = exported_.tables[index];
    FileDescription& to = tables_[index].file;
    const std::string path = PathOf(tables_[index]);
    RETURN_IF_ERROR(CheckSequence(from, from.file.largest_sequence));
    ASSIGN_OR_RETURN(to.size, fs_.FileSize(from.path));
    if (from.file.size != 0 && from.file.size != to.size) {
      return Status::Corruption(from.path + ": has " + std::to_string(to.size) +
                                " bytes, its description says " + std::to_string(from.file.size));
    }
    RETURN_IF_ERROR(BringFrom(fs_, from.path, to.number, [&] {
      return options_.move_files ? LinkOrCopyFile(fs_, from.path, path, to.size)
                                 : CopyFile(fs_, from.path, path, to.size);
    }));
    // A copy is synced already; a linked file may not be, and its source name will be removed.
    if (options_.move_files) RETURN_IF_ERROR(OfSource(fs_.SyncFile(path), path, from.path));
    RETURN_IF_ERROR(OfSource(Verify(fs_, path, from, order_, &to), path, from.path));
    to.creation_time = to.oldest_ancestor_time = engine_->env().clock->UnixMicros() / 1000000;
    return CheckSequence(from, to.largest_sequence);
  }

  Engine* const engine_;
  FileSystem& fs_;
  const Comparator& order_;
  const ImportOptions& options_;
  const ExportedFamily& exported_;
  const std::string directory_;
  std::vector<VersionEdit::NewFile> tables_;  // As in exported_.
  bool kept_ = false;
};

Status CheckDescription(const NewFamily& family, const ExportedFamily& exported) {
  const Comparator* const given = family.options.comparator;
  const Comparator& order = given == nullptr ? *BytewiseComparator() : *given;
  if (exported.comparator != order.name()) {
    return Status::InvalidArgument("the exported family has the comparator \"" +
                                   EscapeForDisplay(exported.comparator) + "\", the new one \"" +
                                   std::string(order.name()) + "\"");
  }
  if (order.timestamp_size() != 0) {
    return Status::NotSupported("tables of keys with timestamps are not imported");
  }
  if (exported.tables.empty()) return Status::InvalidArgument("there are no tables to import");
  for (const ExportedTable& table : exported.tables) {
    if (table.file.level >= 0 && table.file.level < family.options.num_levels) continue;
    return Status::InvalidArgument(table.path + ": is on level " +
                                   std::to_string(table.file.level) + ", the new family has " +
                                   std::to_string(family.options.num_levels));
  }
  return Status::Ok();
}

}  // namespace

Result<ColumnFamilyId> ImportFamily(Engine* engine, const NewFamily& family,
                                    const ImportOptions& options, const ExportedFamily& exported) {
  RETURN_IF_ERROR(engine->CheckToCreate({&family, 1}));
  RETURN_IF_ERROR(CheckDescription(family, exported));
  // Outlives the tables, so that only they remove their files.
  const Engine::FileHold hold(engine);
  Imported imported(engine, family, options, exported);
  RETURN_IF_ERROR(imported.Bring());
  const Result<ColumnFamilyId> created = engine->CreateFilledFamily(family, imported.tables());
  // The MANIFEST names them, or may name them if logging failed and closed writes.
  if (created.ok() || !engine->CheckWritable().ok()) imported.Keep();
  if (!created.ok() || !options.move_files) return created;
  for (const ExportedTable& table : exported.tables) {
    RemoveObsoleteFile(*engine->env().file_system, table.path);
  }
  return created;
}

}  // namespace varve
