// SPDX-License-Identifier: Apache-2.0
// GET …/options, GET …/cfs/{cf}/options: what differs from RocksDB's defaults, or everything; of the
// database and all its families, or of one.
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/options/rocksdb_options.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

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

Json OptionJson(const OptionReport& option, const std::string& family, const std::string& file) {
  Json json = {{"scope", std::string(ScopeName(option.scope))}};
  if (option.scope != OptionScope::kDatabase) json["cf"] = family;
  json["name"] = option.name;
  json["value"] = EscapeForDisplay(option.value);
  if (option.default_value) json["default"] = *option.default_value;
  json["source"] = option.from_file ? file : "default";
  json["differs"] = option.differs;
  json["mutable"] = option.is_mutable;
  return json;
}

// One part after the other: the options of one are held at a time.
class OptionRows : public RowSource {
 public:
  // Those of `family`, or of the database and then of each family.
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
      *row = {OptionJson(options_[at_], parts_[part_ - 1].value_or(""), report_.file),
              std::to_string(index_)};
      ++at_, ++index_;
      return true;
    }
    return false;
  }
  const Status& status() const override { return status_; }

 private:
  // To a part that has an option left; false: there is none.
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
    // An option that has no default to compare with is worth showing, too.
    std::erase_if(options_,
                  [](const OptionReport& o) { return !o.differs && o.default_value.has_value(); });
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
  Json head = call.Head();
  head["options_file"] = report.file;
  head["rocksdb_version"] = report.rocksdb_version;
  head["defaults_of"] = std::string(kRocksDbDefaultsVersion);
  return List{std::move(head), "options",
              std::make_unique<OptionRows>(call, std::move(report), std::move(family)),
              /*partial=*/false, call.damage()};
}

}  // namespace

Reply ListDatabaseOptions(const Call& call) {
  RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kDatabase));
  return ListOptions(call, std::nullopt);
}

Reply ListFamilyOptions(const Call& call) {
  ASSIGN_OR_RETURN(const FamilyReport* family, call.Family());
  return ListOptions(call, family->name);
}

Json OptionsSchema() {
  return ListDocument(
      "varve.options/1",
      {{"options_file", Text()}, {"rocksdb_version", Text()}, {"defaults_of", Text()}}, "options",
      Object("Option", {{"scope", OneOf({"db", "cf", "table"})},
                        {"cf", Text(), kOptional},  // None: the database's.
                        {"name", Text()},
                        {"value", Text()},
                        {"default", Text(), kOptional},
                        {"source", Text()},
                        {"differs", Boolean()},
                        {"mutable", Boolean()}}));
}

}  // namespace varve::api
