// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/runner.h"

#include <sys/resource.h>

#include <filesystem>
#include <limits>
#include <semaphore>
#include <thread>

#include "cli/output/progress.h"
#include "core/base/try.h"
#ifdef VARVE_HAS_HTTP
#include "webview/http/webview.h"
#endif

namespace varve::cli::bench {

// What a thread left behind.
struct ThreadOutcome {
  Status status;
  std::chrono::steady_clock::time_point end;
};

namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

uint64_t MaxRssBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

// Each workload has its own random sequence: reading in the order of an earlier write would measure
// the caches.
uint64_t SeedOf(const Workload& workload, uint64_t seed, uint64_t round, uint64_t thread) {
  for (const char c : workload.name) seed = Mix(seed + static_cast<unsigned char>(c));
  return Mix(Mix(seed + round) + thread);
}

// From `begin` until the last thread was done.
double SecondsOfWork(std::span<const ThreadOutcome> outcomes, Clock::time_point begin) {
  double seconds = 0;
  for (const ThreadOutcome& outcome : outcomes) {
    seconds = std::max(seconds, Seconds(outcome.end - begin));
  }
  return seconds;
}

// Calls `work` in a thread of its own once `go` is set. The last of `busy` threads releases `done`.
std::thread StartThread(Workload::Work work, Worker& worker, const std::atomic<bool>& go,
                        std::atomic<uint64_t>& busy, std::binary_semaphore& done,
                        ThreadOutcome* outcome) {
  return std::thread([work, &worker, &go, &busy, &done, outcome] {
    go.wait(false);
    outcome->status = work(worker);
    outcome->end = Clock::now();
    if (busy.fetch_sub(1) == 1) done.release();
  });
}

// The threads of a workload: begin together, and are waited for. If not all can be started, those
// that were end without having done anything.
class Crew {
 public:
  explicit Crew(Arena* arena) : arena_(*arena) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    if (threads_.empty()) return;
    arena_.stop.store(true);
    Go();
    Join();
  }

  // Throws std::system_error if the system has no thread left. The last of `busy` releases `done`.
  void Add(Workload::Work work, Worker& worker, std::atomic<uint64_t>& busy,
           std::binary_semaphore& done, ThreadOutcome* outcome) {
    threads_.push_back(StartThread(work, worker, go_, busy, done, outcome));
  }
  void Go() {
    go_.store(true);
    go_.notify_all();
  }
  void Join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  Arena& arena_;
  std::atomic<bool> go_ = false;
  std::vector<std::thread> threads_;
};

// A database may be made there: there is nothing, or an empty directory.
Status CheckIsFree(const std::string& directory) {
  std::error_code error;
  const std::filesystem::file_type type = std::filesystem::status(directory, error).type();
  if (type == std::filesystem::file_type::not_found) return Status::Ok();
  if (type == std::filesystem::file_type::directory) {
    const bool empty = std::filesystem::is_empty(directory, error);
    if (!error && empty) return Status::Ok();
    if (!error) {
      return Status::InvalidArgument(directory +
                                     " is not empty; --use-existing runs on what is there");
    }
  }
  if (error) return Status::IoError(directory + ": " + error.message());
  return Status::InvalidArgument(directory + " is no directory");
}

// The directory itself stays: it may be a link, or where a disk is mounted.
Status Empty(const std::string& directory) {
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  if (error == std::errc::no_such_file_or_directory) return Status::Ok();
  while (!error && entry != std::filesystem::directory_iterator()) {
    std::filesystem::remove_all(entry->path(), error);
    if (!error) entry.increment(error);
  }
  return error ? Status::IoError(directory + ": " + error.message()) : Status::Ok();
}

}  // namespace

Result<std::unique_ptr<Runner>> Runner::Create(const Settings& settings, Console& console) {
  auto runner = std::unique_ptr<Runner>(new Runner(settings, console));
  std::string& directory = runner->settings_.directory;
  if (directory.empty()) {
    ASSIGN_OR_RETURN(runner->temporary_, TemporaryDirectory::Create("varve-bench-"));
    directory = runner->temporary_.path();
  } else if (!settings.use_existing) {
    RETURN_IF_ERROR(CheckIsFree(directory));
  }
  runner->settings_.options.create_if_missing = !settings.use_existing;
  runner->records_ = settings.num;
  return runner;
}

Runner::~Runner() {
  view_.reset();
  store_.reset();
}

Status Runner::Open() {
  const auto begin = Clock::now();
  ASSIGN_OR_RETURN(store_, OpenStore(settings_));
  if (open_seconds_ < 0) open_seconds_ = Seconds(Clock::now() - begin);
  filled_ = filled_ || !store_->empty();
  return settings_.serve ? Show() : Status::Ok();
}

