// SPDX-License-Identifier: Apache-2.0
// The job that compares the records of two databases in one parallel walk.
#include <algorithm>

#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/comparator.h"
#include "webview/api/fields/diff_fields.h"
#include "webview/api/json/recovery_json.h"
#include "webview/api/resources/job_kinds.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

constexpr size_t kDifferencesInResult = 1000;

// A cursor and its current record.
struct Side {
  std::unique_ptr<RecordCursor> cursor;
  std::string_view key, value;
  bool there = false;

  void Advance() { there = cursor != nullptr && cursor->Next(&key, &value); }
  Status status() const { return cursor == nullptr ? Status::Ok() : cursor->status(); }
};

struct ComparedFamily {
  std::string name;
  const Comparator* order;
  bool in_a = true, in_b = true;
};

struct DiffReport {
  std::vector<ComparedFamily> families;
  uint64_t same = 0, only_a = 0, only_b = 0, changed = 0;
  Json differences = Json::array();  // The first ones, truncated; none if only counts are wanted.

  // Records that differ.
  uint64_t Records() const { return only_a + only_b + changed; }
  // A family that exists only on one side is a difference, even if it is empty.
  bool equal() const {
    return Records() == 0 && std::all_of(families.begin(), families.end(),
                                         [](const auto& f) { return f.in_a && f.in_b; });
  }
  bool complete() const { return Records() == differences.size(); }
  std::vector<std::string> only_in_a() const { return NamesWhere(&ComparedFamily::in_b); }
  std::vector<std::string> only_in_b() const { return NamesWhere(&ComparedFamily::in_a); }

  std::vector<std::string> NamesWhere(bool ComparedFamily::* lacking) const {
    std::vector<std::string> names;
    for (const ComparedFamily& family : families) {
      if (!(family.*lacking)) names.push_back(EscapeForDisplay(family.name));
    }
    return names;
  }
};

const Fields<DiffReport>& DiffFields() {
  static const auto fields =
      Fields<DiffReport>()
          .Flag("equal", &DiffReport::equal, "the same families with the same records")
          .Number("same", Unit::kCount, &DiffReport::same, "records that both have")
          .Number("only_a", Unit::kCount, &DiffReport::only_a, "records that only A has")
          .Number("only_b", Unit::kCount, &DiffReport::only_b, "records that only B has")
          .Number("changed", Unit::kCount, &DiffReport::changed, "keys with different values")
          .Texts("cfs_only_a", &DiffReport::only_in_a, "column families that only A has")
          .Texts("cfs_only_b", &DiffReport::only_in_b, "column families that only B has")
          .Flag("complete", &DiffReport::complete, "all records that differ are listed")
          .Other("differences", ArrayOf(RecordDifferenceFields().Schema()),
                 &DiffReport::differences, "the first thousand records that differ");
  return fields;
}

class DiffTask : public JobTask {
 public:
  DiffTask(std::shared_ptr<RecordReader> a, std::shared_ptr<RecordReader> b,
           std::vector<ComparedFamily> families, bool brief,
           std::optional<RecoveryReport> recovery_b)
      : readers_{std::move(a), std::move(b)},
        report_{std::move(families)},
        brief_(brief),
        recovery_b_(std::move(recovery_b)) {}

  Result<bool> Step(JobControl& control) override {
    while (next_ < report_.families.size()) {
      if (left_.cursor == nullptr && right_.cursor == nullptr) {
        RETURN_IF_ERROR(Open(report_.families[next_]));
      }
      for (int i = 0; i < kRecordsBetweenLooks; ++i) {
        if (left_.there || right_.there) {
          Compare(report_.families[next_]);
          continue;
        }
        RETURN_IF_ERROR(left_.status());
        RETURN_IF_ERROR(right_.status());
        left_ = {};
        right_ = {};
        ++next_;
        break;
      }
      control.report({.done = report_.same + report_.Records(), .total = 0, .unit = "records"});
      if (control.ShouldPause()) return next_ == report_.families.size();
    }
    return true;
  }

  std::string_view schema() const override { return kDiffDocument.name; }
  Json ResultJson() const override {
    Json json = DiffFields().ToJson(report_);
    if (OtherIsPartial()) {  // The router checks the target itself.
      json["exact"] = false;
      MarkPartial(*recovery_b_, &json);
    }
    return json;
  }
  int exit_code() const override { return OtherIsPartial() ? 7 : report_.equal() ? 0 : 1; }

 private:
  bool OtherIsPartial() const { return recovery_b_.has_value(); }

  Status Open(const ComparedFamily& family) {
    if (family.in_a) {
      ASSIGN_OR_RETURN(left_.cursor, readers_[0]->Scan(family.name, {}, std::nullopt));
    }
    if (family.in_b) {
      ASSIGN_OR_RETURN(right_.cursor, readers_[1]->Scan(family.name, {}, std::nullopt));
    }
    left_.Advance();
    right_.Advance();
    return Status::Ok();
  }

  void Compare(const ComparedFamily& family) {
    const int c = !left_.there    ? 1
                  : !right_.there ? -1
                                  : family.order->Compare(left_.key, right_.key);
    if (c < 0) {
      ++report_.only_a;
      Note(family.name, "only_a", left_);
    } else if (c > 0) {
      ++report_.only_b;
      Note(family.name, "only_b", right_);
    } else if (left_.value != right_.value) {
      ++report_.changed;
      Note(family.name, "changed", right_);
    } else {
      ++report_.same;
    }
    if (c <= 0) left_.Advance();
    if (c >= 0) right_.Advance();
  }

