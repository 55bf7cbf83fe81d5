// SPDX-License-Identifier: Apache-2.0
// GET …/options, GET …/cfs/{cf}/options: options that differ from RocksDB's defaults, or all; of
// the database and all its families, or of one.
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/options/rocksdb_options.h"
#include "webview/api/fields/options_fields.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

std::string_view ScopeName(OptionScope scope) {
  switch (scope) {
    case OptionScope::kDatabase:
      return "db";
    case OptionScope::kColumnFamily:
      return "cf";
    case OptionScope::kTable:
      break;
  }
  return "table";
}

// An option, and the source of its value.
struct OptionView {
  const OptionReport& option;
  const std::string& family;
  const std::string& file;
};

const Fields<OptionView>& OptionFields() {
  static const auto fields =
      Fields<OptionView>("Option")
          .Choice(
              "scope", {"db", "cf", "table"},
              [](const OptionView& view) { return ScopeName(view.option.scope); },
              "whether it is the database's, a column family's, or its tables'")
          .Name(
              "cf",
              [](const OptionView& view) {
                return view.option.scope == OptionScope::kDatabase ? nullptr : &view.family;
              },
              "the column family that it is of, unless it is the database's")
          .Include([](const OptionView& view) -> const OptionReport& { return view.option; },
                   OptionValueFields())
          .Text(
              "source",
              [](const OptionView& view) -> std::string_view {
                return view.option.from_file ? std::string_view(view.file) : "default";
              },
              "the OPTIONS file, or default where that does not mention it")
          .Flag(
              "differs", [](const OptionView& view) { return view.option.differs; },
              "from the default, where that is known")
          .Flag(
              "mutable", [](const OptionView& view) { return view.option.is_mutable; },
              "RocksDB takes a new value while it runs");
  return fields;
}

const Fields<OptionsReport>& OptionsHeadFields() {
  static const auto fields =
      Fields<OptionsReport>()
          .Text("options_file", &OptionsReport::file, "that was read; empty: there is none")
          .Names("families", &OptionsReport::families,
                 "column families whose options the file has; of others they are unknown")
          .Text("rocksdb_version", &OptionsReport::rocksdb_version, "of the program that wrote it")
          .Text(
              "defaults_of", [](const OptionsReport&) { return kRocksDbDefaultsVersion; },
              "version of RocksDB whose defaults these are");
  return fields;
}

// One part after the other: only one part's options are in memory.
class OptionRows : public RowSource {
 public:
  // Options of `family`, or of the database and then of each family.
  OptionRows(const Call& call, OptionsReport report, std::optional<std::string> family)
      : report_(std::move(report)), all_(call.Flag("all")), first_(call.number_of_position()) {
    if (family) {
      parts_ = {std::move(family)};
      return;
    }
    parts_ = {std::nullopt};
    parts_.insert(parts_.end(), report_.families.begin(), report_.families.end());
  }

  bool Next(Row* row) override {
    for (; Advance(); ++at_, ++index_) {
      if (index_ < first_) continue;
      const std::string family = parts_[part_ - 1].value_or("");
      *row = {OptionFields().ToJson({options_[at_], family, report_.file}), std::to_string(index_)};
      ++at_, ++index_;
      return true;
    }
    return false;
  }
  const Status& status() const override { return status_; }

 private:
  // Moves to the next part that has options left; false: there is none.
  bool Advance() {
    while (at_ == options_.size()) {
      if (part_ == parts_.size()) return false;
      Load(parts_[part_++]);
    }
    return true;
  }

  void Load(const std::optional<std::string>& family) {
    at_ = 0;
    // A family that the file does not mention has its defaults.
    options_ = family ? report_.FamilyOptions(*family).value_or(std::vector<OptionReport>())
                      : report_.DatabaseOptions();
    if (all_) return;
    std::erase_if(options_, [](const OptionReport& option) { return !IsWorthShowing(option); });
  }

  const OptionsReport report_;
  const bool all_;
  const uint64_t first_;
  std::vector<std::optional<std::string>> parts_;  // Nullopt: the database.
  size_t part_ = 0;                                // The next to load.
  std::vector<OptionReport> options_;
  size_t at_ = 0;
  uint64_t index_ = 0;  // Of all rows.
  const Status status_;
};

Reply ListOptions(const Call& call, std::optional<std::string> family) {
  ASSIGN_OR_RETURN(OptionsReport report, ReportOptions(call.target().fs(), call.target().path()));
  std::erase_if(report.families, [&](const std::string& name) { return !call.Sees(name); });
  Json head = call.Head();
  OptionsHeadFields().AddTo(&head, report);
  return List{std::move(head), "options",
              std::make_unique<OptionRows>(call, std::move(report), std::move(family)),
              /*partial=*/false, call.damage()};
}

Reply ListDatabaseOptions(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  return ListOptions(call, std::nullopt);
}

Reply ListFamilyOptions(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  return ListOptions(call, family->name);
}

constexpr DocumentSchema kOptionsDocument = {
    .name = "varve.options/1", .make = [](std::string_view name) {
      return ListDocument(name, OptionsHeadFields().Members(), "options", OptionFields().Schema());
    }};

}  // namespace

const Fields<OptionReport>& OptionValueFields() {
  static const auto fields =
      Fields<OptionReport>()
          .Text("name", &OptionReport::name,
                "as RocksDB's; members of a value in braces are options of their own")
          .Text(
              "value", [](const OptionReport& option) { return EscapeForDisplay(option.value); },
              "what it is set to")
          .Text("default", &OptionReport::default_value, "RocksDB's, if it has such an option");
  return fields;
}

std::span<const Route> OptionsRoutes() {
  using enum ParameterType;
  constexpr QueryParameter kAllOptions = {"all", kFlag,
                                          "also options that have their default values"};
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/cfs/{cf}/options",
       .handler = ListFamilyOptions,
       .auth = Auth::kRead,
       .part = Part::kFamily,
       .max_rows = kPageRowsMax,
       .cost = Cost::kManifest,
       .documents = kOptionsDocument,
       .summary = "the options of a family and its tables that differ from the defaults",
       .parameters = {kAllOptions}},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/options",
       .handler = ListDatabaseOptions,
       .auth = Auth::kRead,
       .part = Part::kTarget,
       .max_rows = kPageRowsMax,
       .cost = Cost::kManifest,
       .documents = kOptionsDocument,
       .summary = "the options of the database and its families that differ from the defaults",
       .parameters = {kAllOptions},
       .of_damaged_too = true},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