#ifdef VARVE_HAS_HTTP
Status Runner::Show() {
  DB* const db = store_->database();
  if (db == nullptr) return Status::InvalidArgument("--serve shows Varve, not other engines");
  if (settings_.port > UINT16_MAX) return Status::InvalidArgument("--port must be at most 65535");
  ASSIGN_OR_RETURN(view_, WebView::Start(*db, {.port = static_cast<uint16_t>(settings_.port)}));
  console_.Note("serving " + view_->url());
  return Status::Ok();
}
#else
Status Runner::Show() { return Status::NotSupported("--serve: this build has no HTTP server"); }
#endif

Status Runner::Change(const Settings& settings) {
  Settings next = settings;
  next.directory = settings_.directory;
  next.options.create_if_missing = settings_.options.create_if_missing;
  const auto text = [](const Settings& of) {
    std::string all;
    for (const NamedValue& option : ChangedOptions(of)) {
      all += option.name + "=" + option.value + "\n";
    }
    return all;
  };
  if (text(next) != text(settings_)) RETURN_IF_ERROR(Close());
  settings_ = next;
  return Status::Ok();
}

Status Runner::Close() {
  if (store_ == nullptr) return Status::Ok();
  view_.reset();
  const Status closed = store_->Close();
  store_.reset();
  return closed;
}

Status Runner::StartAfresh() {
  RETURN_IF_ERROR(Close());
  RETURN_IF_ERROR(Empty(settings_.directory));
  records_ = settings_.num;
  return Open();
}

Status Runner::Prepare() {
  console_.Note("bench: loading " + std::to_string(settings_.num) + " records, not measured");
  Settings settings = settings_;
  settings.threads = 1;
  Arena arena{.store = *store_, .settings = settings, .records = settings.num};
  Worker worker(arena, {.seed = settings.seed, .operations = settings.num, .sample = 0});
  RETURN_IF_ERROR(FindWorkload("filluniquerandom")->work(worker));
  RETURN_IF_ERROR(store_->Flush());
  return store_->WaitForBackgroundWork();
}

Status Runner::MakeReady(const Workload& workload, bool* prepared) {
  const bool fresh = workload.data == Workload::Data::kFresh;
  if (workload.writes && settings_.read_only) {
    return Status::InvalidArgument(std::string(workload.name) +
                                   " writes, which --read-only forbids");
  }
  if (fresh && !settings_.use_existing && (filled_ || store_ == nullptr)) {
    RETURN_IF_ERROR(StartAfresh());
  }
  if (store_ == nullptr) RETURN_IF_ERROR(Open());
  if (!fresh && !filled_ && !settings_.read_only) {
    RETURN_IF_ERROR(Prepare());
    *prepared = true;
  }
  filled_ = true;
  return Status::Ok();
}

Result<WorkloadResult> Runner::Run(const Workload& workload, uint64_t round) {
  if (workload.adjust == nullptr) return RunAsSet(workload, round);
  RETURN_IF_ERROR(Close());
  const Settings before = settings_;
  workload.adjust(settings_);
  Result<WorkloadResult> result = RunAsSet(workload, round);
  const Status closed = Close();
  settings_ = before;
  RETURN_IF_ERROR(closed);
  return result;
}

Result<WorkloadResult> Runner::RunAsSet(const Workload& workload, uint64_t round) {
  WorkloadResult result;
  RETURN_IF_ERROR(MakeReady(workload, &result.prepared));
  result.name = workload.name;
  result.threads = workload.whole ? 1 : settings_.threads;
  result.distribution = DistributionName(settings_.distribution.value_or(workload.distribution));
  result.start = store_->State();
  RETURN_IF_ERROR(workload.work == nullptr ? Reopen(&result)
                                           : RunThreads(workload, round, &result));
  result.end = store_->State();
  result.max_rss_bytes = MaxRssBytes();
  return result;
}

Status Runner::Reopen(WorkloadResult* result) {
  RETURN_IF_ERROR(Close());
  const auto begin = Clock::now();
  RETURN_IF_ERROR(Open());
  const auto time = Clock::now() - begin;
  result->seconds = Seconds(time);
  result->operations = 1;
  result->latency.Record(static_cast<uint64_t>(time.count()));
  return Status::Ok();
}