  void Note(const std::string& family, std::string_view kind, const Side& side) {
    if (brief_ || report_.differences.size() == kDifferencesInResult) return;
    report_.differences.push_back(
        RecordDifferenceFields().ToJson({family, kind, side.key, side.value}));
  }

  const std::shared_ptr<RecordReader> readers_[2];
  DiffReport report_;
  const bool brief_;
  const std::optional<RecoveryReport> recovery_b_;  // If the other one may lack records.
  size_t next_ = 0;
  Side left_, right_;
};

Answer<ComparedFamily> FamilyOf(const FamilyReport* a, const FamilyReport* b) {
  const FamilyReport& either = a != nullptr ? *a : *b;
  const Comparator* order = OrderOf(either);
  if (order == nullptr) {
    return Problem("unsupported_feature",
                   std::string(UnknownOrder("column family " + EscapeForDisplay(either.name),
                                            either.comparator)
                                   .message()));
  }
  if (a != nullptr && b != nullptr && OrderOf(*b) != order) {
    return Problem("unsupported_feature",
                   "column family '" + EscapeForDisplay(either.name) + "' is ordered by " +
                       EscapeForDisplay(a->comparator) + " in one and by " +
                       EscapeForDisplay(b->comparator) +
                       " in the other: they cannot be compared in key order");
  }
  return ComparedFamily{
      .name = either.name, .order = order, .in_a = a != nullptr, .in_b = b != nullptr};
}

// The families of both; `only`: a single one that both must have.
Answer<std::vector<ComparedFamily>> FamiliesOf(const LsmReport& a, const LsmReport& b,
                                               const std::optional<std::string>& only) {
  std::vector<ComparedFamily> families;
  if (only && (a.Find(*only) == nullptr || b.Find(*only) == nullptr)) {
    return Problem("cf_not_found", "there is no column family '" + EscapeForDisplay(*only) + "'" +
                                       (a.Find(*only) != b.Find(*only) ? " in one of them" : ""));
  }
  for (const FamilyReport& family : a.families) {
    if (only && family.name != *only) continue;
    ASSIGN_OR_RETURN(ComparedFamily compared, FamilyOf(&family, b.Find(family.name)));
    families.push_back(std::move(compared));
  }
  for (const FamilyReport& family : b.families) {
    if (only || a.Find(family.name) != nullptr) continue;
    ASSIGN_OR_RETURN(ComparedFamily compared, FamilyOf(nullptr, &family));
    families.push_back(std::move(compared));
  }
  return families;
}

struct DiffBody {
  std::string other = {};
  std::optional<std::string> family = {};
  bool brief = false;
};

Answer<std::vector<Right>> NeedsOfDiff(const Call& call, const DiffBody& body) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Target> other, call.TargetNamed(body.other));
  std::vector<Right> needs = {{Access::kRead, call.target().name(), body.family},
                              {Access::kRead, other->name(), body.family}};
  // Of a damaged one nobody knows what is of which family.
  if (!other->Lsm().ok()) needs.back().family.reset();
  return needs;
}

// What opening the target lost, if anything; the logs are named to those who may see them all.
std::optional<RecoveryReport> DamageOf(const Call& call, Target& target) {
  const std::shared_ptr<const RecoveryReport> recovery = target.Recovery();
  if (recovery == nullptr || !recovery->damaged()) return std::nullopt;
  RecoveryReport shown = *recovery;
  if (!call.May({Access::kRead, target.name()})) shown.losses.clear();
  return shown;
}

Answer<std::unique_ptr<JobTask>> MakeDiffJob(const Call& call, const DiffBody& body) {
  ASSIGN_OR_RETURN(const std::shared_ptr<Target> target, call.TargetNamed(body.other));
  ASSIGN_OR_RETURN(const auto lsm_a, call.Lsm());
  ASSIGN_OR_RETURN(const auto lsm_b, target->Lsm());
  ASSIGN_OR_RETURN(std::vector<ComparedFamily> families, FamiliesOf(*lsm_a, *lsm_b, body.family));
  ASSIGN_OR_RETURN(std::shared_ptr<RecordReader> a, call.Records());
  ASSIGN_OR_RETURN(std::shared_ptr<RecordReader> b,
                   target->Records(call.service().options().records));
  return std::unique_ptr<JobTask>(std::make_unique<DiffTask>(
      std::move(a), std::move(b), std::move(families), body.brief, DamageOf(call, *target)));
}

}  // namespace

JobKind DiffJob() {
  return NewJobKind<DiffBody>("diff", "the records of two databases, compared",
                              ObjectShape<DiffBody>()
                                  .Text("other", &DiffBody::other, "the target to compare with")
                                  .Name("cf", &DiffBody::family, "this column family only")
                                  .Flag("brief", &DiffBody::brief,
                                        "only counts, without the records that differ", kOptional)
                                  .shape(),
                              NeedsOfDiff, MakeDiffJob);
}

const Fields<RecordDifference>& RecordDifferenceFields() {
  static const auto fields =
      Fields<RecordDifference>("RecordDifference")
          .Name("cf", &RecordDifference::family, "name of the column family")
          .Choice("kind", {"only_a", "only_b", "changed"}, &RecordDifference::kind,
                  "only one of them has the key, or its values differ")
          .Bytes("key", &RecordDifference::key, "the user key")
          .Bytes("value", &RecordDifference::value, "of B, where both have one");
  return fields;
}

constexpr DocumentSchema kDiffDocument = {
    .name = "varve.diff/1",
    .make = [](std::string_view name) { return Document(name, DiffFields().Members()); },
    .stands_on_logs = true};

}  // namespace varve::api
