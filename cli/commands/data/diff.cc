// SPDX-License-Identifier: Apache-2.0
// varve diff.
#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/json_rows.h"
#include "cli/output/progress.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/fields/diff_fields.h"

namespace varve::cli {
namespace {

// A row as the API has them, and one of a family that only one database has.
struct FamilyDifference {
  std::string_view family, kind;
};
const api::Fields<FamilyDifference>& FamilyDifferenceFields() {
  static const auto fields =
      api::Fields<FamilyDifference>()
          .Name("cf", &FamilyDifference::family, "name of the column family")
          .Choice("kind", {"cf_only_a", "cf_only_b"}, &FamilyDifference::kind,
                  "only one of them has the family");
  return fields;
}

// Walks both databases in parallel: - only in A, + only in B, ~ different values. A column family
// that exists only on one side is a difference itself, as is each record in it.
class Diff : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("a", &targets_[0], "database directory");
    parameters.Positional("b", &targets_[1], "database directory");
    DeclareFamily(parameters, &family_);
    parameters.Option("all-cfs", &all_families_, "every column family");
    parameters.Option("brief", &brief_, "only print how many records differ");
    DeclareEngine(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(CheckFamilyFlags(family_, all_families_));
    for (const std::string& target : targets_) {
      RETURN_IF_ERROR(RequireDatabase(*NativeEnvironment().file_system, target));
    }
    if (console.format(Format::kText) == Format::kJson) {
      ASSIGN_OR_RETURN(const Options options, MakeOptions(engine_));
      ApiSession session(options);
      for (const std::string& target : targets_) RETURN_IF_ERROR(session.Open(target));
      Progress progress(console, "diff", "records", 0);
      api::Json job = {{"kind", "diff"}, {"other", "t2"}};
      if (!all_families_) job["cf"] = EscapeForDisplay(family_.value_or("default"));
      if (brief_) job["brief"] = true;
      return session.PrintJob(console, job, &progress);
    }
    const Format format = console.format(Format::kText);
    if (format == Format::kCsv || format == Format::kTsv) {
      rows_.emplace(console.out(), format, shape_.names());
    }
    ASSIGN_OR_RETURN(const auto a, OpenForReading(console, targets_[0], engine_));
    ASSIGN_OR_RETURN(const auto b, OpenForReading(console, targets_[1], engine_));
    std::vector<std::string> names = {family_.value_or("default")};
    if (all_families_) {
      names = NamesOf(*a);
      for (const std::string& name : NamesOf(*b)) {
        if (!a->FindFamily(name)) names.push_back(name);
      }
    } else {
      for (const DB* side : {a.get(), b.get()}) {
        RETURN_IF_ERROR(FamilyNamed(*side, names[0]).status());
      }
    }
    Progress progress(console, "diff", "records", 0);
    for (const std::string& name : names) {
      RETURN_IF_ERROR(CompareFamily(console, *a, *b, name, progress));
    }
    if (rows_) rows_->Finish();
    if (format == Format::kJsonl) {
      const uint64_t shown = brief_ ? 0 : Differences();
      PrintEndOfLines(console, shown, /*complete=*/!brief_);
    }
    console.Note(Differences() == 0
                     ? "equal: " + Counted(same_, "record")
                     : FamilyNote() + HumanCount(only_a_) + " only in " + targets_[0] + ", " +
                           HumanCount(only_b_) + " only in " + targets_[1] + ", " +
                           HumanCount(changed_) + " changed, " + HumanCount(same_) + " equal");
    return Differences() == 0 ? kDone : kNegative;
  }

 private:
  uint64_t Differences() const { return only_a_ + only_b_ + changed_ + families_; }

  static std::vector<std::string> NamesOf(const DB& db) {
    std::vector<std::string> names;
    for (const FamilyInfo& family : db.Families()) names.push_back(family.name);
    return names;
  }

  std::string FamilyNote() const {
    if (families_ == 0) return "";
    return Counted(families_, "column family", "column families") + " in one of them only, ";
  }

  void PrintRow(Console& console, const api::Json& row) {
    if (rows_) return rows_->Add(shape_.Cells(row));
    console.out().WriteJson(api::Dump(row) + "\n");
  }

  void Print(Console& console, const std::string& family, char sign, std::string_view key,
             std::string_view value) {
    if (brief_) return;
    const std::string kind = sign == '-' ? "only_a" : sign == '+' ? "only_b" : "changed";
    if (WantsDocument(console)) {
      return PrintRow(
          console, api::RecordDifferenceFields().ToJson({family, kind, key, value},
                                                        {.style = api::BytesStyleByName("full")}));
    }
    console.out().WriteData(std::string(1, sign) + "\t");
    console.out().WriteEscaped(key);
    console.out().WriteData("\t");
    console.out().WriteEscaped(value);
    console.out().WriteData("\n");
  }

