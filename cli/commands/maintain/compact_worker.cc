// SPDX-License-Identifier: Apache-2.0
// varve compact-worker.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "varve/compaction_service.h"
#ifdef VARVE_HAS_HTTP
#include "webview/http/compaction_listener.h"
#endif

namespace varve::cli {

struct JobsDone {
  uint64_t done = 0, failed = 0, input_bytes = 0, output_bytes = 0;
  std::vector<CompactionWorkerReport> jobs;  // Not those of a watched folder.
};

namespace {

// The first SIGINT, SIGTERM or SIGHUP makes the worker give up what it is at, which removes its
// tables; another one ends it at once.
class GivesUpOnSignal {
 public:
  GivesUpOnSignal() {
    struct sigaction note = {};
    note.sa_handler = [](int signal) {
      last_ = signal;
      asked_.store(true, std::memory_order_relaxed);
    };
    note.sa_flags = SA_RESETHAND;
    for (size_t i = 0; i < kSignals; ++i) {
      sigaction(kAll[i], nullptr, &before_[i]);
      // Ignored ones (as in background jobs) stay ignored.
      if (before_[i].sa_handler != SIG_IGN) sigaction(kAll[i], &note, nullptr);
    }
  }
  GivesUpOnSignal(const GivesUpOnSignal&) = delete;
  GivesUpOnSignal& operator=(const GivesUpOnSignal&) = delete;
  ~GivesUpOnSignal() {
    for (size_t i = 0; i < kSignals; ++i) sigaction(kAll[i], &before_[i], nullptr);
  }

  static const std::atomic<bool>& asked() { return asked_; }
  static int last() { return last_; }

 private:
  static constexpr size_t kSignals = 3;
  static constexpr int kAll[kSignals] = {SIGINT, SIGTERM, SIGHUP};
  static inline std::atomic<bool> asked_{false};
  static inline volatile sig_atomic_t last_ = 0;
  struct sigaction before_[kSignals] = {};
};

class CompactWorker : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.OptionalPositional("job", &jobs_, "job files").names = Names::kFile;
    parameters.Option("watch", &folder_, "do the jobs that appear in this folder").names =
        Names::kFile;
    parameters.Option(
        "listen", &listen_,
        "do the jobs that are sent to this ADDRESS:PORT, whose clients have the token");
    parameters.Option("token-file", &token_file_,
                      "file with the token, readable by you alone; for --listen");
    parameters.Option("count", &count_, "with --watch or --listen, end after so many jobs");
    parameters.Option("db", &options_.directory, "directory of the database as seen from here");
    parameters.Option("threads", &threads_, "threads for one job; default: as the job says");
  }

  Result<ExitCode> Run(Console& console) override {
    if ((jobs_.empty() ? 0 : 1) + (folder_.empty() ? 0 : 1) + (listen_ ? 1 : 0) != 1) {
      return Status::InvalidArgument(
          "give either job files, --watch FOLDER or --listen ADDRESS:PORT");
    }
    const bool stays = jobs_.empty();
    if (count_ && !stays) return Status::InvalidArgument("--count needs --watch or --listen");
    if (listen_.has_value() != token_file_.has_value()) {
      return Status::InvalidArgument("--listen and --token-file belong together");
    }
    constexpr uint64_t kThreadsMax = 256;
    if (threads_.value_or(1) < 1 || threads_.value_or(1) > kThreadsMax) {
      return Status::InvalidArgument("--threads is 1 to 256");
    }
    options_.max_subcompactions = static_cast<int>(threads_.value_or(0));
    const GivesUpOnSignal signals;
    options_.cancelled = &GivesUpOnSignal::asked();
    Status failure = !stays ? DoAll(console) : listen_ ? Listen(console) : Watch(console);
    if (GivesUpOnSignal::asked().load(std::memory_order_relaxed) && !stays) {
      console.Note("varve compact-worker: given up; the job can be done by another worker");
      signal(GivesUpOnSignal::last(), SIG_DFL);
      static_cast<void>(raise(GivesUpOnSignal::last()));
    }
    if (WantsDocument(console)) PrintReport(console, kCompactWorkerDocument, done_);
    RETURN_IF_ERROR(failure);
    return kDone;
  }

 private:
  static constexpr useconds_t kLookMicros = 100'000;

  // The first failure; the others are done nevertheless.
  Status DoAll(Console& console) {
    Status failure;
    for (const std::string& job : jobs_) {
      Result<CompactionWorkerReport> report =
          WithProgress(console, [&] { return RunCompactionJob(options_, job); });
      if (report.ok()) {
        Note(console, *report);
        done_.jobs.push_back(*report);
      } else {
        ++done_.failed;
        if (!failure.ok()) console.Error(report.status().ToString());
        if (failure.ok()) failure = report.status();
        if (report.status().code() == Code::kShutdown) break;
      }
    }
    return failure;
  }

