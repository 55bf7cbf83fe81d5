// SPDX-License-Identifier: Apache-2.0
// varve bench list, varve bench run.
#include "cli/commands/commands.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "cli/commands/bench/report.h"
#include "cli/commands/bench/runner.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/report_columns.h"
#include "core/base/try.h"

namespace varve::cli {

struct ListedWorkloads {
  std::span<const bench::Workload> workloads;
};

namespace {

using namespace bench;

const api::Fields<Workload>& WorkloadFields() {
  static const auto fields = api::Fields<Workload>()
                                 .Text("name", &Workload::name, "by which it is run")
                                 .Flag("writes", &Workload::writes, "it changes the records")
                                 .Text("summary", &Workload::summary, "what it does");
  return fields;
}

const api::Fields<ListedWorkloads>& WorkloadListFields() {
  static const auto fields = api::Fields<ListedWorkloads>().List(
      "workloads", &ListedWorkloads::workloads, WorkloadFields(), "all that bench run takes");
  return fields;
}

class BenchList : public Invocation {
 public:
  void Declare(Parameters&) override {}

  Result<ExitCode> Run(Console& console) override {
    if (WantsDocument(console)) {
      PrintReport(console, kWorkloadsDocument, {WorkloadTable()});
      return kDone;
    }
    ReportColumns<Workload> table(TerminalOf(console), WorkloadFields());
    table.Show("name", "workload").Show("writes").Show("summary");
    console.out().Write(table.Of(WorkloadTable()).Render());
    return kDone;
  }
};

class BenchRun : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("workload", &names_, "what to run, in this order (varve bench list)");
    flags_.Declare(parameters);
    parameters.Option("repeat", &repeat_, "run the list this many times");
    parameters.Option("html", &page_, "write a page with plots to this file too");
    parameters.Option("csv", &tables_,
                      "write workloads, intervals, latency histograms and environment to CSV files "
                      "in this directory too");
  }

  Result<ExitCode> Run(Console& console) override {
    std::vector<const Workload*> workloads;
    for (const std::string& name : names_) {
      workloads.push_back(FindWorkload(name));
      if (workloads.back() != nullptr) continue;
      return NoWorkload(name);
    }
    if (repeat_ == 0) return Status::InvalidArgument("--repeat must be at least 1");
    ASSIGN_OR_RETURN(const Settings settings, flags_.Make());
    RETURN_IF_ERROR(CheckLength(settings, workloads));
    ASSIGN_OR_RETURN(const auto files, CreateFiles());
    ASSIGN_OR_RETURN(const auto runner, Runner::Create(settings, console));
    RunResult result;
    result.command = CommandLine();
    result.settings = runner->settings();
    result.machine =
        DescribeMachine(runner->directory());  // Before the run, so as not to include its own load.
    result.started_unix_seconds =
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(
                                  std::chrono::system_clock::now().time_since_epoch())
                                  .count());
    if (result.machine.assertions)
      console.Note("bench: this build has checks on: its figures say nothing about speed");
    for (uint64_t round = 0; round < repeat_; ++round) {
      for (const Workload* workload : workloads) {
        ASSIGN_OR_RETURN(WorkloadResult one, runner->Run(*workload, round));
        result.workloads.push_back(std::move(one));
      }
    }
    result.open_seconds = runner->open_seconds();
    RETURN_IF_ERROR(runner->Close());
    Print(console, result);  // First: it is there even if a file cannot be written.
    for (const File& file : files) RETURN_IF_ERROR(WriteFile(file, result));
    return kDone;
  }

 private:
  // One of --html or --csv.
  struct File {
    std::unique_ptr<OutputFile> file;
    void (*write)(Sink& out, const RunResult& result);
  };

  // Before anything is measured: it may take hours, and a path may be wrong.
  Result<std::vector<File>> CreateFiles() const {
    std::vector<File> files;
    if (!page_.empty()) {
      ASSIGN_OR_RETURN(auto page, OutputFile::Create(page_));
      files.push_back({std::move(page), [](Sink& out, const RunResult& result) {
                         out.WriteData(ResultPage(ResultJson(result)));
                       }});
    }
    if (tables_.empty()) return files;
    std::error_code error;
    std::filesystem::create_directories(tables_, error);
    if (error) return Status::IoError(tables_ + ": " + error.message());
    for (const ResultFile& table : ResultFiles()) {
      ASSIGN_OR_RETURN(auto file, OutputFile::Create(tables_ + "/" + std::string(table.name)));
      files.push_back({std::move(file), table.write});
    }
    return files;
  }

  static void Print(Console& console, const RunResult& result) {
    switch (console.format(Format::kTable)) {
      case Format::kJson:
      case Format::kJsonl:
        console.out().WriteJson(api::Dump(ResultJson(result)) + "\n");
        break;
      case Format::kCsv:
      case Format::kTsv:
        WriteResultRows(console.out(), console.format(Format::kTable), result);
        break;
      default:
        console.out().Write(ResultTable(TerminalOf(console), result));
        break;
    }
  }

  static Status WriteFile(const File& file, const RunResult& result) {
    Sink sink(file.file->descriptor(), Sink::Kind(), nullptr);
    file.write(sink, result);
    RETURN_IF_ERROR(sink.Finish());
    return file.file->Commit();
  }

  // As a shell takes it.
  static std::string CommandLine() {
    std::ifstream file("/proc/self/cmdline");
    std::string line;
    for (std::string word; std::getline(file, word, '\0');) {
      line += (line.empty() ? "" : " ") + Quoted(word);
    }
    return line;
  }

  static std::string Quoted(const std::string& word) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
  }

  std::vector<std::string> names_;
  SettingsFlags flags_;
  uint64_t repeat_ = 1;
  std::string page_, tables_;
};

}  // namespace

const CommandDocument<ListedWorkloads> kWorkloadsDocument = {"varve.bench-workloads/1",
                                                             WorkloadListFields, "workloads"};

const Command kBenchList = {"bench list", "list the workloads", "varve bench list", "0 listed",
                            [] { return MakeInvocation<BenchList>(); }};

const Command kBenchRun = {
    "bench run", "measure workloads on this engine",
    "varve bench run fillrandom readrandom --num 1000000\n"
    "varve bench run multireadrandom --batch-size 64 --threads 2 --duration 10 --json\n"
    "varve bench run ycsba ycsbe --option block_size=8192 --html report.html",
    "0 measured", [] { return MakeInvocation<BenchRun>(); }};

}  // namespace varve::cli
