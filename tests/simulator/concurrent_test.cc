// SPDX-License-Identifier: Apache-2.0
// Writers, readers, ingestion, maintenance and the engine's own threads, on a simulated disk, in an
// order of threads that is drawn from a seed (scheduler.h). At random moments calls of the disk
// fail, and power is lost:
//
//   - whatever is read at one sequence number, by whom and how, is what an allowed order of the
//     commits makes (commit_order.h), and the same is found after each loss of power and after
//     each closing and reopening; what is read of one key without a snapshot, too;
//   - all that waits goes on: where no thread can, or not within five minutes, that is the end;
//   - the same seed makes the same decisions.
//
//   concurrent_test [--seed=N] [--first=N] [--seeds=N] [--commits=N] [--keep=LIST] [--trace]
//
// Each seed runs in a process of its own. What fails prints the line that replays it
// (tests/replay). Its operations (commits, ingestions, reads, maintenance) are numbered as threads
// begin them.
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "tests/mix/arguments.h"
#include "tests/mix/varve_kind.h"
#include "tests/replay/kept.h"
#include "tests/replay/replay.h"
#include "tests/simulator/commit_order.h"
#include "tests/simulator/found_database.h"
#include "tests/simulator/scheduler.h"
#include "tests/simulator/simulated_disk.h"

