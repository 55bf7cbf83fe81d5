// SPDX-License-Identifier: Apache-2.0
// varve db options, varve db set-options, varve db events.
#include <ctime>

#include "cli/commands/commands.h"
#include "cli/commands/inspect/lsm_target.h"
#include "cli/database.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/history/event_log.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/options/rocksdb_options.h"
#include "varve/environment.h"
#include "webview/api/fields/options_fields.h"

namespace varve::cli {

struct OptionsStored {
  std::string family;
  const std::vector<std::pair<std::string, std::string>>& values;

  api::Json values_json() const {
    api::Json json = api::Json::object();
    for (const auto& [name, value] : values) json[name] = EscapeForDisplay(value);
    return json;
  }
};

namespace {

using Align = TextTable::Align;

class DbOptions : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option("cf", &family_, "this column family only");
    parameters.Option("all", &all_, "also options that have their default values");
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireLsm(target_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {target_, kind},
                           (family_ ? FamilyResource(*family_, "/options") : "/options") +
                               ApiQuery().Flag("all", all_).str());
    }
    ASSIGN_OR_RETURN(const OptionsReport report,
                     ReportOptions(*NativeEnvironment().file_system, target_));
    if (family_ && !report.FamilyOptions(*family_)) {
      return Status::InvalidArgument("no OPTIONS of a column family '" +
                                     EscapeForDisplay(*family_) + "'");
    }
    const Terminal terminal = TerminalOf(console);
    Sink& out = console.out();
    if (report.file.empty()) {
      out.Write("there is no OPTIONS file: every option has its default\n");
      RETURN_IF_ERROR(CheckManifest(target_));
      return kDone;
    }
    out.Write(Tinted(terminal, Tint::kBold, report.file) + "  as RocksDB " +
              report.rocksdb_version + " writes it; defaults are those of " +
              std::string(kRocksDbDefaultsVersion) +
              "\n* can be changed while the database is open\n");
    if (!family_) Print(out, terminal, "database", report.DatabaseOptions());
    for (const std::string& family : report.families) {
      if (!family_ || family == *family_) {
        Print(out, terminal, EscapeForDisplay(family), *report.FamilyOptions(family));
      }
    }
    RETURN_IF_ERROR(CheckManifest(target_));
    return kDone;
  }

 private:
  void Print(Sink& out, const Terminal& terminal, const std::string& title,
             const std::vector<OptionReport>& options) const {
    ReportColumns<OptionReport> columns(terminal, api::OptionValueFields());
    columns
        .Show("option", Align::kLeft,
              [](const auto& option) { return option.name + (option.is_mutable ? " *" : ""); })
        .Show("value")
        .Cut(40)
        .Show("default", Align::kLeft,
              [](const auto& option) {
                return option.default_value.value_or("not in " +
                                                     std::string(kRocksDbDefaultsVersion));
              })
        .Cut(24)
        .Show("source", Align::kLeft,
              [](const auto& option) { return option.from_file ? "stored" : "default"; });
    TextTable table = columns.NewTable();
    for (const OptionReport& option : options) {
      if (all_ || IsWorthShowing(option)) table.Add(columns.Row(option));
    }
    out.Write("\n" + Tinted(terminal, Tint::kBold, title) + "\n");
    out.Write(table.empty() ? "  all at their defaults\n" : table.Render(2));
  }

  std::string target_;
  std::optional<std::string> family_;
  bool all_ = false;
};

// Appends "; did you mean ...?" if a similar name exists.
Status WithSuggestion(Status status,
                      const std::vector<std::pair<std::string, std::string>>& changes) {
  for (const auto& [name, value] : changes) {
    const bool unknown = status.message().ends_with("'" + EscapeForDisplay(name) + "'");
    if (unknown) return Status(status.code(), std::string(status.message()) + LikelyOption(name));
  }
  return status;
}

const api::Fields<OptionsStored>& SetOptionsFields() {
  static const auto fields = api::Fields<OptionsStored>()
                                 .Name("cf", &OptionsStored::family, "name of the column family")
                                 .Other("stored", api::MapOf(api::Text()),
                                        &OptionsStored::values_json, "the new values, by name");
  return fields;
}

