// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/key_reader.h"

#include <algorithm>
#include <utility>

#include "core/base/keys/key_order.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/threads/yet_to_come.h"
#include "core/base/try.h"
#include "core/format/value/stored_value.h"
#include "core/version/kept_options_files.h"

namespace varve {

Result<std::unique_ptr<KeyReader>> KeyReader::Open(FileSystem& fs, const std::string& path,
                                                   const KeyQuestion& question) {
  const std::string& family = question.family;
  std::unique_ptr<KeyReader> reader(new KeyReader());
  reader->tables_ = std::make_unique<TableCache>(
      fs, path, std::make_shared<ClockCache>(question.cache_bytes), /*max_open_files=*/256, false);
  reader->blobs_ = std::make_unique<BlobReader>(fs, path);
  ASSIGN_OR_RETURN(reader->files_,
                   ReadAndHoldFiles(fs, path, reader->tables_.get(), reader->blobs_.get()));
  const DatabaseState& state = reader->files_.manifest.state;
  reader->family_ = state.families.Find(family);
  if (reader->family_ == nullptr) {
    return Status::InvalidArgument(path + ": there is no column family '" +
                                   EscapeForDisplay(family) + "'");
  }
  if (reader->family_->comparator == nullptr) {
    return UnknownOrder(path + ": column family " + EscapeForDisplay(family),
                        reader->family_->comparator_name);
  }
  const KeptOptionsFiles options = ReadKeptOptionsFiles(fs, path);
  reader->merge_operator_ =
      KeptMergeOperator(FamilySections(options.kept).Of(family).family, *reader->family_->version);
  Sequence newest = 0;
  ASSIGN_OR_RETURN(reader->logged_, ReadLogs(reader->files_.wals, state.families, *reader->family_,
                                             &reader->log_tombstones_, &newest));
  newest = std::max(newest, state.counters.last_sequence);
  reader->at_ = question.at.value_or(newest);
  if (reader->at_ > newest) return YetToCome(reader->at_, newest);
  const VirtualOrder order{&reader->comparator()};
  std::sort(reader->logged_.begin(), reader->logged_.end(),
            [order](const LogEntry& a, const LogEntry& b) {
              return CompareInternalKeys(order, a.internal(), b.internal()) < 0;
            });
  return reader;
}

std::vector<KeyVersion> KeyReader::Logged(std::string_view key, Sequence at,
                                          Sequence* covered_by) const {
  std::vector<KeyVersion> versions;
  const auto before = [this](const LogEntry& entry, std::string_view wanted) {
    return comparator().Compare(entry.key, wanted) < 0;
  };
  for (auto entry = std::lower_bound(logged_.begin(), logged_.end(), key, before);
       entry != logged_.end() && comparator().Compare(entry->key, key) == 0; ++entry) {
    versions.push_back({entry->sequence, std::string(ValueTypeName(entry->type)), entry->value, 0,
                        entry->sequence <= at});
  }
  *covered_by = 0;
  for (const RangeTombstone& tombstone : log_tombstones_) {
    if (tombstone.sequence <= at && comparator().Compare(tombstone.begin, key) <= 0 &&
        comparator().Compare(key, tombstone.end) < 0) {
      *covered_by = std::max(*covered_by, tombstone.sequence);
    }
  }
  return versions;
}

bool KeyReader::GetLogged(Lookup* lookup) const {
  Sequence covered_by = 0;
  Logged(lookup->user_key, lookup->snapshot, &covered_by);
  lookup->CoverBy(covered_by);
  const VirtualOrder order{&comparator()};
  const auto before = [order](const LogEntry& entry, const InternalKey& target) {
    return CompareInternalKeys(order, entry.internal(), target) < 0;
  };
  for (auto entry = std::lower_bound(logged_.begin(), logged_.end(),
                                     LookupKey(lookup->user_key, lookup->snapshot), before);
       entry != logged_.end() && comparator().Compare(entry->key, lookup->user_key) == 0; ++entry) {
    if (lookup->Feed(entry->sequence, entry->type, entry->value, nullptr)) return true;
  }
  return lookup->EndIfCovered();
}

Result<Value> KeyReader::ReadValue(std::string_view user_key, ValueType type,
                                   std::string_view stored) const {
  if (type == ValueType::kBlobIndex) return blobs_->Read(user_key, stored);
  const Result<std::string_view> bytes = InlineValue(type, stored);
  if (!bytes.ok()) return bytes.status().At("key " + EscapeForDisplay(user_key));
  return Value(std::string(*bytes));
}

Result<std::optional<Value>> KeyReader::Finish(Lookup* lookup) const {
  return FinishLookup(merge_operator_, version(), lookup, [this](const Lookup* found) {
    return ReadValue(found->user_key, found->type, found->value.view());
  });
}

Result<std::shared_ptr<const TableReader>> KeyReader::OpenTable(const FileMetadata& file) const {
  RETURN_IF_ERROR(files_.CheckTable(file.number()));
  return version().Open(file);
}

bool KeyReader::InRange(const FileMetadata& file, std::string_view key) const {
  return file.Spans(VirtualOrder{&comparator()}, key);
}

TableLook KeyReader::Look(const FileMetadata& file, std::string_view key, Sequence at,
                          LookDepth depth, Clock* clock) const {
  const Result<std::shared_ptr<const TableReader>> table = OpenTable(file);
  if (table.ok()) return LookInTable(**table, comparator(), key, at, depth, clock);
  TableLook look;
  look.problem = table.status();
  return look;
}

}  // namespace varve