namespace varve::simulator {
namespace {

using mix::Database;
using mix::Dice;
using mix::Group;
using mix::Moment;
using mix::Operation;
using mix::Trouble;

constexpr char kPath[] = "db";
#if defined(__SANITIZE_THREAD__)  // With other points at which threads change: another story.
constexpr char kSuite[] = "concurrent_tsan";
#else
constexpr char kSuite[] = "concurrent";
#endif
constexpr size_t kWritersMax = 4;
constexpr size_t kIngester = kWritersMax;  // The last "writer" ingests tables.
constexpr uint64_t kKeys = 40;
constexpr uint64_t kRunTwice = 10;  // Seeds that this divides.
constexpr uint64_t kLarge =
    8;  // The same: writers whose groups are large enough to insert together.
constexpr size_t kImagesMax = 12;  // Losses of power, of each run.

std::string KeyOf(uint64_t i) { return "k" + std::string(i < 10 ? "0" : "") + std::to_string(i); }

// Tables are ingested into one of its own, so that no memtable has to be flushed for it.
std::set<std::string> Families() { return {"default", "i", "r"}; }

std::vector<std::string> Lines() {
  std::vector<std::string> lines(kWritersMax, "default");
  lines.push_back("i");  // kIngester
  return lines;
}

// The virtual time of the scheduler.
class SchedulerClock final : public Clock {
 public:
  explicit SchedulerClock(Scheduler* scheduler) : scheduler_(*scheduler) {}
  uint64_t NowMicros() override { return scheduler_.Nanos() / 1000; }
  uint64_t UnixMicros() override { return 1'700'000'000'000'000 + NowMicros(); }

 private:
  Scheduler& scheduler_;
};

// What a commit of `writer` changes. Tables for ingestion have each key once, in order.
Group MakeCommit(uint64_t seed, size_t writer, uint64_t number) {
  using Kind = Operation::Kind;
  Dice dice(seed * 1'000'003 + writer * 100'003 + number);
  const uint64_t largest = seed % kLarge == 0 ? 100'000 : 300;
  const auto value = [&] {
    return std::to_string(writer) + "." + std::to_string(number) + "." +
           std::string(dice.Pick(dice.OneIn(4) ? largest : 20), 'v');
  };
  Group group;
  if (writer == kIngester) {
    const uint64_t begin = dice.Pick(kKeys - 1), end = begin + 1 + dice.Pick(kKeys - 1 - begin);
    if (dice.OneIn(2)) {
      group.push_back({Kind::kDeleteRange, "i", KeyOf(begin), KeyOf(end)});
    }
    for (uint64_t key = 0; key < kKeys; ++key) {
      if (!dice.OneIn(8)) continue;
      const Kind kind = dice.Of({Kind::kPut, Kind::kPut, Kind::kDelete, Kind::kMerge});
      group.push_back({kind, "i", KeyOf(key), kind == Kind::kDelete ? "" : value()});
    }
    return group;
  }
  for (uint64_t left = dice.OneIn(4) ? dice.Pick(12) : 1 + dice.Pick(2); left > 0; --left) {
    const std::string family = dice.OneIn(3) ? "r" : "default";
    std::string begin = KeyOf(dice.Pick(kKeys)), end = KeyOf(dice.Pick(kKeys));
    switch (dice.Pick(10)) {
      case 0:
        if (mix::Order{mix::RunsBackwards(family)}(end, begin)) std::swap(begin, end);
        group.push_back({Kind::kDeleteRange, family, begin, end});
        break;
      case 1:
      case 2:
        group.push_back({Kind::kDelete, family, begin, {}});
        break;
      case 3:
      case 4:
        group.push_back({Kind::kMerge, family, begin, value()});
        break;
      default:
        group.push_back({Kind::kPut, family, begin, value()});
    }
  }
  return group;
}

// Calls that fail from some moment on: one of them, a few, or all that change anything.
class Faults {
 public:
  explicit Faults(uint64_t seed) : dice_(seed) {
    if (dice_.OneIn(2)) return;
    first_ = 1 + dice_.Pick(600);
    last_ = dice_.Of<uint64_t>({first_, first_ + 3, UINT64_MAX});
    reads_too_ = dice_.OneIn(3);
  }

  Fault Draw(const std::string& call) {
    if (!on_ || first_ == 0) return Fault::kNone;
    const bool reads = call.starts_with("read") || call.starts_with("open") ||
                       call.starts_with("size") || call.starts_with("list");
    if (reads && !reads_too_) return Fault::kNone;
    if (++calls_ < first_ || calls_ > last_) return Fault::kNone;
    ++fired_;
    return dice_.Of({Fault::kRefused, Fault::kHalfDone, Fault::kDone});
  }
  void TurnOn() { on_ = true; }
  void TurnOff() { on_ = false; }
  bool fired() const { return fired_ > 0; }
  uint64_t count() const { return fired_; }

 private:
  Dice dice_;
  uint64_t first_ = 0, last_ = 0, calls_ = 0, fired_ = 0;
  bool reads_too_ = false, on_ = false;
};

struct Command {
  uint64_t commits = 40;
  replay::Kept kept{UINT64_MAX};
  bool trace = false;
};

// What the process of a run tells while it lasts, in a page that its parent sees.
struct Told {
  uint64_t digest = 0;      // In the end.
  uint64_t operations = 0;  // That have been begun, those that are not kept included.
};

class Run {
 public:
  Run(uint64_t seed, const Command& command, Told* told)
      : seed_(seed),
        command_(command),
        told_(*told),
        dice_(seed),
        faults_(seed + 1),
        scheduler_(seed + 2),
        order_(Lines(), [seed](size_t writer, uint64_t number) {
          return MakeCommit(seed, writer, number);
        }) {}

  bool Go() {
    disk_.set_after_mutation([this](const std::string& what) { AfterMutation(what); });
    disk_.set_fault_plan([this](const std::string& call) {
      const Scheduler::Alone alone;
      const Fault fault = faults_.Draw(call);
      if (fault != Fault::kNone && command_.trace) {
        std::fprintf(stderr, "    %s fails\n", call.c_str());
      }
      return fault;
    });
    scheduler_.Run([this] { Main(); });
    disk_.set_after_mutation(nullptr);
    disk_.set_fault_plan(nullptr);
    for (size_t i = 0; i < images_.size() && trouble_.empty(); ++i) Examine(&images_[i]);
    if (!trouble_.empty()) std::fprintf(stderr, "%s\n%s\n", session_.c_str(), trouble_.c_str());
    std::printf(
        "seed %llu: %llu points, %llu switches, %llu mutations, %llu states, %llu reads, "
        "%llu faults, digest %016llx\n",
        Printed(seed_), Printed(scheduler_.points()), Printed(scheduler_.switches()),
        Printed(mutation_), Printed(counts_.states), Printed(reads_), Printed(faults_.count()),
        Printed(scheduler_.digest()));
    return trouble_.empty();
  }

  // Of all that was decided about threads, and of what they did.
  uint64_t digest() const { return scheduler_.digest() ^ mutation_ ^ reads_ << 32; }

 private:
  struct Image {
    std::unique_ptr<SimulatedDisk> disk;
    Loss loss;
    uint64_t mutation;
    Progress at_least, at_most;
  };
  struct Threads {
    std::vector<std::thread> threads;
    template <typename Function>
    void Start(const Function& function) {
      threads.emplace_back(function);
    }
    ~Threads() {
      for (std::thread& thread : threads) thread.join();
    }
  };

  static unsigned long long Printed(uint64_t n) { return n; }

  // --- what may go wrong
  bool stopped() const { return !trouble_.empty(); }
  // Of the operation that this thread is about to begin.
  bool IsKept() {
    const Scheduler::Alone alone;
    return command_.kept.Has(told_.operations++);
  }
  // Of what should not have failed; once a call of the disk has, it may.
  void Expect(const Trouble& trouble, const char* what) {
    if (trouble.empty() || faults_.fired() || stopped()) return;
    trouble_ = std::string(what) + " failed: " + trouble;
  }
  void CheckFound(const Moment& found, const Progress& at_least, const Progress& at_most,
                  const std::string& who) {
    const Scheduler::Alone alone;
    ++reads_;
    const Trouble trouble = order_.Check(found, at_least, at_most);
    if (!trouble.empty() && !stopped()) trouble_ = who + " " + trouble;
  }

  // --- the story
  void Main() {
    SchedulerClock clock(&scheduler_);
    SeededRandom random(seed_);
    ThreadPool pool(1 + static_cast<int>(dice_.Pick(2)), 1 + static_cast<int>(dice_.Pick(3)));
    mix::VarveKind kind({&disk_.file_system(), &clock, &random, &pool}, /*newest_tables=*/true);
    CreateDatabase(&kind);
    faults_.TurnOn();
    for (uint64_t left = 1 + dice_.Pick(3); left > 0 && !stopped(); --left) {
      if (faults_.fired()) kind.AllowTracesOfFailures();
      session_ = kind.DrawOptions(&dice_);
      if (command_.trace) std::fprintf(stderr, "session with %s\n", session_.c_str());
      Session(&kind, left == 1);
    }
    faults_.TurnOff();
    if (!stopped()) CheckFinalState(&kind);
  }

  void CreateDatabase(mix::VarveKind* kind) {
    kind->DrawOptions(&dice_);
    std::unique_ptr<Database> database;
    Expect(kind->Open(kPath, {"default"}, &database), "creation");
    for (const char* family : {"i", "r"}) {
      if (!stopped()) Expect(database->CreateFamily(family), "creation of a family");
    }
  }

  void Session(mix::VarveKind* kind, bool last) {
    std::unique_ptr<Database> database;
    const Trouble trouble = kind->Open(kPath, Families(), &database);
    Expect(trouble, "opening");
    if (!trouble.empty() || stopped()) return;
    ReadAtSnapshot(database.get(), "after opening,");
    {
      Threads threads;
      writing_ = 1 + dice_.Pick(kWritersMax);
      const bool ingests = dice_.OneIn(2);
      for (size_t writer = 0; writer < writing_; ++writer) {
        threads.Start([this, &database, writer] { WriteCommits(database.get(), writer); });
      }
      for (uint64_t i = 0, readers = dice_.Pick(4); i < readers; ++i) {
        threads.Start([this, &database, i] { ReadWhileWriting(database.get(), i); });
      }
      if (ingests) threads.Start([this, &database] { IngestTables(database.get()); });
      if (dice_.OneIn(2)) threads.Start([this, &database] { Maintain(database.get()); });
      if (dice_.OneIn(3)) threads.Start([this, kind] { ReadBeside(kind); });
    }
    if (stopped()) return;
    if (last || dice_.OneIn(2)) {
      const Progress then = order_.acknowledged();
      const Trouble closed = database->Close();
      Expect(closed, "closing");
      const Scheduler::Alone alone;
      if (closed.empty()) order_.Durable(then);
    }
  }

  // Without faults, all that was acknowledged is there, and whatever was issued may be.
  void CheckFinalState(mix::VarveKind* kind) {
    if (faults_.fired()) kind->AllowTracesOfFailures();
    session_ = kind->DrawOptions(&dice_);
    std::unique_ptr<Database> database;
    const Trouble trouble = kind->Open(kPath, Families(), &database);
    if (!trouble.empty()) {
      trouble_ = "opening in the end failed: " + trouble;
      return;
    }
    ReadAtSnapshot(database.get(), "in the end,");
    if (const Trouble closed = database->Close(); !closed.empty() && !stopped()) {
      trouble_ = "closing in the end failed: " + closed;
    }
  }

  // --- threads
  void WriteCommits(Database* database, size_t writer) {
    Dice dice(seed_ * 31 + writer + 1000 * order_.issued()[writer]);
    for (uint64_t i = 0; i < command_.commits / writing_ && !stopped(); ++i) {
      const bool synced = dice.OneIn(4);
      if (!IsKept()) continue;
      Group group;
      {
        const Scheduler::Alone alone;
        group = order_.Issue(writer);
      }
      const Trouble trouble =
          database->Write(group, synced ? mix::WriteForm::kSynced : mix::WriteForm::kBuffered);
      Expect(trouble, "a write");
      if (!trouble.empty()) return;  // Until it is opened again.
      const Scheduler::Alone alone;
      order_.Acknowledge(writer, synced);
    }
  }

  void IngestTables(Database* database) {
    Dice dice(seed_ * 37 + order_.issued()[kIngester]);
    for (uint64_t i = 0, count = 1 + dice.Pick(3); i < count && !stopped(); ++i) {
      if (!IsKept()) continue;
      Group group;
      {
        const Scheduler::Alone alone;
        group = order_.Issue(kIngester);
      }
      const Trouble trouble = database->Ingest({{"i", {group}}}, {.move = dice.OneIn(2)});
      Expect(trouble, "ingestion");
      if (!trouble.empty()) return;
      const Scheduler::Alone alone;
      order_.Acknowledge(kIngester, /*durable=*/true);
    }
  }

  void Maintain(Database* database) {
    Dice dice(seed_ * 41);
    for (uint64_t i = 0; i < 5 && !stopped(); ++i) {
      if (!IsKept()) continue;
      const std::string family = dice.Of({"default", "i", "r"});
      switch (dice.Pick(6)) {
        case 0: {
          const Progress then = order_.acknowledged();
          const Trouble trouble = database->FlushAll();
          Expect(trouble, "flushing all");
          const Scheduler::Alone alone;
          if (trouble.empty()) order_.Durable(then);
          break;
        }
        case 1:
          Expect(database->Flush(family, dice.OneIn(2)), "flushing");
          break;
        case 2:
          Expect(database->Compact(family, {}, dice.OneIn(2)), "compacting");
          break;
        case 3:
          Expect(database->Checkpoint("checkpoint" + std::to_string(checkpoints_++)),
                 "a checkpoint");
          break;
        case 4:
          Churn(database, "f" + std::to_string(dice.Pick(2)));
          break;
        default:
          Expect(database->SetOptions(
                     family, {{"write_buffer_size", std::to_string(2048 << dice.Pick(4))}}),
                 "changing options");
      }
    }
  }

  // A family comes and goes.
  void Churn(Database* database, const std::string& family) {
    const Trouble created = database->CreateFamily(family);
    Expect(created, "creating a family");
    if (!created.empty()) return;
    Expect(
        database->Write({{Operation::Kind::kPut, family, "key", "value"}}, mix::WriteForm::kSynced),
        "a write to a new family");
    Expect(database->DropFamily(family), "dropping a family");
  }

  void ReadWhileWriting(Database* database, uint64_t reader) {
    for (int i = 0; i < 6 && !stopped(); ++i) {
      const std::string who = "reader " + std::to_string(reader);
      if (IsKept()) ReadAtSnapshot(database, who);
      for (int now = 0; now < 10 && !stopped(); ++now) {
        if (IsKept()) ReadNow(database, who);
      }
    }
  }

  void ReadBeside(mix::VarveKind* kind) {
    for (int i = 0; i < 3 && !stopped(); ++i) {
      if (!IsKept()) continue;
      const Progress at_least = order_.acknowledged();
      std::unique_ptr<Database> database;
      const Trouble trouble = kind->OpenReadOnly(kPath, Families(), &database);
      // A family that comes and goes is not expected; that is not what is looked at here.
      if (trouble.ends_with("families too many")) continue;
      Expect(trouble, "opening for reading");
      if (!trouble.empty()) return;
      ReadAll(database.get(), nullptr, at_least, "a reader beside the writer");
    }
  }

  void ReadAtSnapshot(Database* database, const std::string& who) {
    const Progress at_least = order_.acknowledged();
    const auto snapshot = database->TakeSnapshot();
    ReadAll(database, snapshot.get(), at_least, who);
  }

  // Without a snapshot: the line of a family, as it is at some moment of the read.
  void ReadNow(Database* database, const std::string& who) {
    const std::string family = scheduler_.OneIn(4) ? "i" : "default";
    const Progress at_least = order_.acknowledged();
    std::optional<std::string> line;
    const Trouble trouble = GetLine(database, family, &line);
    const Progress at_most = order_.issued();
    Expect(trouble, "reading");
    if (!trouble.empty()) return;
    const Scheduler::Alone alone;
    ++reads_;
    const Trouble wrong = order_.CheckAlone(family, line, at_least, at_most);
    if (!wrong.empty() && !stopped()) trouble_ = who + ", of " + family + " alone, " + wrong;
  }

  Trouble GetLine(Database* database, const std::string& family, std::optional<std::string>* line) {
    const std::string key = CommitOrder::kKey;
    if (scheduler_.OneIn(2)) return database->Get(family, key, nullptr, line);
    if (scheduler_.OneIn(2)) {
      std::vector<std::optional<std::string>> values(1);
      Trouble trouble = database->MultiGet(family, {key}, nullptr, &values);
      *line = values[0];
      return trouble;
    }
    std::unique_ptr<mix::Cursor> cursor;
    if (Trouble trouble = database->NewCursor(family, {}, nullptr, &cursor); !trouble.empty()) {
      return trouble;
    }
    cursor->Seek(key);
    if (cursor->Valid()) *line = cursor->value();
    return cursor->trouble();
  }

  // Forwards or backwards, by iterators; some keys again, by Get and MultiGet.
  void ReadAll(Database* database, const mix::Snapshot* snapshot, const Progress& at_least,
               const std::string& who) {
    const Progress at_most = order_.issued();
    Moment found;
    for (const std::string& family : Families()) {
      const Trouble trouble = ReadFamily(database, family, snapshot, &found);
      Expect(trouble, "reading");
      if (!trouble.empty()) return;
    }
    CheckFound(found, at_least, at_most, who);
    if (stopped()) return;
    ReadKeys(database, snapshot, found, who);
  }

  Trouble ReadFamily(Database* database, const std::string& family, const mix::Snapshot* snapshot,
                     Moment* found) {
    auto& contents =
        found->try_emplace(family, mix::Contents(mix::Order{mix::RunsBackwards(family)}))
            .first->second;
    std::unique_ptr<mix::Cursor> cursor;
    if (Trouble trouble = database->NewCursor(family, {}, snapshot, &cursor); !trouble.empty()) {
      return trouble;
    }
    if (scheduler_.OneIn(2)) {
      for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
        contents.emplace(cursor->key(), cursor->value());
      }
    } else {
      for (cursor->SeekToLast(); cursor->Valid(); cursor->Prev()) {
        contents.emplace(cursor->key(), cursor->value());
      }
    }
    return cursor->trouble();
  }

  void ReadKeys(Database* database, const mix::Snapshot* snapshot, const Moment& found,
                const std::string& who) {
    for (const std::string& family : Families()) {
      std::vector<std::string> keys;
      for (uint64_t i = scheduler_.OneIn(2) ? 0 : 1; i < kKeys; i += 3) keys.push_back(KeyOf(i));
      std::vector<std::optional<std::string>> values(keys.size());
      Trouble trouble;
      if (scheduler_.OneIn(2)) {
        trouble = database->MultiGet(family, keys, snapshot, &values);
      } else {
        for (size_t i = 0; i < keys.size() && trouble.empty(); ++i) {
          trouble = database->Get(family, keys[i], snapshot, &values[i]);
        }
      }
      Expect(trouble, "getting keys");
      // Without a snapshot, a database that is written to goes on.
      if (!trouble.empty()) return;
      for (size_t i = 0; i < keys.size() && !stopped(); ++i) {
        const auto at = found.at(family).find(keys[i]);
        const bool is_there = at != found.at(family).end();
        if (is_there == values[i].has_value() && (!is_there || at->second == *values[i])) continue;
        trouble_ =
            who + " gets another value of " + keys[i] + " of " + family + " than an iterator has";
      }
    }
  }

  // --- losses of power
  void AfterMutation(const std::string& what) {
    {
      const Scheduler::Alone alone;
      ++mutation_;
      if (command_.trace) std::fprintf(stderr, "    %llu %s\n", Printed(mutation_), what.c_str());
      if (images_.size() < kImagesMax && dice_of_losses_.OneIn(25)) KeepImage();
    }
    scheduler_.Point();
  }

  void KeepImage() {
    const Loss loss = kLosses[dice_of_losses_.Pick(std::size(kLosses))];
    // What a call said that failed later may or may not have been done.
    images_.push_back({disk_.AfterPowerLoss(loss, &dice_of_losses_), loss, mutation_,
                       loss == Loss::kNothing ? order_.acknowledged() : order_.durable(),
                       order_.issued()});
  }

  void Examine(Image* image) {
    const uint64_t seed = (seed_ << 32) + image->mutation;
    Trouble trouble;
    // An engine of its own: what threads keep to themselves is not to be shared with the other.
    std::thread([&] {
      Examination examination(
          kPath, [&](const Moment& moment) { return Judge(*image, moment); }, &counts_, seed);
      trouble = examination.Examine(image->disk.get(), image->loss, /*cut_short=*/seed % 64 == 0);
    }).join();
    if (trouble.empty()) return;
    trouble_ = "power lost after mutation " + std::to_string(image->mutation) + ", " +
               std::string(NameOf(image->loss)) + ": what is found " + trouble;
  }

  Trouble Judge(const Image& image, Moment moment) {
    moment["default"].erase("after");
    for (auto at = moment.begin(); at != moment.end();) {
      const bool churned = at->first.starts_with('f');
      at = churned ? moment.erase(at) : std::next(at);
    }
    return order_.Check(moment, image.at_least, image.at_most);
  }

  const uint64_t seed_;
  const Command command_;
  Told& told_;
  Dice dice_;
  Faults faults_;
  Scheduler scheduler_;
  SimulatedDisk disk_;
  CommitOrder order_;
  Dice dice_of_losses_{seed_ + 3};
  std::vector<Image> images_;
  Examination::Counts counts_;
  std::string session_;
  Trouble trouble_;
  size_t writing_ = 1;
  uint64_t checkpoints_ = 0, mutation_ = 0, reads_ = 0;
};

// In a process of its own, so that nothing of an earlier run decides about it.
bool RunAlone(uint64_t seed, const Command& command, Told* told) {
  *told = {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    replay::LeaveToParent();
    alarm(300);  // A hang that is none of waiting threads ends by SIGALRM.
    Run run(seed, command, told);
    const bool good = run.Go();
    told->digest = run.digest();
    std::fflush(nullptr);
    _exit(good ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (WIFSIGNALED(status)) std::fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
  return false;
}

std::string ReplayLine(uint64_t seed, const Command& command) {
  return std::string(kSuite) + " --seed=" + std::to_string(seed) +
         " --commits=" + std::to_string(command.commits);
}

bool RunSeed(uint64_t seed, const Command& command, Told* told) {
  replay::At(ReplayLine(seed, command));
  bool good = RunAlone(seed, command, told);
  const uint64_t first = told->digest;
  if (good && seed % kRunTwice == 0) {
    good = RunAlone(seed, command, told);
    if (good && told->digest != first) {
      std::fprintf(stderr, "seed %llu did not do the same again\n",
                   static_cast<unsigned long long>(seed));
      good = false;
    }
  }
  if (good) return true;
  replay::Print(ReplayLine(seed, command) +
                " --keep=" + command.kept.Before(told->operations).List());
  return false;
}

}  // namespace
}  // namespace varve::simulator

int main(int argc, char** argv) {
  // Addresses decide about some orders: they are the same each time.
  if (personality(0xffffffff) >= 0 && (personality(0xffffffff) & ADDR_NO_RANDOMIZE) == 0 &&
      personality(static_cast<unsigned long>(personality(0xffffffff)) | ADDR_NO_RANDOMIZE) >= 0) {
    execv("/proc/self/exe", argv);
  }
  using varve::mix::Argument;
  const varve::simulator::Command command = {.commits = Argument(argc, argv, "--commits", 40),
                                             .kept = varve::replay::Kept(argc, argv, UINT64_MAX),
                                             .trace = varve::mix::HasFlag(argc, argv, "--trace")};
  if (!command.kept.ok()) return 2;
  using varve::simulator::Told;
  void* const page =
      mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 2;
  auto* const told = new (page) Told();
  const varve::mix::Seeds seeds(argc, argv, 100);
  for (uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    if (!varve::simulator::RunSeed(seed, command, told)) return 1;
  }
  return 0;
}
