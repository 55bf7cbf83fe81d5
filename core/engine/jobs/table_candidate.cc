// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/table_candidate.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/table/read/table_reader.h"
#include "core/version/table_weight.h"

namespace varve {
namespace {

constexpr uint32_t kExternalVersion = 2;

Status Refuse(const std::string& source, std::string_view why) {
  return Status::InvalidArgument(source + ": " + std::string(why));
}

Status CheckComparator(const TableReader& table, const std::string& source,
                       const Comparator& comparator) {
  if (table.comparator_name() == comparator.name()) return Status::Ok();
  return Refuse(source, "its comparator is \"" + table.comparator_name() +
                            "\", the family's is \"" + std::string(comparator.name()) + "\"");
}

// Reports how many bytes of a table were verified, by the share of its entries.
class Meter {
 public:
  Meter(const std::function<Status(uint64_t)>& verified, uint64_t size, uint64_t entries)
      : verified_(verified), size_(size), entries_(entries) {}

  Status CountEntry() {
    constexpr uint64_t kStep = 4096;
    if (++seen_ % kStep != 0 || entries_ == 0) return Status::Ok();
    const double share = static_cast<double>(seen_) / static_cast<double>(entries_);
    return Report(std::min(static_cast<uint64_t>(static_cast<double>(size_) * share), size_));
  }
  Status Finish() { return Report(size_); }

 private:
  Status Report(uint64_t bytes) {
    if (!verified_ || bytes <= reported_) return Status::Ok();
    const uint64_t more = bytes - reported_;
    reported_ = bytes;
    return verified_(more);
  }

  const std::function<Status(uint64_t)>& verified_;
  const uint64_t size_, entries_;
  uint64_t seen_ = 0, reported_ = 0;
};

// Reads every point entry and widens the candidate's range by it.
Status TakePoints(const TableReader& table, const Comparator& comparator, Meter* meter,
                  TableCandidate* candidate, bool* any) {
  const std::unique_ptr<InternalIterator> it = table.NewIterator({.fill_cache = false});
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    RETURN_IF_ERROR(meter->CountEntry());
    const InternalKey& key = it->key();
    if (key.sequence != 0) {
      return Refuse(candidate->source, DebugString(key) + " has a sequence number already");
    }
    if (key.user_key.size() < comparator.timestamp_size()) {
      return Status::Corruption(candidate->source + ": " + DebugString(key) +
                                " has no room for its timestamp");
    }
    if (*any && comparator.Compare(candidate->largest_key, key.user_key) >= 0) {
      return Status::Corruption(candidate->source + ": " + DebugString(key) +
                                " is not greater than the previous key");
    }
    if (!*any) {
      candidate->smallest_key.assign(key.user_key);
      candidate->smallest_type = key.type;
    }
    candidate->largest_key.assign(key.user_key);
    candidate->largest_type = key.type;
    *any = true;
  }
  return it->status();
}

// Widens the range by the tombstones. The begin of a tombstone sorts before point entries of the
// same key (its type is larger), and its end is exclusive.
Status TakeTombstones(const TableReader& table, const Comparator& comparator,
                      TableCandidate* candidate, bool* any) {
  for (const RangeTombstone& tombstone : table.RawTombstones()) {
    if (tombstone.sequence != 0) {
      return Refuse(candidate->source, "a range deletion has a sequence number already");
    }
    if (comparator.timestamp_size() != 0) {
      return Status::NotSupported(candidate->source + ": a range deletion of keys with timestamps");
    }
    if (comparator.Compare(tombstone.begin, tombstone.end) >= 0) continue;  // Deletes nothing.
    if (!*any || comparator.Compare(tombstone.begin, candidate->smallest_key) <= 0) {
      candidate->smallest_key = tombstone.begin;
      candidate->smallest_type = ValueType::kRangeDeletion;
    }
    if (!*any || comparator.Compare(tombstone.end, candidate->largest_key) > 0) {
      candidate->largest_key = tombstone.end;
      candidate->largest_type = ValueType::kRangeDeletion;
      candidate->largest_open = true;
    }
    *any = true;
  }
  return Status::Ok();
}

}  // namespace

Status CheckMadeForIngestion(const TableReader& table, const std::string& source) {
  const TableProperties& properties = table.properties();
  if (properties.external_version != kExternalVersion || !properties.global_seqno.has_value()) {
    return Refuse(source, "it was not made by an SstFileWriter");
  }
  if (*properties.global_seqno != 0) {
    return Refuse(source, "it has already got the sequence number " +
                              std::to_string(*properties.global_seqno) + " in another database");
  }
  return Status::Ok();
}

Status OfSource(const Status& status, const std::string& path, const std::string& source) {
  if (status.ok()) return status;
  const std::string name = path.substr(path.find_last_of('/') + 1);
  const std::string_view message = status.message();
  if (message.starts_with(source)) return status;
  for (const std::string& copy : {path, name}) {
    if (!message.starts_with(copy)) continue;
    return Status(status.code(), source + std::string(message.substr(copy.size())));
  }
  return status.At(source);
}

FileDescription TableCandidate::Describe(Sequence sequence, uint64_t epoch,
                                         uint64_t unix_seconds) const {
  FileDescription description;
  description.number = number;
  description.size = size;
  description.counts = counts;
  description.smallest = EncodeInternalKey({smallest_key, sequence, smallest_type});
  description.largest =
      EncodeInternalKey({largest_key, largest_open ? kMaxSequence : sequence, largest_type});
  description.smallest_sequence = sequence;
  description.largest_sequence = sequence;
  description.epoch = epoch;
  description.oldest_ancestor_time = unix_seconds;
  description.creation_time = unix_seconds;
  return description;
}

Result<TableCandidate> VerifyCandidate(FileSystem& fs, const std::string& path,
                                       const std::string& source, FileNumber number,
                                       const Comparator& comparator,
                                       const std::function<Status(uint64_t bytes)>& verified) {
  TableCandidate candidate;
  candidate.source = source;
  candidate.number = number;
  ASSIGN_OR_RETURN(candidate.size, fs.FileSize(path));
  Result<std::unique_ptr<RandomAccessFile>> file = fs.OpenForRead(path, /*direct=*/false);
  if (!file.ok()) return OfSource(file.status(), path, source);
  TableReaderOptions options;
  options.comparator = &comparator;
  options.expected_size = candidate.size;
  Result<std::unique_ptr<TableReader>> opened = TableReader::Open(*std::move(file), options);
  if (!opened.ok()) return OfSource(opened.status(), path, source);
  const TableReader& table = **opened;
  RETURN_IF_ERROR(CheckComparator(table, source, comparator));
  RETURN_IF_ERROR(CheckMadeForIngestion(table, source));
  candidate.counts = CountsOf(table.properties());
  Meter meter(verified, candidate.size, table.properties().entries);
  bool any = false;
  Status taken = TakePoints(table, comparator, &meter, &candidate, &any);
  if (taken.ok()) taken = TakeTombstones(table, comparator, &candidate, &any);
  if (!taken.ok()) return OfSource(taken, path, source);
  if (!any) return Refuse(source, "it has no entries");
  RETURN_IF_ERROR(meter.Finish());
  DCHECK(comparator.Compare(candidate.smallest_key, candidate.largest_key) <= 0);
  return candidate;
}

}  // namespace varve