Status Runner::RunThreads(const Workload& workload, uint64_t round, WorkloadResult* result) {
  const bool fresh = workload.data == Workload::Data::kFresh;
  const uint64_t readers = result->threads, threads = readers + (workload.writer != nullptr);
  // A duration also limits fills, but does not make them write more than requested.
  const bool counted = fresh || (!workload.whole && settings_.duration == 0);
  const uint64_t endless = std::numeric_limits<uint64_t>::max();
  Arena arena{.store = *store_, .settings = settings_, .records = records_};
  std::vector<std::unique_ptr<Worker>> workers;
  for (uint64_t t = 0; t < threads; ++t) {
    // A workload that must be complete and writes, writes every record.
    const uint64_t operations =
        workload.whole ? settings_.num : settings_.operations.value_or(settings_.num);
    workers.push_back(std::make_unique<Worker>(
        arena, WorkerPlan{.thread = t,
                          .seed = SeedOf(workload, settings_.seed, round, t),
                          .operations = counted && t < readers ? operations : endless,
                          .sample = settings_.sample * workload.sample_of,
                          .distribution = settings_.distribution.value_or(workload.distribution)}));
  }
  std::atomic<uint64_t> busy = readers, writing = 1;
  std::binary_semaphore done(0), written(0);
  std::vector<ThreadOutcome> outcomes(threads);
  Crew crew(&arena);
  for (uint64_t t = 0; t < threads; ++t) {
    if (t < readers) {
      crew.Add(workload.work, *workers[t], busy, done, &outcomes[t]);
    } else {
      crew.Add(workload.writer, *workers[t], writing, written, &outcomes[t]);
    }
  }
  const auto begin = Clock::now();
  crew.Go();
  const std::unique_ptr<Worker> writer =
      workload.writer == nullptr ? nullptr : std::move(workers.back());
  if (writer != nullptr) workers.pop_back();
  const std::span<const ThreadOutcome> of_readers = std::span(outcomes).first(readers);
  Watch(workload, arena, workers, begin, of_readers, done, result);
  arena.stop.store(true);
  crew.Join();
  result->seconds = SecondsOfWork(of_readers, begin);
  uint64_t checksum = 0;
  for (const auto& worker : workers) {
    result->operations += worker->operations();
    result->found += worker->found();
    result->bytes += worker->bytes();
    result->latency.Merge(worker->latency());
    checksum += worker->checksum();
  }
  if (settings_.checksum) result->checksum = checksum;
  if (writer != nullptr) result->background_operations = writer->operations();
  records_ = arena.records.load();
  for (const ThreadOutcome& outcome : outcomes) RETURN_IF_ERROR(outcome.status);
  return Status::Ok();
}

// Returns when the workers are done; meanwhile records the time series, prints progress and
// enforces the deadline.
void Runner::Watch(const Workload& workload, Arena& arena,
                   const std::vector<std::unique_ptr<Worker>>& workers, Clock::time_point begin,
                   std::span<const ThreadOutcome> outcomes, std::binary_semaphore& done,
                   WorkloadResult* result) {
  constexpr double kForever = 1e8;
  const uint64_t planned = workers.front()->planned();
  const bool endless = planned == std::numeric_limits<uint64_t>::max();
  Progress progress(console_, workload.name, "operations", endless ? 0 : planned * workers.size());
  Interval total;
  Histogram latencies;
  DbStats before = result->start.stats;
  const auto add_interval = [&](double now) {
    Interval point{.seconds = now, .length = now - total.seconds, .latency = {}};
    Histogram so_far;
    for (const auto& worker : workers) {
      point.operations += worker->operations();
      point.bytes += worker->bytes();
      so_far.Merge(worker->latency());
    }
    point.latency = Latency::Of(so_far.Since(latencies));
    latencies = so_far;
    const TreeState state = store_->State();
    const DbStats& stats = state.stats;
    const uint64_t operations = point.operations, bytes = point.bytes;
    point.operations -= total.operations;
    point.bytes -= total.bytes;
    point.flush_bytes = stats.flush_bytes_written - before.flush_bytes_written;
    point.compaction_bytes = stats.compaction_bytes_written - before.compaction_bytes_written;
    point.stall_micros = stats.stall_micros - before.stall_micros;
    point.memtable_bytes = stats.memtable_bytes;
    for (const LevelInfo& level : state.levels) {
      if (level.level == 0) point.level0_files = level.files;
    }
    total = {.seconds = now, .operations = operations, .bytes = bytes, .latency = {}};
    before = stats;
    result->intervals.push_back(point);
  };
  const bool bounded = settings_.duration > 0 && !workload.whole;
  const auto after = [&](double seconds) {
    return begin + std::chrono::duration_cast<Clock::duration>(
                       std::chrono::duration<double>(std::min(seconds, kForever)));
  };
  for (bool stopped = false;;) {
    double next = total.seconds + settings_.report_interval;
    if (bounded && !stopped) next = std::min(next, settings_.duration);
    if (done.try_acquire_until(after(next))) break;
    const double now = Seconds(Clock::now() - begin);
    if (done.try_acquire()) break;
    if (bounded && now >= settings_.duration) arena.stop = stopped = true;
    if (now - total.seconds < settings_.report_interval) continue;
    add_interval(now);
    progress.Look(total.operations);
  }
  // The work ended before this was noticed, perhaps even before the last interval was.
  const double end = SecondsOfWork(outcomes, begin);
  if (end > total.seconds || result->intervals.empty()) return add_interval(end);
  Interval& last = result->intervals.back();
  last.length -= last.seconds - end;
  last.seconds = end;
}

}  // namespace varve::cli::bench
