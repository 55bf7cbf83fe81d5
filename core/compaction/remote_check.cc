// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/remote_check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/base/keys/key_order.h"
#include "core/base/keys/timestamps.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/compaction/output_check.h"
#include "core/compaction/table_output.h"
#include "core/format/file_name.h"
#include "core/format/table/unique_id.h"
#include "core/version/table_weight.h"

namespace varve {
namespace {

Status Wrong(std::string_view what) {
  return Status::Corruption("the result of the worker is refused: " + std::string(what));
}

std::string TableOf(const FileDescription& output) {
  return "table " + std::to_string(output.number) + " ";
}

// The limits that entries of the inputs set to those of the outputs.
struct InputLimits {
  ClosedKeyRange keys;
  Sequence newest = 0;
  uint64_t entries = 0, range_deletions = 0;
};

Result<InputLimits> LimitsOf(const RemoteCheck& check) {
  InputLimits limits{.keys = RangeOf(check.version.comparator(), check.plan)};
  for (const auto& [level, file] : InputsOf(check.plan)) {
    limits.newest = std::max(limits.newest, file->description.largest_sequence);
    ASSIGN_OR_RETURN(const auto table, check.version.Open(*file));
    limits.entries += table->properties().entries;
    limits.range_deletions += table->RawTombstones().size();
  }
  return limits;
}

Status CheckInputs(const RemoteCheck& check, const RemoteResult& result) {
  using Place = std::pair<int, FileNumber>;
  std::set<Place> sent, returned;
  for (const auto& [level, file] : InputsOf(check.plan)) sent.emplace(level, file->number());
  for (const VersionEdit::DeletedFile& file : result.edit.deleted_files) {
    returned.emplace(file.level, file.number);
  }
  if (sent != returned || returned.size() != result.edit.deleted_files.size()) {
    return Wrong("its inputs are not those of the job");
  }
  return Status::Ok();
}

// The bounds of one output, and where it lies among the others.
Status CheckBounds(const RemoteCheck& check, const InputLimits& limits,
                   const FileDescription* before, const FileDescription& output) {
  const Comparator& order = check.version.comparator();
  const std::optional<InternalKey> smallest = DecodeInternalKey(output.smallest);
  const std::optional<InternalKey> largest = DecodeInternalKey(output.largest);
  const size_t timestamp = order.timestamp_size();
  if (!smallest || !largest || smallest->user_key.size() < timestamp ||
      largest->user_key.size() < timestamp) {
    return Wrong(TableOf(output) + "has a bound that is no key");
  }
  if (CompareInternalKeys(VirtualOrder{&order}, *smallest, *largest) > 0) {
    return Wrong(TableOf(output) + "has bounds in the wrong order");
  }
  if (CompareIgnoringTimestamps(order, smallest->user_key, limits.keys.begin) < 0 ||
      CompareIgnoringTimestamps(order, largest->user_key, limits.keys.end) > 0) {
    return Wrong(TableOf(output) + "has keys beyond those of the inputs");
  }
  if (output.largest_sequence > limits.newest) {
    return Wrong(TableOf(output) + "has the sequence " + std::to_string(output.largest_sequence) +
                 ", the newest of the inputs is " + std::to_string(limits.newest));
  }
  if (before == nullptr) return Status::Ok();
  const InternalKey end = *DecodeInternalKey(before->largest);
  const int c = CompareIgnoringTimestamps(order, end.user_key, smallest->user_key);
  // The exclusive end of a range deletion may be where the next table begins.
  const bool open = end.type == ValueType::kRangeDeletion && end.sequence == kMaxSequence;
  if (c > 0 || (c == 0 && !open)) return Wrong(TableOf(output) + "overlaps the one before it");
  return Status::Ok();
}

}  // namespace

Status CheckRemoteResult(const RemoteCheck& check, const RemoteResult& result) {
  if (result.job_id != check.sent.id) {
    return Wrong("it is of the job " + EscapeForDisplay(result.job_id));
  }
  if (result.job_crc != check.crc) {
    return Wrong("it is of a job with the checksum " + Hex(result.job_crc.value, 8) +
                 ", this one has " + Hex(check.crc.value, 8));
  }
  if (result.code != Code::kOk) {
    return Status(result.code, "the worker failed: " + EscapeForDisplay(result.message));
  }
  const VersionEdit& edit = result.edit;
  VersionEdit known;  // All that it may have.
  known.family = check.sent.family;
  known.deleted_files = edit.deleted_files;
  known.new_files = edit.new_files;
  if (!(known == edit)) return Wrong("its version edit does more than to replace tables");
  RETURN_IF_ERROR(CheckInputs(check, result));
  ASSIGN_OR_RETURN(const InputLimits limits, LimitsOf(check));
  if (result.entries_read != limits.entries) {
    return Wrong("it read " + std::to_string(result.entries_read) + " entries, the inputs have " +
                 std::to_string(limits.entries));
  }
  if (check.plan.output_level == 0 && edit.new_files.size() > 1) {
    return Wrong("it has several tables for level 0");
  }
  std::set<FileNumber> numbers;
  const FileDescription* before = nullptr;
  for (const VersionEdit::NewFile& output : edit.new_files) {
    if (output.level != check.plan.output_level) {
      return Wrong(TableOf(output.file) + "is for level " + std::to_string(output.level));
    }
    if (!numbers.insert(output.file.number).second) {
      return Wrong(TableOf(output.file) + "is there twice");
    }
    RETURN_IF_ERROR(CheckBounds(check, limits, before, output.file));
    before = &output.file;
  }
  return Status::Ok();
}

Status CheckRemoteOutput(const RemoteCheck& check, const RemoteResult& result, size_t index,
                         const std::string& folder, FileDescription* description,
                         uint64_t* points) {
  const FileDescription& said = result.edit.new_files[index].file;
  const JobContext& job = check.job;
  const std::string path = JoinPath(folder, TableFileName(said.number));
  ASSIGN_OR_RETURN(const std::unique_ptr<TableReader> table, OpenOutput(job, path, said.size));
  const TableProperties& properties = table->properties();
  if (properties.db_id != check.sent.db_id || properties.db_session_id != result.session ||
      properties.family_id != check.sent.family) {
    return Wrong(path + " was made for another database or column family, or by another worker");
  }
  const auto id =
      TableUniqueId(properties.db_id, properties.db_session_id, properties.original_file_number);
  if (properties.original_file_number != said.number || id != said.unique_id) {
    return Wrong(path + " has another unique id than the result says");
  }
  ReadTable read(*job.options.comparator);
  RETURN_IF_ERROR(ReadWholeTable(*table, job.readahead_size, &read).At(path));
  RETURN_IF_ERROR(CompareWithDescription(said, read.bounds).At(path));
  const uint64_t deletions = table->RawTombstones().size();
  if (read.points + deletions != result.entries[index] ||
      read.points + deletions != properties.entries) {
    return Wrong(path + " has " + std::to_string(read.points + deletions) +
                 " entries, its properties say " + std::to_string(properties.entries) +
                 ", the result " + std::to_string(result.entries[index]));
  }
  *points += read.points;
  *description = FileDescription();
  read.bounds.Describe(description);
  description->size = said.size;
  description->unique_id = id;
  description->oldest_blob_file = read.oldest_blob_file;
  description->creation_time = properties.file_creation_time;
  description->path_id = job.path_id;
  description->counts = CountsOf(properties);
  return Status::Ok();
}

Status CheckRemotePoints(const RemoteCheck& check, uint64_t points) {
  ASSIGN_OR_RETURN(const InputLimits limits, LimitsOf(check));
  const uint64_t most = limits.entries - std::min(limits.entries, limits.range_deletions);
  if (points <= most) return Status::Ok();
  return Wrong("its tables have " + std::to_string(points) + " entries besides range deletions, " +
               "the inputs " + std::to_string(most));
}

}  // namespace varve
