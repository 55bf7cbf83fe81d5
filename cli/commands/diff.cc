// SPDX-License-Identifier: Apache-2.0
// varve diff.
#include "cli/api_output.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/json_rows.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "core/base/text.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

// Walks both databases in step: - only in A, + only in B, ~ different values.
class Diff : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("a", &targets_[0], "database directory");
    parameters.Positional("b", &targets_[1], "database directory");
    DeclareFamily(parameters, &family_);
    parameters.Option("all-cfs", &all_families_, "every column family");
    parameters.Option("brief", &brief_, "only say how many records differ");
    DeclareEngine(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    if (console.format(Format::kText) == Format::kJson) {
      ApiSession session;
      for (const std::string& target : targets_) RETURN_IF_ERROR(session.Open(target));
      Progress progress(console, "diff", "records", 0);
      api::Json job = {{"kind", "diff"}, {"other", "t2"}};
      if (!all_families_) job["cf"] = family_;
      return session.PrintJob(console, job, &progress);
    }
    const Format format = console.format(Format::kText);
    if (format == Format::kCsv || format == Format::kTsv) {
      rows_.emplace(console.out(), format,
                    std::vector<std::string>{"cf", "kind", "key", "value"});
    }
    ASSIGN_OR_RETURN(const auto a, OpenForReading(console, targets_[0], engine_));
    ASSIGN_OR_RETURN(const auto b, OpenForReading(console, targets_[1], engine_));
    std::vector<std::string> names = {family_};
    if (all_families_) {
      RETURN_IF_ERROR(SameFamilies(*a, *b));
      names.clear();
      for (const FamilyInfo& family : a->Families()) names.push_back(family.name);
    }
    Progress progress(console, "diff", "records", 0);
    for (const std::string& name : names) {
      RETURN_IF_ERROR(CompareFamily(console, *a, *b, name, progress));
    }
    if (rows_) rows_->Finish();
    if (format == Format::kJsonl) {
      const uint64_t shown = brief_ ? 0 : Differences();
      console.out().WriteJson(api::Dump(api::EndOfStreamJson(shown, !brief_)) + "\n");
    }
    console.Note(Differences() == 0
                     ? "equal: " + HumanCount(same_) + " records"
                     : HumanCount(only_a_) + " only in " + targets_[0] + ", " +
                           HumanCount(only_b_) + " only in " + targets_[1] + ", " +
                           HumanCount(changed_) + " changed, " + HumanCount(same_) + " equal");
    return Differences() == 0 ? kDone : kNegative;
  }

 private:
  uint64_t Differences() const { return only_a_ + only_b_ + changed_; }

  static Status SameFamilies(const DB& a, const DB& b) {
    for (const auto* pair : {&a, &b}) {
      const DB& other = pair == &a ? b : a;
      for (const FamilyInfo& family : pair->Families()) {
        if (!other.FindFamily(family.name)) {
          return Status::InvalidArgument("column family '" + EscapeForDisplay(family.name) +
                                         "' is only in one of them");
        }
      }
    }
    return Status::Ok();
  }

  void Print(Console& console, const std::string& family, char sign, std::string_view key,
             std::string_view value) {
    if (brief_) return;
    const std::string kind = sign == '-' ? "only_a" : sign == '+' ? "only_b" : "changed";
    if (rows_) return rows_->Add({family, kind, std::string(key), std::string(value)});
    if (console.format(Format::kText) == Format::kJsonl) {
      console.out().WriteJson(api::Dump({{"cf", family},
                                         {"kind", kind},
                                         {"key", api::BytesJson(key)},
                                         {"value", api::BytesJson(value)}}) +
                              "\n");
      return;
    }
    console.out().Write(std::string(1, sign) + "\t" + EscapeForDisplay(key) + "\t" +
                        EscapeForDisplay(value) + "\n");
  }

  Status CompareFamily(Console& console, DB& a, DB& b, const std::string& name,
                       Progress& progress) {
    ASSIGN_OR_RETURN(const ColumnFamilyId family_a, FamilyNamed(a, name));
    ASSIGN_OR_RETURN(const ColumnFamilyId family_b, FamilyNamed(b, name));
    const Comparator* order = nullptr;
    for (const FamilyInfo& family : a.Families()) {
      if (family.id == family_a) order = ComparatorByName(family.comparator);
    }
    if (order == nullptr) return Status::NotSupported("the comparator of '" + name + "'");
    ASSIGN_OR_RETURN(Iterator left, a.NewIterator({.fill_cache = false}, family_a));
    ASSIGN_OR_RETURN(Iterator right, b.NewIterator({.fill_cache = false}, family_b));
    left.SeekToFirst();
    right.SeekToFirst();
    while (left.Valid() || right.Valid()) {
      const int c = !left.Valid()    ? 1
                    : !right.Valid() ? -1
                                     : order->Compare(left.key(), right.key());
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
    RETURN_IF_ERROR(left.status());
    return right.status();
  }

  std::string targets_[2];
  std::string family_ = "default";
  bool all_families_ = false, brief_ = false;
  EngineFlags engine_;
  std::optional<RowWriter> rows_;  // csv and tsv.
  uint64_t same_ = 0, only_a_ = 0, only_b_ = 0, changed_ = 0;
};

}  // namespace

const Command kDiff = {
    "diff", "compare two databases record by record",
    "varve diff ./a ./b            lines: - only in a, + only in b, ~ other value in b\n"
    "varve diff ./a ./b --brief",
    "0 equal, 1 different", [] { return MakeInvocation<Diff>(); }};

}  // namespace varve::cli
