// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/stored_order.h"

#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/wal/log_entries.h"
#include "core/table/cache/table_cache.h"
#include "core/version/database_files.h"

namespace varve {
namespace {

constexpr uint64_t kWalkCacheBytes = 1 << 20;

StoredEntry ShowTombstone(const RangeTombstone& tombstone) {
  return {tombstone.begin, tombstone.sequence, ValueTypeName(ValueType::kRangeDeletion),
          tombstone.end};
}

}  // namespace

struct StoredOrder::Impl {
  // The iterator is destroyed before what it reads from.
  std::unique_ptr<TableCache> tables;
  std::shared_ptr<const Version> version;
  std::string comparator_name;
  std::vector<LogEntry> logged;
  std::vector<RangeTombstone> logged_tombstones;
  std::vector<FilePtr> files;
  std::shared_ptr<const TableReader> table;  // Of files[next_file - 1].
  std::unique_ptr<InternalIterator> it;
  size_t next_logged = 0, next_logged_tombstone = 0, next_file = 0, next_tombstone = 0;
  Status status;

  // False at the end of all files, or on failure.
  bool OpenNextTable() {
    CHECK(status.ok());
    if (next_file == files.size()) return false;
    it.reset();
    // Ignores the table's comparator: nothing is compared.
    const FileMetadata& file = *files[next_file++];
    auto opened = tables->Find(ToOpen(file, /*comparator=*/nullptr));
    if (!opened.ok()) {
      status = opened.status();
      return false;
    }
    table = *std::move(opened);
    it = table->NewIterator({.fill_cache = false});
    it->SeekToFirst();
    next_tombstone = 0;
    return true;
  }

  bool NextOfTable(StoredEntry* entry, bool advance) {
    DCHECK(it != nullptr && table != nullptr);
    if (advance && it->Valid()) it->Next();
    if (it->Valid()) {
      const InternalKey& key = it->key();
      *entry = {key.user_key, key.sequence, ValueTypeName(key.type), it->value()};
      return true;
    }
    status = it->status();
    if (!status.ok() || next_tombstone == table->RawTombstones().size()) return false;
    *entry = ShowTombstone(table->RawTombstones()[next_tombstone++]);
    return true;
  }
};

StoredOrder::StoredOrder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StoredOrder::StoredOrder(StoredOrder&&) noexcept = default;
StoredOrder& StoredOrder::operator=(StoredOrder&&) noexcept = default;
StoredOrder::~StoredOrder() = default;

Result<StoredOrder> StoredOrder::Open(FileSystem& fs, const std::string& path,
                                      const std::string& family_name) {
  auto impl = std::make_unique<Impl>();
  impl->tables = std::make_unique<TableCache>(
      fs, path, std::make_shared<ClockCache>(kWalkCacheBytes), /*max_open_files=*/1, false);
  ASSIGN_OR_RETURN(const DatabaseFiles files, ReadAndHoldFiles(fs, path, impl->tables.get()));
  RETURN_IF_ERROR(files.CheckTables());
  const ColumnFamilies& families = files.manifest.state.families;
  const FamilyState* family = families.Find(family_name);
  if (family == nullptr) {
    return Status::InvalidArgument(path + ": there is no column family '" +
                                   EscapeForDisplay(family_name) + "'");
  }
  impl->comparator_name = family->comparator_name;
  impl->version = family->version;
  for (int level = 0; level < impl->version->num_levels(); ++level) {
    const std::vector<FilePtr>& tables = impl->version->files(level);
    impl->files.insert(impl->files.end(), tables.begin(), tables.end());
  }
  ASSIGN_OR_RETURN(impl->logged, ReadLogs(files.wals, families, *family, &impl->logged_tombstones));
  return StoredOrder(std::move(impl));
}

bool StoredOrder::Next(StoredEntry* entry) {
  Impl& impl = *impl_;
  if (!impl.status.ok()) return false;
  if (impl.next_logged < impl.logged.size()) {
    const LogEntry& logged = impl.logged[impl.next_logged++];
    *entry = {logged.key, logged.sequence, ValueTypeName(logged.type), logged.value};
    return true;
  }
  if (impl.next_logged_tombstone < impl.logged_tombstones.size()) {
    *entry = ShowTombstone(impl.logged_tombstones[impl.next_logged_tombstone++]);
    return true;
  }
  if (impl.it != nullptr && impl.NextOfTable(entry, /*advance=*/true)) return true;
  while (impl.status.ok() && impl.OpenNextTable()) {
    if (impl.NextOfTable(entry, /*advance=*/false)) return true;
  }
  return false;
}

const Status& StoredOrder::status() const { return impl_->status; }
const std::string& StoredOrder::comparator_name() const { return impl_->comparator_name; }

}  // namespace varve
