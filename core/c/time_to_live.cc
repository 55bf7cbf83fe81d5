// SPDX-License-Identifier: Apache-2.0
#include "core/c/time_to_live.h"

#include <memory>
#include <optional>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/try.h"
#include "core/c/batch_records.h"

namespace varve::c {
namespace {

constexpr size_t kStampSize = sizeof(uint32_t);
// RocksDB's: it had no time to live before.
constexpr int32_t kStampMin = 1368146402;

int64_t Now(Clock& clock) {
  constexpr uint64_t kMicrosPerSecond = 1000000;
  return static_cast<int64_t>(clock.UnixMicros() / kMicrosPerSecond);
}

std::string_view StampOf(std::string_view stored) {
  return stored.substr(stored.size() - kStampSize);
}

// As RocksDB: signed, until 2038.
int32_t TimeOf(std::string_view stored) {
  return static_cast<int32_t>(LoadFixed32(StampOf(stored).data()));
}

// Nullopt if it is too short.
std::optional<std::string_view> Without(std::string_view stored) {
  if (stored.size() < kStampSize) return std::nullopt;
  return stored.substr(0, stored.size() - kStampSize);
}

std::optional<std::vector<std::string_view>> WithoutEach(
    std::span<const std::string_view> operands) {
  std::vector<std::string_view> all;
  for (const std::string_view operand : operands) {
    const std::optional<std::string_view> one = Without(operand);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  return all;
}

// Shows the operator of the program what it has written, and stamps what it makes of that.
class StampedOperator final : public MergeOperator {
 public:
  StampedOperator(std::shared_ptr<const MergeOperator> of_program, Clock& clock)
      : of_program_(std::move(of_program)), clock_(clock) {}

  std::string_view name() const override { return "TtlMergeOperator"; }

  Result<std::string> Merge(std::string_view key, std::optional<std::string_view> base,
                            std::span<const std::string_view> operands) const override {
    const auto shown = WithoutEach(operands);
    const std::optional<std::string_view> shown_base = base ? Without(*base) : std::nullopt;
    if (!shown || (base && !shown_base)) {
      return Status::Corruption("a merge of what is too short to have a timestamp");
    }
    ASSIGN_OR_RETURN(const std::string merged, of_program_->Merge(key, shown_base, *shown));
    return Stamped(merged, clock_);
  }

  std::optional<std::string> Combine(std::string_view key,
                                     std::span<const std::string_view> operands) const override {
    const auto shown = WithoutEach(operands);
    if (!shown) return std::nullopt;
    const std::optional<std::string> combined = of_program_->Combine(key, *shown);
    if (!combined) return std::nullopt;
    return Stamped(*combined, clock_);
  }

 private:
  const std::shared_ptr<const MergeOperator> of_program_;
  Clock& clock_;
};

// Removes what is too old, and asks the filter of the program about the rest.
class AgeFilter final : public CompactionFilter {
 public:
  AgeFilter(std::unique_ptr<CompactionFilter> of_program, int seconds, Clock& clock)
      : of_program_(std::move(of_program)), seconds_(seconds), clock_(clock) {}

  Decision Filter(int level, std::string_view key, std::string_view value,
                  std::string* new_value) override {
    const std::optional<std::string_view> shown = Without(value);
    if (!shown) return Decision::kKeep;  // Reads say that it is damaged.
    if (seconds_ > 0 && int64_t{TimeOf(value)} + seconds_ < Now(clock_)) return Decision::kRemove;
    if (of_program_ == nullptr) return Decision::kKeep;
    const Decision decision = of_program_->Filter(level, key, *shown, new_value);
    if (decision == Decision::kChange) new_value->append(StampOf(value));
    return decision;
  }

 private:
  const std::unique_ptr<CompactionFilter> of_program_;  // Null: none.
  const int seconds_;
  Clock& clock_;
};

class AgeFilters final : public CompactionFilterFactory {
 public:
  AgeFilters(std::shared_ptr<const CompactionFilterFactory> of_program, int seconds, Clock& clock)
      : of_program_(std::move(of_program)), seconds_(seconds), clock_(clock) {}

  std::unique_ptr<CompactionFilter> Create(const Context& context) const override {
    auto asked = of_program_ == nullptr ? nullptr : of_program_->Create(context);
    return std::make_unique<AgeFilter>(std::move(asked), seconds_, clock_);
  }

 private:
  const std::shared_ptr<const CompactionFilterFactory> of_program_;  // Null: none.
  const int seconds_;
  Clock& clock_;
};

}  // namespace

rocksdb_options_t WithTimeToLive(const rocksdb_options_t& options, int seconds, Clock& clock) {
  rocksdb_options_t with = options;
  with.compaction_filters.reset();
  with.compaction_filter_factory =
      std::make_shared<const AgeFilters>(FiltersOf(options), seconds, clock);
  if (options.merge_operator != nullptr) {
    with.merge_operator = std::make_shared<const StampedOperator>(options.merge_operator, clock);
  }
  return with;
}

std::string Stamped(std::string_view value, Clock& clock) {
  std::string stored(value);
  AppendFixed32(&stored, static_cast<uint32_t>(Now(clock)));
  return stored;
}

Result<WriteBatch> StampedBatch(const WriteBatch& batch, Clock& clock) {
  WriteBatch stamped;
  BatchReader in(batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    const bool has_value = record.kind == BatchRecordKind::kEntry &&
                           (record.type == ValueType::kValue || record.type == ValueType::kMerge);
    const std::string stored = has_value ? Stamped(record.value, clock) : std::string();
    if (has_value) record.value = stored;
    RETURN_IF_ERROR(AppendRecord(record, &stamped));
  }
  RETURN_IF_ERROR(in.status());
  stamped.TakeTimestampedOf(batch);
  return stamped;
}

Result<std::string_view> Unstamped(std::string_view stored) {
  const std::optional<std::string_view> value = Without(stored);
  if (!value) return Status::Corruption("Error: value's length less than timestamp's");
  if (TimeOf(stored) < kStampMin) {
    return Status::Corruption("Error: Timestamp < ttl feature release time!");
  }
  return *value;
}

Status Unstamp(Value* value) {
  ASSIGN_OR_RETURN(const std::string_view part, Unstamped(value->view()));
  value->Narrow(part);
  return Status::Ok();
}

}  // namespace varve::c
