// SPDX-License-Identifier: Apache-2.0
// The job that compares the records of two databases, walking both in step.
#include <algorithm>

#include "core/base/text.h"
#include "core/base/try.h"
#include "varve/comparator.h"
#include "webview/api/recovery_json.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/schema.h"

namespace varve::api {
namespace {

constexpr size_t kDifferencesInResult = 1000;

// A cursor and the record it stands on.
struct Side {
  std::unique_ptr<RecordCursor> cursor;
  std::string_view key, value;
  bool there = false;

  void Advance() { there = cursor->Next(&key, &value); }
};

struct ComparedFamily {
  std::string name;
  const Comparator* order;
};

class DiffTask : public JobTask {
 public:
  DiffTask(std::shared_ptr<RecordReader> a, std::shared_ptr<RecordReader> b,
           std::vector<ComparedFamily> families, std::shared_ptr<const RecoveryReport> recovery_b)
      : readers_{std::move(a), std::move(b)},
        families_(std::move(families)),
        recovery_b_(std::move(recovery_b)) {}

  Result<bool> Step(JobControl& control) override {
    while (next_ < families_.size()) {
      if (left_.cursor == nullptr) RETURN_IF_ERROR(Open(families_[next_].name));
      for (int i = 0; i < kRecordsBetweenLooks; ++i) {
        if (left_.there || right_.there) {
          Compare(families_[next_]);
          continue;
        }
        RETURN_IF_ERROR(left_.cursor->status());
        RETURN_IF_ERROR(right_.cursor->status());
        left_ = {};
        right_ = {};
        ++next_;
        break;
      }
      control.report({.done = same_ + Differences(), .total = 0, .unit = "records"});
      if (control.ShouldPause()) return next_ == families_.size();
    }
    return true;
  }

  std::string_view schema() const override { return "varve.diff/1"; }
  Json ResultJson() const override {
    Json json = {{"equal", Differences() == 0}, {"same", same_},
                 {"only_a", only_a_},           {"only_b", only_b_},
                 {"changed", changed_},         {"complete", Differences() <= kDifferencesInResult},
                 {"differences", differences_}};
    if (OtherIsPartial()) MarkPartial(*recovery_b_, &json);  // The router looks after the target.
    return json;
  }
  int exit_code() const override { return OtherIsPartial() ? 7 : Differences() == 0 ? 0 : 1; }

 private:
  bool OtherIsPartial() const { return recovery_b_ != nullptr && recovery_b_->damaged(); }
  uint64_t Differences() const { return only_a_ + only_b_ + changed_; }

  Status Open(const std::string& family) {
    ASSIGN_OR_RETURN(left_.cursor, readers_[0]->Scan(family, {}, std::nullopt));
    ASSIGN_OR_RETURN(right_.cursor, readers_[1]->Scan(family, {}, std::nullopt));
    left_.Advance();
    right_.Advance();
    return Status::Ok();
  }

  void Compare(const ComparedFamily& family) {
    const int c = !left_.there    ? 1
                  : !right_.there ? -1
                                  : family.order->Compare(left_.key, right_.key);
    if (c < 0) {
      ++only_a_;
      Note(family.name, "only_a", left_);
    } else if (c > 0) {
      ++only_b_;
      Note(family.name, "only_b", right_);
    } else if (left_.value != right_.value) {
      ++changed_;
      Note(family.name, "changed", right_);
    } else {
      ++same_;
    }
    if (c <= 0) left_.Advance();
    if (c >= 0) right_.Advance();
  }

  void Note(const std::string& family, const char* kind, const Side& side) {
    if (differences_.size() == kDifferencesInResult) return;
    differences_.push_back({{"cf", family},
                            {"kind", kind},
                            {"key", BytesJson(side.key, BytesStyle(), "")},
                            {"value", BytesJson(side.value, BytesStyle(), "")}});
  }

  const std::shared_ptr<RecordReader> readers_[2];
  const std::vector<ComparedFamily> families_;
  const std::shared_ptr<const RecoveryReport> recovery_b_;
  size_t next_ = 0;
  Side left_, right_;
  uint64_t same_ = 0, only_a_ = 0, only_b_ = 0, changed_ = 0;
  Json differences_ = Json::array();
};

}  // namespace

Answer<std::unique_ptr<JobTask>> MakeDiffJob(const Call& call, const Json& body) {
  const auto other = body.find("other");
  if (other == body.end() || !other->is_string()) {
    return Problem("bad_request", "the body must name the \"other\" target");
  }
  ASSIGN_OR_RETURN(const std::shared_ptr<Target> target,
                   call.service().FindTarget(other->get<std::string>()));
  ASSIGN_OR_RETURN(const auto lsm_a, call.Lsm());
  ASSIGN_OR_RETURN(const auto lsm_b, target->Lsm());
  std::optional<std::string> only;  // "cf": that family; without it, all of them.
  if (const auto cf = body.find("cf"); cf != body.end()) {
    if (!cf->is_string()) return Problem("bad_request", "cf must be a string");
    only = cf->get<std::string>();
  }
  std::vector<ComparedFamily> families;
  for (const FamilyReport& family : lsm_a->families) {
    if (only && family.name != *only) continue;
    const Comparator* order = ComparatorByName(family.comparator);
    if (order == nullptr) {
      return Problem("unsupported_feature", "comparator " + family.comparator + " is unknown here");
    }
    families.push_back({family.name, order});
  }
  for (const auto* pair : {&lsm_a, &lsm_b}) {
    const auto& rest = pair == &lsm_a ? lsm_b : lsm_a;
    for (const FamilyReport& family : (*pair)->families) {
      if (only && family.name != *only) continue;
      if (rest->Find(family.name) != nullptr) continue;
      return Problem("bad_request", "column family '" + family.name + "' is only in one of them");
    }
  }
  if (only && families.empty()) {
    return Problem("cf_not_found", "there is no column family '" + EscapeForDisplay(*only) + "'");
  }
  ASSIGN_OR_RETURN(std::shared_ptr<RecordReader> a, call.Records());
  ASSIGN_OR_RETURN(std::shared_ptr<RecordReader> b,
                   target->Records(call.service().options().records));
  return std::unique_ptr<JobTask>(
      std::make_unique<DiffTask>(std::move(a), std::move(b), std::move(families), target->Recovery()));
}

Json DiffSchema() {
  return Document("varve.diff/1",
                  {{"equal", Boolean()},
                   {"same", Number()},
                   {"only_a", Number()},
                   {"only_b", Number()},
                   {"changed", Number()},
                   {"complete", Boolean()},
                   {"differences", ArrayOf(Object({{"cf", Text()},
                                                   {"kind", OneOf({"only_a", "only_b", "changed"})},
                                                   {"key", BytesRef()},
                                                   {"value", BytesRef()}}))}});
}

}  // namespace varve::api