  Status Watch(Console& console) {
    const std::atomic<bool>& asked = GivesUpOnSignal::asked();
    while (!asked.load(std::memory_order_relaxed) && !HasEnough()) {
      bool found = false;
      Result<CompactionWorkerReport> report =
          WithProgress(console, [&] { return RunFirstCompactionJob(options_, folder_, &found); });
      if (!found) {
        RETURN_IF_ERROR(report.status());
        usleep(kLookMicros);  // A folder of another machine wakes nobody.
        continue;
      }
      if (report.ok()) {
        Note(console, *report);
      } else if (report.status().code() != Code::kShutdown) {
        // The job may be there again: it is said once.
        if (failures_.insert(report.status().ToString()).second) {
          ++done_.failed;
          console.Error(report.status().ToString());
        }
        usleep(kLookMicros);
      }
    }
    return Status::Ok();
  }

#ifdef VARVE_HAS_HTTP
  Status Listen(Console& console) {
    const std::string& text = *listen_;
    const size_t colon = text.rfind(':');
    const std::optional<uint64_t> port =
        colon == std::string::npos ? std::nullopt : ParseDecimal(text.substr(colon + 1));
    if (!port || *port > std::numeric_limits<uint16_t>::max() || colon == 0) {
      return Status::InvalidArgument("--listen is ADDRESS:PORT, such as 10.0.0.7:8430");
    }
    std::string address = text.substr(0, colon);
    if (address.starts_with('[') && address.ends_with(']')) {
      address = address.substr(1, address.size() - 2);
    }
    Mutex mutex;  // Jobs end on several threads.
    CompactionListenerOptions options{.address = address,
                                      .port = static_cast<uint16_t>(*port),
                                      .token_file = *token_file_,
                                      .worker = options_};
    options.done = [&](const Result<CompactionWorkerReport>& report) {
      MutexLock lock(mutex);
      if (report.ok()) return Note(console, *report);
      if (report.status().code() == Code::kShutdown) return;
      ++done_.failed;
      if (failures_.insert(report.status().ToString()).second) {
        console.Error(report.status().ToString());
      }
    };
    ASSIGN_OR_RETURN(const auto listener, CompactionListener::Start(std::move(options)));
    console.Note("varve compact-worker: http://" + text.substr(0, colon) + ":" +
                 std::to_string(listener->port()) +
                 " takes jobs; nothing is encrypted, the token included");
    const auto is_over = [&] {
      MutexLock lock(mutex);
      return HasEnough();
    };
    while (!GivesUpOnSignal::asked().load(std::memory_order_relaxed) && !is_over()) {
      usleep(kLookMicros);
    }
    return Status::Ok();
  }
#else
  static Status Listen(Console& /*console*/) {
    return Status::NotSupported("this program was built without HTTP (VARVE_BUILD_HTTP)");
  }
#endif

  bool HasEnough() const { return count_ && done_.done + done_.failed >= *count_; }

  template <typename Work>
  Result<CompactionWorkerReport> WithProgress(Console& console, Work work) {
    Mutex mutex;
    uint64_t whole = 0;
    Progress progress(console, "compact", "bytes", Progress::Total([&whole] { return whole; }));
    options_.progress = [&](uint64_t read, uint64_t total) {
      MutexLock lock(mutex);
      whole = total;
      progress.Look(read);
    };
    Result<CompactionWorkerReport> report = work();
    options_.progress = nullptr;
    return report;
  }

  void Note(Console& console, const CompactionWorkerReport& report) {
    ++done_.done;
    done_.input_bytes += report.input_bytes;
    done_.output_bytes += report.output_bytes;
    console.Note(
        report.id + ": " + EscapeForDisplay(report.family) + " L" +
        std::to_string(report.input_level) + " to L" + std::to_string(report.output_level) + ", " +
        Counted(report.input_tables, "table") + " " + HumanBytes(report.input_bytes) + " to " +
        Counted(report.output_tables, "table") + " " + HumanBytes(report.output_bytes));
  }

  std::vector<std::string> jobs_;
  std::string folder_;
  std::optional<std::string> listen_, token_file_;
  std::optional<uint64_t> count_, threads_;
  CompactionWorkerOptions options_;
  JobsDone done_;
  std::set<std::string> failures_;  // With --watch or --listen, those that were said.
};

const api::Fields<JobsDone>& JobsFields() {
  using api::Unit;
  using Report = CompactionWorkerReport;
  static const auto job =
      api::Fields<Report>()
          .Text("id", &Report::id, "of the job")
          .Name("cf", &Report::family, "name of the column family")
          .Number("input_level", Unit::kNone, &Report::input_level, "the level that was compacted")
          .Number("output_level", Unit::kNone, &Report::output_level,
                  "where the new tables will be")
          .Number("input_tables", Unit::kCount, &Report::input_tables, "tables that were merged")
          .Number("input_bytes", Unit::kBytes, &Report::input_bytes, "of them")
          .Number("input_entries", Unit::kCount, &Report::input_entries, "in them")
          .Number("output_tables", Unit::kCount, &Report::output_tables, "new tables")
          .Number("output_bytes", Unit::kBytes, &Report::output_bytes, "of them")
          .Number("output_entries", Unit::kCount, &Report::output_entries, "in them")
          .Number("micros", Unit::kMicroseconds, &Report::micros, "how long it took");
  static const auto fields =
      api::Fields<JobsDone>()
          .Number("done", Unit::kCount, &JobsDone::done, "jobs that have a result with new tables")
          .Number("failed", Unit::kCount, &JobsDone::failed, "jobs that failed")
          .Number("input_bytes", Unit::kBytes, &JobsDone::input_bytes, "of tables that were merged")
          .Number("output_bytes", Unit::kBytes, &JobsDone::output_bytes, "of new tables")
          .List("jobs", &JobsDone::jobs, job,
                "those that were named; empty with --watch and --listen");
  return fields;
}

}  // namespace

const CommandDocument<JobsDone> kCompactWorkerDocument = {"varve.compact_worker/1", JobsFields,
                                                          "jobs"};

const Command kCompactWorker = {
    "compact-worker", "compact for databases that other processes have open",
    "varve compact-worker --watch /shared/jobs\n"
    "varve compact-worker --listen 10.0.0.7:8430 --token-file token --db /shared/db\n"
    "varve compact-worker /shared/db/remote-compactions/ID/JOB",
    "0 done, or --watch or --listen was stopped by a signal",
    [] { return MakeInvocation<CompactWorker>(); }};

}  // namespace varve::cli
