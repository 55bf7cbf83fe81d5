// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/keys/key_range.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/wal/log_entries.h"
#include "core/iterator/merging_iterator.h"
#include "core/table/cache/table_cache.h"
#include "core/version/database_files.h"

namespace varve {
namespace {

constexpr uint64_t kBlockCacheBytes = 8 << 20;

}  // namespace

struct EntryStream::Impl {
  // The iterator is destroyed before what it reads from.
  std::unique_ptr<TableReader> table;
  std::unique_ptr<TableCache> tables;
  std::shared_ptr<const Version> version;
  std::unique_ptr<TombstoneCollector> collector;
  std::vector<RangeTombstone> tombstones;
  std::unique_ptr<InternalIterator> it;
  const Comparator* comparator = nullptr;
  EntryRange range;
  KeyRange with_prefix;  // All keys without a prefix.
  bool started = false;
  bool ended = false;  // The entries. The range deletions follow them.
  size_t next_tombstone = 0;
  Status status;

  void Start() {
    started = true;
    const std::string* first = nullptr;
    const auto begin_at = [&](const std::optional<std::string>& bound) {
      if (bound && (first == nullptr || Before(*first, *bound))) first = &*bound;
    };
    begin_at(range.from);
    begin_at(with_prefix.lower());
    begin_at(range.start);
    if (first == nullptr) {
      it->SeekToFirst();
      return;
    }
    it->Seek(LookupKey(*first, kMaxSequence));
    // The versions of an open bound.
    while (it->Valid() && with_prefix.IsBefore(order(), it->key().user_key)) it->Next();
  }
  Status SetRange(const EntryRange& wanted) {
    range = wanted;
    if (!range.prefix) return Status::Ok();
    ASSIGN_OR_RETURN(with_prefix, KeyRange::OfPrefix(*comparator, *range.prefix));
    return Status::Ok();
  }
  VirtualOrder order() const { return VirtualOrder{comparator}; }
  // False at the end of the range, beyond which nothing is read.
  bool Step() {
    if (!started) {
      Start();
    } else {
      it->Next();
    }
    return it->Valid() && (!range.to || Before(it->key().user_key, *range.to)) &&
           !with_prefix.IsBehind(order(), it->key().user_key);
  }
  bool Before(std::string_view key, const std::string& bound) const {
    DCHECK(comparator != nullptr, "without a comparator there is no range");
    return comparator->Compare(key, bound) < 0;
  }
};

EntryStream::EntryStream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EntryStream::EntryStream(EntryStream&&) noexcept = default;
EntryStream& EntryStream::operator=(EntryStream&&) noexcept = default;
EntryStream::~EntryStream() = default;

Result<EntryStream> EntryStream::OpenTable(FileSystem& fs, const std::string& path,
                                           const EntryRange& range) {
  auto impl = std::make_unique<Impl>();
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(impl->table, TableReader::Open(std::move(file), {}));
  impl->comparator = impl->table->comparator();
  if (impl->comparator == nullptr && (range.from || range.to || range.prefix || range.start)) {
    return Status::NotSupported(path + ": comparator " +
                                EscapeForDisplay(impl->table->comparator_name()) +
                                " is unknown here: only the whole file can be walked");
  }
  impl->tombstones = impl->table->RawTombstones();
  impl->it = impl->table->NewIterator({.fill_cache = false});
  RETURN_IF_ERROR(impl->SetRange(range));
  return EntryStream(std::move(impl));
}

Result<EntryStream> EntryStream::OpenDatabase(FileSystem& fs, const std::string& path,
                                              const std::string& family_name,
                                              const EntryRange& range) {
  auto impl = std::make_unique<Impl>();
  impl->tables = std::make_unique<TableCache>(
      fs, path, std::make_shared<ClockCache>(kBlockCacheBytes), /*max_open_files=*/64, false);
  ASSIGN_OR_RETURN(const DatabaseFiles files, ReadAndHoldFiles(fs, path, impl->tables.get()));
  RETURN_IF_ERROR(files.CheckTables());
  const FamilyState* family = files.manifest.state.families.Find(family_name);
  if (family == nullptr) {
    return Status::InvalidArgument(path + ": there is no column family '" + family_name + "'");
  }
  if (family->comparator == nullptr) {
    return UnknownOrder(path + ": column family " + EscapeForDisplay(family_name),
                        family->comparator_name);
  }
  impl->comparator = family->comparator;
  impl->version = family->version;
  RETURN_IF_ERROR(impl->SetRange(range));
  impl->collector = std::make_unique<TombstoneCollector>(*family->comparator, kMaxSequence);
  std::vector<std::unique_ptr<InternalIterator>> children;
  ASSIGN_OR_RETURN(std::vector<LogEntry> logged,
                   ReadLogs(files.wals, files.manifest.state.families, *family, &impl->tombstones));
  if (!logged.empty()) {
    children.push_back(NewLogEntriesIterator(*family->comparator, std::move(logged)));
  }
  impl->version->AddIterators({.fill_cache = false}, impl->collector.get(), &children);
  impl->it = NewMergingIterator(*family->comparator, std::move(children));
  for (int level = 0; level < impl->version->num_levels(); ++level) {
    for (const FilePtr& file : impl->version->files(level)) {
      ASSIGN_OR_RETURN(const auto table, impl->version->Open(*file));
      const std::vector<RangeTombstone>& stored = table->RawTombstones();
      impl->tombstones.insert(impl->tombstones.end(), stored.begin(), stored.end());
    }
  }
  return EntryStream(std::move(impl));
}

bool EntryStream::Next(StoredEntry* entry) {
  Impl& impl = *impl_;
  if (!impl.ended && !impl.range.range_deletions_only) {
    if (impl.Step()) {
      const InternalKey& key = impl.it->key();
      *entry = {key.user_key, key.sequence, ValueTypeName(key.type), impl.it->value()};
      return true;
    }
    impl.status = impl.it->status();
  }
  impl.ended = true;
  if (!impl.status.ok()) return false;
  while (impl.next_tombstone < impl.tombstones.size()) {
    const RangeTombstone& tombstone = impl.tombstones[impl.next_tombstone++];
    if (impl.range.to && !impl.Before(tombstone.begin, *impl.range.to)) continue;
    if (impl.range.from && !impl.Before(*impl.range.from, tombstone.end)) continue;
    if (impl.range.prefix && !tombstone.begin.starts_with(*impl.range.prefix)) continue;
    *entry = {tombstone.begin, tombstone.sequence, ValueTypeName(ValueType::kRangeDeletion),
              tombstone.end};
    return true;
  }
  return false;
}

const Status& EntryStream::status() const { return impl_->status; }
bool EntryStream::can_seek() const { return impl_->comparator != nullptr; }

}  // namespace varve
