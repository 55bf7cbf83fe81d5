// SPDX-License-Identifier: Apache-2.0
// dump, idump.
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cli/ldb/file_text.h"
#include "cli/ldb/key_groups.h"
#include "cli/ldb/text.h"
#include "cli/ldb/time_range.h"
#include "cli/ldb/value_sizes.h"
#include "cli/ldb/verbs.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/try.h"
#include "core/inspect/table/table_report.h"

namespace varve::cli::ldb {
namespace {

constexpr uint64_t kBucketsMax = 1 << 20;

// --bucket: how many values were written in each period.
class TimeBuckets {
 public:
  // One bucket: nothing is counted by periods.
  static Result<TimeBuckets> Of(const Call& call, const TimeRange& times) {
    ASSIGN_OR_RETURN(const std::optional<int> size, call.line.Number("bucket"));
    const int64_t range = int64_t{times.end} - times.begin;
    const int64_t step = size && *size > 0 ? *size : range;
    const int64_t count = step >= range ? 1 : (range + step - 1) / step;
    if (count > static_cast<int64_t>(kBucketsMax)) return Failed("too many buckets");
    return TimeBuckets(times, step, static_cast<size_t>(count));
  }

  bool asked_for() const { return counts_.size() > 1; }
  void Add(int seconds) {
    if (asked_for()) ++counts_[static_cast<size_t>((seconds - times_.begin) / step_)];
  }
  std::string Text() const {
    std::string text;
    for (size_t i = 0; i < counts_.size(); ++i) {
      const int64_t begin = times_.begin + static_cast<int64_t>(i) * step_;
      const int64_t end = i + 1 == counts_.size() ? times_.end : begin + step_;
      text += "Keys in range " + TimeText(static_cast<int>(begin)) + " to " +
              TimeText(static_cast<int>(end)) + " : " + std::to_string(counts_[i]) + "\n";
    }
    return text;
  }

 private:
  TimeBuckets(const TimeRange& times, int64_t step, size_t count)
      : times_(times), step_(step), counts_(count) {}