  // Prints all records of a family that the other database does not have.
  void PrintFamily(Console& console, const std::string& family, char sign) {
    ++families_;
    if (brief_) return;
    const std::string kind = sign == '-' ? "cf_only_a" : "cf_only_b";
    if (WantsDocument(console)) {
      return PrintRow(console, FamilyDifferenceFields().ToJson({family, kind}));
    }
    console.out().Write(std::string(1, sign) + " column family " + EscapeForDisplay(family) + "\n");
  }

  // Null: the database has no such family.
  static Result<const Comparator*> OrderOf(const DB& db, const std::string& name) {
    for (const FamilyInfo& family : db.Families()) {
      if (family.name != name) continue;
      const Comparator* const order = ComparatorByName(family.comparator);
      if (order != nullptr) return order;
      return UnknownOrder("column family " + EscapeForDisplay(name), family.comparator);
    }
    return static_cast<const Comparator*>(nullptr);
  }

  Status CompareFamily(Console& console, DB& a, DB& b, const std::string& name,
                       Progress& progress) {
    ASSIGN_OR_RETURN(const Comparator* const order_a, OrderOf(a, name));
    ASSIGN_OR_RETURN(const Comparator* const order_b, OrderOf(b, name));
    if (order_a != nullptr && order_b != nullptr && order_a->name() != order_b->name()) {
      return Status::NotSupported("column family '" + EscapeForDisplay(name) + "' is ordered by " +
                                  std::string(order_a->name()) + " in " + targets_[0] + " and by " +
                                  std::string(order_b->name()) + " in " + targets_[1] +
                                  ": they cannot be compared in key order");
    }
    if (order_a == nullptr || order_b == nullptr) {
      PrintFamily(console, name, order_b == nullptr ? '-' : '+');
      return WalkOne(console, order_b == nullptr ? a : b, name, order_b == nullptr, progress);
    }
    return WalkBoth(console, a, b, name, *order_a, progress);
  }

  Status WalkOne(Console& console, DB& db, const std::string& name, bool is_a, Progress& progress) {
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyNamed(db, name));
    ASSIGN_OR_RETURN(Iterator records, db.NewIterator({.fill_cache = false}, family));
    for (records.SeekToFirst(); records.Valid(); records.Next()) {
      ++(is_a ? only_a_ : only_b_);
      Print(console, name, is_a ? '-' : '+', records.key(), records.value());
      progress.Update(same_ + Differences());
    }
    return records.status().At(targets_[is_a ? 0 : 1]);
  }

  Status WalkBoth(Console& console, DB& a, DB& b, const std::string& name, const Comparator& order,
                  Progress& progress) {
    ASSIGN_OR_RETURN(const ColumnFamilyId family_a, FamilyNamed(a, name));
    ASSIGN_OR_RETURN(const ColumnFamilyId family_b, FamilyNamed(b, name));
    ASSIGN_OR_RETURN(Iterator left, a.NewIterator({.fill_cache = false}, family_a));
    ASSIGN_OR_RETURN(Iterator right, b.NewIterator({.fill_cache = false}, family_b));
    left.SeekToFirst();
    right.SeekToFirst();
    while (left.Valid() || right.Valid()) {
      const int c = !left.Valid()    ? 1
                    : !right.Valid() ? -1
                                     : order.Compare(left.key(), right.key());
      if (c < 0) {
        ++only_a_;
        Print(console, name, '-', left.key(), left.value());
      } else if (c > 0) {
        ++only_b_;
        Print(console, name, '+', right.key(), right.value());
      } else if (left.value() != right.value()) {
        ++changed_;
        Print(console, name, '~', left.key(), right.value());
      } else {
        ++same_;
      }
      if (c <= 0) left.Next();
      if (c >= 0) right.Next();
      progress.Update(same_ + Differences());
    }
    RETURN_IF_ERROR(left.status().At(targets_[0]));
    return right.status().At(targets_[1]);
  }

  std::string targets_[2];
  std::optional<std::string> family_;
  bool all_families_ = false, brief_ = false;
  EngineFlags engine_;
  const RowShape shape_{api::RecordDifferenceFields().Schema()};
  std::optional<RowWriter> rows_;  // csv and tsv.
  uint64_t same_ = 0, only_a_ = 0, only_b_ = 0, changed_ = 0;
  uint64_t families_ = 0;  // That only one of them has.
};

}  // namespace

const Command kDiff = {
    "diff", "compare two databases record by record",
    "varve diff ./a ./b            # lines: - only in a, + only in b, ~ other value in b\n"
    "varve diff ./a ./b --brief\n"
    "varve diff ./a ./b --all-cfs  # a column family that one of them lacks is a difference, too",
    "0 equal, 1 different, 7 partial: a damaged log hides records",
    [] { return MakeInvocation<Diff>(); }};

}  // namespace varve::cli
