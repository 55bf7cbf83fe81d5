// SPDX-License-Identifier: Apache-2.0
// Logs as strings: made record by record, also wrong ones, and read back as a list of steps.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/crc32c.h"
#include "core/wal/log_reader.h"
#include "core/wal/log_writer.h"

namespace varve {

// Serves a string; `broken_at`: reads that reach it fail.
class StringFile final : public RandomAccessFile {
 public:
  explicit StringFile(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    if (offset + size > broken_at) return Status::IoError("broken");
    if (offset > bytes_.size()) return std::string_view();
    const size_t taken = bytes_.copy(buffer, size, offset);
    return std::string_view(buffer, taken);
  }
  Result<uint64_t> Size() const override { return uint64_t{bytes_.size()}; }
  const std::string& path() const override { return path_; }

  uint64_t broken_at = UINT64_MAX;

 private:
  std::string bytes_;
  std::string path_ = "000007.log";
};

// Collects into a string of the caller's; fails as told.
class StringSink final : public WritableFile {
 public:
  explicit StringSink(std::string* out) : out_(out) {}
  Status Append(std::string_view bytes) override {
    ++appends;
    if (fail_appends) {
      out_->append(bytes.substr(0, bytes.size() / 2));
      return Status::NoSpace("full");
    }
    out_->append(bytes);
    return {};
  }
  Status Sync() override { return fail_syncs ? Status::IoError("sync") : Status::Ok(); }
  Status Close() override {
    ++closes;
    return {};
  }
  uint64_t size() const override { return out_->size(); }
  const std::string& path() const override { return path_; }

  bool fail_appends = false;
  bool fail_syncs = false;
  int appends = 0;
  int closes = 0;

 private:
  std::string* out_;
  std::string path_ = "sink";
};

// One physical record; `log`: for the recyclable types.
inline std::string Physical(int type, std::string_view payload, uint32_t log = 7) {
  const bool recyclable = (type >= 5 && type <= 8) || type == 11 || type == 131;
  std::string guarded(1, static_cast<char>(type));
  if (recyclable) AppendFixed32(&guarded, log);
  guarded += payload;
  std::string record;
  AppendFixed32(&record, Mask(ComputeCrc32c(guarded)).value);
  AppendFixed16(&record, static_cast<uint16_t>(payload.size()));
  return record + guarded;
}

inline std::string Written(const std::vector<std::string>& records) {
  std::string bytes;
  LogWriter writer(std::make_unique<StringSink>(&bytes));
  for (const std::string& record : records) writer.Append(record).Ignore("cannot fail");
  return bytes;
}

struct Step {
  LogReader::Event event = LogReader::Event::kEnd;
  std::string record;
  uint64_t offset = 0;
  uint64_t end = 0;
  uint64_t dropped = 0;
  bool inside_fragment = false;
  bool disorder = false;
  std::string reason;
};

// Reads on behind damage, to the end.
inline std::vector<Step> ReadSteps(const std::string& bytes, uint64_t log_number = 7) {
  using Event = LogReader::Event;
  const StringFile file(bytes);
  LogReader reader(file, bytes.size(), log_number);
  std::vector<Step> steps;
  Event event = Event::kRecord;
  do {
    event = reader.Next();
    steps.push_back({event, std::string(reader.record()), reader.record_offset(),
                     reader.end_offset(), reader.dropped_bytes(), reader.inside_fragment(),
                     reader.disorder(), reader.reason()});
  } while (event == Event::kRecord || event == Event::kBad || event == Event::kOld);
  return steps;
}

// "RRBE": R record, B bad, O old, T truncated, E end, I unreadable.
inline std::string Shape(const std::vector<Step>& steps) {
  std::string shape;
  for (const Step& step : steps) shape += "RETBOI"[static_cast<int>(step.event)];
  return shape;
}

inline std::vector<std::string> Records(const std::vector<Step>& steps) {
  std::vector<std::string> records;
  for (const Step& step : steps) {
    if (step.event == LogReader::Event::kRecord) records.push_back(step.record);
  }
  return records;
}

}  // namespace varve