  const TimeRange times_;
  const int64_t step_;
  std::vector<uint64_t> counts_;
};

Status DumpDatabase(Call& call) {
  ASSIGN_OR_RETURN(const std::optional<std::string> from, call.KeyOption("from"));
  ASSIGN_OR_RETURN(const std::optional<std::string> to, call.KeyOption("to"));
  ASSIGN_OR_RETURN(const std::optional<int> max_keys, call.line.Number("max_keys"));
  RETURN_IF_ERROR(call.Open(Access::kRead));
  ASSIGN_OR_RETURN(const TimeRange times, TimeRange::Of(call));
  if (times.end < times.begin) {
    call.Say("Error: End time can't be less than start time");
    return Status::Ok();
  }
  ASSIGN_OR_RETURN(TimeBuckets buckets, TimeBuckets::Of(call, times));
  const bool counts_only = call.line.Has("count_only");
  std::optional<KeyGroups> groups = KeyGroups::Of(call.line);
  const bool shows = !counts_only && !groups;
  const bool shows_times = call.ttl && call.line.Has("timestamp");
  if (shows && shows_times) {
    call.Print("Dumping key-values from " + TimeText(times.begin) + " to " + TimeText(times.end) +
               "\n");
  }
  ReadOptions reading;
  if (to) reading.upper_bound = *to;
  Result<Iterator> it = call.db().NewIterator(reading, call.family());
  if (!it.ok()) return Failed("Iterator error.", it.status());
  ValueSizes sizes;
  uint64_t count = 0;
  for (from ? it->Seek(*from) : it->SeekToFirst(); it->Valid(); it->Next()) {
    if (max_keys && *max_keys >= 0 && count >= static_cast<uint64_t>(*max_keys)) break;
    std::string_view value = it->value();
    std::string line;
    if (call.ttl) {
      ASSIGN_OR_RETURN(const Call::Unstamped part, Call::Unstamp(value));
      if (!times.Has(part.seconds)) continue;
      buckets.Add(part.seconds);
      if (shows_times) line = TimeText(part.seconds) + " ";
      value = part.value;
    }
    ++count;
    if (groups) {
      // The group ends at a NUL, too.
      call.Print(groups->Add(AsCString(it->key()), it->key().size() + value.size()));
    }
    if (counts_only) sizes.Add(value.size());
    if (!shows) continue;
    const std::string record = call.ShownKey(it->key()) + " ==> " + call.ShownValue(value);
    call.Print(line + std::string(AsCString(record)) + "\n");
  }
  if (!it->status().ok()) return Failed("", it->status());
  if (call.ttl && buckets.asked_for()) {
    call.Print(buckets.Text());
  } else if (groups) {
    call.Print(groups->Line());
  } else {
    call.Print("Keys in range: " + std::to_string(count) + "\n");
  }
  if (counts_only) call.Print("Value size distribution: \n" + sizes.Text() + "\n");
  return Status::Ok();
}

std::string_view UpToZeroOrOne(std::string_view bytes) {
  constexpr std::string_view kEnds("\0\1", 2);
  return bytes.substr(0, bytes.find_first_of(kEnds));
}

// `idump` groups and counts stored keys, with what they end with: type and sequence number. A put
// has a byte of 1 there, at which a key ends for it.
std::string GroupedKey(const StoredEntry& entry) {
  std::string stored(entry.key);
  AppendFixed64(&stored, entry.sequence << 8 | static_cast<uint64_t>(TypeNumber(entry.type)));
  return std::string(UpToZeroOrOne(stored));
}

// --from and --to of `idump`: hexadecimal with a flag of their own.
Result<std::optional<std::string>> InputKey(const Call& call, std::string_view name) {
  std::optional<std::string> word = call.line.Value(name);
  if (!word || !call.line.Has("input_key_hex")) return word;
  ASSIGN_OR_RETURN(std::string key, FromHexWord(*word));
  return std::optional<std::string>(std::move(key));
}

std::string InternalLine(const Call& call, const StoredEntry& entry) {
  const std::string key = KeyText(entry.key, entry.sequence, entry.type, call.key_hex);
  const std::string value = StoredValueText(call, entry, call.value_hex);
  return std::string(AsCString(key)) + " => " + std::string(AsCString(value)) + "\n";
}

}  // namespace

Status Dump(Call& call) {
  if (call.line.Has("stats")) return NotImplemented("dump --stats");
  const std::optional<std::string> file = call.line.Value("path");
  return file && call.path.empty() ? DumpFile(call, *file) : DumpDatabase(call);
}

Status DumpInternal(Call& call) {
  if (call.line.Has("stats")) return NotImplemented("idump --stats");
  EntryRange range;
  ASSIGN_OR_RETURN(range.from, InputKey(call, "from"));
  ASSIGN_OR_RETURN(range.to, InputKey(call, "to"));
  ASSIGN_OR_RETURN(const std::optional<int> max_keys, call.line.Number("max_keys"));
  const uint64_t limit = !max_keys || *max_keys < 0 ? std::numeric_limits<uint64_t>::max()
                                                    : static_cast<uint64_t>(std::max(*max_keys, 1));
  RETURN_IF_ERROR(call.Open(Access::kRead));
  const std::string family = call.line.Value("column_family").value_or("default");
  Result<EntryStream> entries =
      EntryStream::OpenDatabase(call.file_system(), call.path, family, range);
  if (!entries.ok()) return Failed("", entries.status());
  std::optional<KeyGroups> groups = KeyGroups::Of(call.line);
  const bool shows = !call.line.Has("count_only") && !groups;
  uint64_t count = 0;
  StoredEntry entry;
  while (count < limit && entries->Next(&entry)) {
    if (entry.type == "range_delete") continue;  // Those are behind all others, and not shown.
    ++count;
    if (groups) {
      const std::string key = GroupedKey(entry);
      call.Print(groups->Add(key, key.size() + UpToZeroOrOne(entry.value).size()));
    }
    if (shows) call.Print(InternalLine(call, entry));
  }
  if (!entries->status().ok()) return Failed("", entries->status());
  call.Print(groups ? groups->Line() : "Internal keys in range: " + std::to_string(count) + "\n");
  return Status::Ok();
}

}  // namespace varve::cli::ldb