class DbSetOptions : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Positional("options", &words_, "NAME=VALUE..., RocksDB's names").names =
        Names::kEngineOption;
    parameters.Option("cf", &family_, "the column family with these options");
    DeclareConsent(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    std::vector<std::pair<std::string, std::string>> changes;
    for (const std::string& word : words_) {
      const size_t equals = word.find('=');
      if (equals == std::string::npos)
        return Status::InvalidArgument(word + ": expected NAME=VALUE");
      changes.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    ASSIGN_OR_RETURN(const auto db, OpenForWriting(console, target_, engine_, false));
    ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyNamed(*db, family_));
    if (Status stored = db->StoreOptions(changes, id); !stored.ok()) {
      return WithSuggestion(std::move(stored), changes);
    }
    RETURN_IF_ERROR(db->Close());
    console.Note("stored; in effect when the database is next opened");
    if (WantsDocument(console)) {
      PrintReport(console, kSetOptionsDocument, {family_, changes});
    }
    return kDone;
  }

 private:
  EngineFlags engine_;
  std::string target_;
  std::vector<std::string> words_;
  std::string family_ = "default";
};

class DbEvents : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option("type", &types_, "events of this type only; may be repeated");
    parameters.Option("job", &job_, "events of this job only");
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireLsm(target_));
    if (IsData(console.format(Format::kText))) {
      std::string types;
      for (const std::string& type : types_) types += (types.empty() ? "" : ",") + type;
      ApiQuery query;
      if (!types.empty()) query.Text("types", types);
      return PrintResource(console, {target_, kind}, "/events" + query.Number("job", job_).str());
    }
    ASSIGN_OR_RETURN(EventLogReader events,
                     EventLogReader::Open(*NativeEnvironment().file_system, target_));
    LogEvent event;
    uint64_t shown = 0;
    while (events.Next(&event)) {
      if (!Wanted(event)) continue;
      console.out().Write(Line(event) + "\n");
      shown++;
    }
    RETURN_IF_ERROR(events.status());
    std::string summary =
        Counted(shown, "event") + " in " + Counted(events.logs().size(), "LOG file");
    if (events.unreadable() > 0) {
      summary += "; " + HumanCount(events.unreadable()) + " lines are no JSON";
    }
    console.Note(summary);
    RETURN_IF_ERROR(CheckManifest(target_));
    return kDone;
  }

 private:
  bool Wanted(const LogEvent& event) const {
    if (job_ && event.job != job_) return false;
    if (types_.empty()) return true;
    for (const std::string& type : types_) {
      if (type == event.type) return true;
    }
    return false;
  }

  // Time, job, type and the rest as name=value, nested values as they are.
  static std::string Line(const LogEvent& event) {
    const auto seconds = static_cast<time_t>(event.time_micros / 1000000);
    tm parts = {};
    gmtime_r(&seconds, &parts);
    char time[32];
    std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &parts);
    std::string line = std::string(time) + "\t" + (event.job ? std::to_string(*event.job) : "-") +
                       "\t" + EscapeForDisplay(event.type) + "\t";
    const auto members = SplitJsonObject(event.json);
    if (!members) return line;
    bool first = true;
    for (const auto& [name, value] : *members) {
      if (name == "time_micros" || name == "job" || name == "event") continue;
      if (name == "table_properties") continue;  // `sst info` has them.
      line += (first ? "" : " ") + EscapeForDisplay(name) + "=" + EscapeForDisplay(value);
      first = false;
    }
    return line;
  }

  std::string target_;
  std::vector<std::string> types_;
  std::optional<uint64_t> job_;
};

}  // namespace

const CommandDocument<OptionsStored> kSetOptionsDocument = {"varve.set_options/1",
                                                            SetOptionsFields};

const Command kDbOptions = {
    "db options", "the stored options of a database that differ from RocksDB's defaults",
    "varve db options ./db\nvarve db options ./db --cf users --all",
    "0 shown, 4 the MANIFEST is damaged", [] { return MakeInvocation<DbOptions>(); }};

const Command kDbSetOptions = {
    "db set-options", "change the options that a database keeps",
    "varve db set-options ./db compression=zstd compression_opts.level=3\n"
    "varve db set-options ./db --cf users block_size=16k filter_policy=ribbonfilter:10",
    "0 stored", [] { return MakeInvocation<DbSetOptions>(); }};

const Command kDbEvents = {
    "db events", "what RocksDB wrote into its LOG: flushes, compactions, tables made and deleted",
    "varve db events ./db\nvarve db events ./db --type compaction_finished --json",
    "0 shown, 4 the MANIFEST is damaged", [] { return MakeInvocation<DbEvents>(); }};

}  // namespace varve::cli
