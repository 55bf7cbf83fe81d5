// SPDX-License-Identifier: Apache-2.0
#include "core/version/invariants.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/limits.h"
#include "core/version/level_zero_order.h"

namespace varve {
namespace {

std::string Name(const FileMetadata& file) { return "table " + std::to_string(file.number()); }

std::string Sequences(const FileMetadata& file) {
  return std::to_string(file.description.smallest_sequence) + ".." +
         std::to_string(file.description.largest_sequence);
}

// RocksDB 7.8's requirement for adjacent files of level 0, ordered by sequence.
Status CheckSequences(const FileMetadata& newer, const FileMetadata& older) {
  const FileDescription& n = newer.description;
  const FileDescription& o = older.description;
  const bool ingested = o.smallest_sequence == o.largest_sequence;
  const bool fine = ingested ? o.largest_sequence == 0 || o.largest_sequence < n.largest_sequence
                             : o.smallest_sequence < n.smallest_sequence;
  if (fine) return Status::Ok();
  return Status::Corruption("level 0: " + Name(newer) + " has the sequences " + Sequences(newer) +
                            ", which do not follow those of " + Name(older) + ", " +
                            Sequences(older));
}

bool Overlap(const Comparator& order, const FileMetadata& a, const FileMetadata& b) {
  return order.Compare(a.smallest.user_key, b.largest.user_key) <= 0 &&
         order.Compare(b.smallest.user_key, a.largest.user_key) <= 0;
}

// The epochs and sequences of two files may only contradict each other if the files share no key.
Status CheckEpochs(const Comparator& order, const std::vector<FilePtr>& by_epoch) {
  const std::vector<FilePtr>& files = by_epoch;
  const bool agree = std::is_sorted(files.begin(), files.end(), NewerBySequence);
  if (!agree && files.size() > kLevel0PairsFilesMax) {
    return Status::Corruption("level 0: the epochs of its " + std::to_string(files.size()) +
                              " tables contradict their sequences");
  }
  for (size_t i = 0; i + 1 < files.size(); i++) {
    const size_t end = agree ? i + 2 : files.size();
    for (size_t j = i + 1; j < end; j++) {
      const bool equal = files[i]->description.epoch == files[j]->description.epoch;
      const bool contradict = !agree && NewerBySequence(files[j], files[i]);
      if ((!equal && !contradict) || !Overlap(order, *files[i], *files[j])) continue;
      return Status::Corruption(
          "level 0: " + Name(*files[i]) + " and " + Name(*files[j]) + " overlap, " +
          (equal ? "and have the same epoch" : "and their epochs contradict their sequences"));
    }
  }
  return Status::Ok();
}

// The highest number that a database can reach if it starts within kFileNumberMax: RocksDB's 62
// bits.
constexpr uint64_t kCountedToMax = 2 * kFileNumberMax - 1;

Status CheckInRange(const char* what, uint64_t number) {
  if (number <= kCountedToMax) return Status::Ok();
  return Status::Corruption(std::string(what) + " is " + std::to_string(number) +
                            ", but must not exceed " + std::to_string(kCountedToMax));
}

Status CheckFile(const Comparator& comparator, const FileMetadata& file) {
  const FileDescription& d = file.description;
  if (d.smallest_sequence > d.largest_sequence) {
    return Status::Corruption(Name(file) + " has the sequences " + Sequences(file));
  }
  if (CompareInternalKeys(VirtualOrder{&comparator}, file.smallest, file.largest) > 0) {
    return Status::Corruption(Name(file) + " has a smallest key, " + DebugString(file.smallest) +
                              ", behind its largest, " + DebugString(file.largest));
  }
  return Status::Ok();
}

Status CheckSorted(const Comparator& comparator, size_t level, const std::vector<FilePtr>& files) {
  return WithKeyOrder(comparator, [&](auto order) {
    for (size_t i = 0; i + 1 < files.size(); i++) {
      const FileMetadata& a = *files[i];
      const FileMetadata& b = *files[i + 1];
      if (CompareInternalKeys(order, a.largest, b.smallest) < 0) continue;
      return Status::Corruption("level " + std::to_string(level) + ": " + Name(a) + " up to " +
                                DebugString(a.largest) + " overlaps " + Name(b) + " from " +
                                DebugString(b.smallest));
    }
    return Status::Ok();
  });
}

}  // namespace

Status CheckLevels(const Comparator& comparator, const std::vector<std::vector<FilePtr>>& levels) {
  CHECK(!levels.empty());
  for (const auto& level : levels) {
    for (const FilePtr& file : level) RETURN_IF_ERROR(CheckFile(comparator, *file));
  }
  const std::vector<FilePtr>& newest_first = levels[0];
  std::vector<FilePtr> by_sequence = newest_first;
  std::sort(by_sequence.begin(), by_sequence.end(), NewerBySequence);
  for (size_t i = 0; i + 1 < by_sequence.size(); i++) {
    RETURN_IF_ERROR(CheckSequences(*by_sequence[i], *by_sequence[i + 1]));
  }
  if (AllHaveEpochs(levels)) RETURN_IF_ERROR(CheckEpochs(comparator, newest_first));
  for (size_t level = 1; level < levels.size(); level++) {
    RETURN_IF_ERROR(CheckSorted(comparator, level, levels[level]));
  }
  return Status::Ok();
}

Status CheckVersion(const Version& version, const DatabaseCounters& counters) {
  for (int level = 0; level < version.num_levels(); level++) {
    for (const FilePtr& file : version.files(level)) {
      if (file->number() >= counters.next_file_number) {
        return Status::Corruption(Name(*file) + " is not below the next file number, " +
                                  std::to_string(counters.next_file_number));
      }
      if (file->description.largest_sequence > counters.last_sequence) {
        return Status::Corruption(
            Name(*file) + " holds sequence " + std::to_string(file->description.largest_sequence) +
            ", the last one of the database is " + std::to_string(counters.last_sequence));
      }
    }
  }
  for (const BlobFileMetadata& blob : version.blob_files()) {
    if (blob.number >= counters.next_file_number) {
      return Status::Corruption("blob file " + std::to_string(blob.number) +
                                " is not below the next file number, " +
                                std::to_string(counters.next_file_number));
    }
  }
  return Status::Ok();
}

Status CheckNumbers(const VersionEdit& edit) {
  const std::pair<const char*, std::optional<uint64_t>> counters[] = {
      {"LogNumber", edit.log_number},
      {"PrevLogNumber", edit.prev_log_number},
      {"NextFileNumber", edit.next_file_number},
      {"MinLogNumberToKeep", edit.min_log_number_to_keep}};
  for (const auto& [name, value] : counters) {
    if (value) RETURN_IF_ERROR(CheckInRange(name, *value));
  }
  for (const VersionEdit::NewFile& added : edit.new_files) {
    RETURN_IF_ERROR(CheckInRange("the number of a table", added.file.number));
    RETURN_IF_ERROR(CheckInRange("the epoch of a table", added.file.epoch));
  }
  for (const BlobFileAddition& added : edit.blob_additions) {
    RETURN_IF_ERROR(CheckInRange("the number of a blob file", added.number));
  }
  return Status::Ok();
}

Status CheckMinLogNumber(uint64_t min_log_number_to_keep, FileNumber next_file_number) {
  if (min_log_number_to_keep <= next_file_number) return Status::Ok();
  return Status::Corruption("MinLogNumberToKeep is " + std::to_string(min_log_number_to_keep) +
                            ", beyond the next file number, " + std::to_string(next_file_number));
}

Status CheckLogNumber(const FamilyState& family, FileNumber next_file_number) {
  if (family.log_number <= next_file_number) return Status::Ok();
  return Status::Corruption("the log number of column family " + EscapeForDisplay(family.name) +
                            " is " + std::to_string(family.log_number) +
                            ", beyond the next file number, " + std::to_string(next_file_number));
}

Status CheckState(const DatabaseState& state) {
  if (state.families.Find(kDefaultColumnFamilyId) == nullptr) {
    return Status::Corruption("there is no default column family");
  }
  const FileNumber next = state.counters.next_file_number;
  RETURN_IF_ERROR(CheckMinLogNumber(state.counters.min_log_number_to_keep, next));
  std::unordered_set<FileNumber> seen;
  for (const FamilyState& family : state.families.all()) {
    const std::string where = "column family " + family.name;
    const Version& version = *family.version;
    RETURN_IF_ERROR(CheckLogNumber(family, next));
    RETURN_IF_ERROR(CheckVersion(version, state.counters).At(where));
    std::vector<std::vector<FilePtr>> levels;
    for (int level = 0; level < version.num_levels(); level++) {
      levels.push_back(version.files(level));
      for (const FilePtr& file : levels.back()) {
        if (seen.insert(file->number()).second) continue;
        return Status::Corruption(Name(*file) + " is in two places").At(where);
      }
    }
    if (family.comparator == nullptr) continue;  // Its order is unknown.
    RETURN_IF_ERROR(CheckLevels(*family.comparator, levels).At(where));
  }
  return Status::Ok();
}

}  // namespace varve
