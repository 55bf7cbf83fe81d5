// SPDX-License-Identifier: Apache-2.0
// Varve and RocksDB 7.8.3 take turns on one directory, in the mix of random operations (tests/mix),
// against a model. Now and then, between two turns, a repair of the directory must find nothing to
// repair: RocksDB reads in the result what was written.
//
//   interop_fuzz_test [--seed=N] [--first=N] [--seeds=N] [--ops=N | --keep=LIST] [--alone]
//                     [--trace]
//
// RocksDB is not without faults itself, and its threads make them a matter of chance. So it is not
// asked to do them again; what decides is who had the directory. Between two turns it is examined:
// it verifies clean and Varve reads in it what was written. Who opens it next has taken it over
// when that engine, too, reads what was written. RocksDB's own fault is
//
//   - what it says or does amiss in a turn of its own, unless it names a file of before;
//   - what RocksDB itself does not read right, when the last turn was its own.
//
// All else is a fault of ours. The directory that RocksDB's fault leaves is then read by Varve,
// whose answer must be what was written, or a refusal (corruption, not supported), or what all
// entries of the live tables and logs come to: then RocksDB has lost the rest. (It does so where an
// ingested table has a range deletion that ends with the table's last key, and a compaction splits
// it.) Too many faults of RocksDB's are one of ours: what it trips over each time, we have put
// there.
//
// Before several seeds, it is tried out whether each engine is found out when it forgets writes.
// --alone: RocksDB in both roles, and no verdict. Each run is a process of its own: RocksDB aborts
// on a directory that it does not like.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/verify/verify.h"
#include "core/repair/database_repair.h"
#include "tests/interop/reading.h"
#include "tests/interop/rocksdb_kind.h"
#include "tests/mix/arguments.h"
#include "tests/mix/mix.h"
#include "tests/mix/varve_kind.h"
#include "tests/replay/kept.h"
#include "tests/replay/replay.h"

namespace varve::interop {
namespace {

using mix::Mix;
using mix::Plan;
using mix::Trouble;

constexpr uint64_t kStepsARepair = 3;  // Of the reopenings, one of so many.
constexpr unsigned kSecondsMax = 300;  // For one seed; a run takes less than one.

struct Command {
  replay::Kept ops;
  bool trace = false;
};

enum class Cast { kBoth, kRocksDbAlone };
enum class Who : uint8_t { kNobody, kVarve, kRocksDb };

// What an engine makes of the directory that a run left, the best first.
enum class State : uint8_t { kRight, kRefused, kLost, kWrong };

// What a run tells while it lasts, in a page that its parent sees.
struct Witness {
  uint64_t step = 0;     // At work on it.
  uint64_t session = 0;  // The step at which the writer took over.
  Who writer = Who::kNobody, at_work = Who::kNobody;
  uint64_t newest_file = 0;   // Between engines.
  uint64_t foreign_file = 0;  // The newest that was there when RocksDB took over from another.
  std::array<char, 4096> trouble = {};
  State state = State::kWrong;  // Of who looks at the directory afterwards.
};

// What a run leaves for its parent.
struct Left {
  bool fine = false;
  std::string path;
  Witness witness = {};
};

// To be called before there are children.
Witness* SharedWitness() {
  static Witness* const witness = [] {
    void* page =
        mmap(nullptr, sizeof(Witness), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) std::abort();
    return new (page) Witness();
  }();
  return witness;
}

// Whether `run` returned true in a child of its own.
bool InChild(const std::function<bool()>& run) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    replay::LeaveToParent();
    alarm(kSecondsMax);
    const bool fine = run();
    std::fflush(nullptr);
    _exit(fine ? 0 : 1);  // The directory stays as it is.
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) std::abort();
  if (WIFSIGNALED(status)) std::fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::filesystem::path Scratch() {
  return std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
}

std::string PathOf(uint64_t seed) {
  return Scratch() / ("varve-fuzz-" + std::to_string(getpid()) + "-" + std::to_string(seed));
}

// Also what the mix has put beside it.
void RemoveBeside(const std::string& path) {
  std::vector<std::filesystem::path> beside;
  for (const auto& entry : std::filesystem::directory_iterator(Scratch())) {
    if (entry.path().native().starts_with(path + ".")) beside.push_back(entry.path());
  }
  for (const std::filesystem::path& one : beside) std::filesystem::remove_all(one);
}

void RemoveAll(const std::string& path) {
  RemoveBeside(path);
  std::filesystem::remove_all(path);
}

Trouble OpenReadOnly(mix::EngineKind* engine, const std::string& path, const Mix& model,
                     std::unique_ptr<mix::Database>* database) {
  mix::Dice dice(1);
  engine->DrawOptions(&dice);
  return engine->OpenReadOnly(path, model.Families(), database);
}

// What a repair makes of a sound directory.
Trouble CheckRepaired(const std::string& path, Mix* mix) {
  const std::string repaired = path + ".repaired";
  std::filesystem::remove_all(repaired);
  const auto report = RepairDatabase(NativeEnvironment(), path, repaired, {});
  if (!report.ok()) return "repair: " + report.status().ToString();
  if (!report->complete()) return "repair says that there are losses";
  RocksDbKind rocksdb;
  std::unique_ptr<mix::Database> database;
  if (Trouble trouble = OpenReadOnly(&rocksdb, repaired, *mix, &database); !trouble.empty()) {
    return "repaired: " + trouble;
  }
  if (Trouble trouble = mix->Check(database.get(), "repaired"); !trouble.empty()) return trouble;
  database.reset();
  std::filesystem::remove_all(repaired);
  return {};
}

// The numbers of the files that a text names, as "#12" or as "000012.sst".
std::vector<uint64_t> FilesIn(std::string_view text) {
  std::vector<uint64_t> numbers;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    const bool named = (at > 0 && text[at - 1] == '#') || text.substr(end).starts_with(".sst") ||
                       text.substr(end).starts_with(".log");
    if (end > at && end - at < 18 && named) {
      numbers.push_back(std::stoull(std::string(text.substr(at, end - at))));
    }
    at = std::max(end, at + 1);
  }
  return numbers;
}

uint64_t NewestFile(const std::string& path) {
  uint64_t newest = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    for (uint64_t number : FilesIn(entry.path().filename().native())) {
      newest = std::max(newest, number);
    }
  }
  return newest;
}

// Is a directory right that no engine has open? Draws nothing from the mix's dice.
Trouble Examine(const std::string& path, const Mix& mix) {
  const auto report = VerifyDatabase(*NativeEnvironment().file_system, path, nullptr);
  if (!report.ok()) return "verify: " + report.status().ToString();
  for (const Finding& finding : report->findings) {
    if (finding.severity != Finding::Severity::kWarning) {
      return "verify: " + finding.file + ": " + finding.what;
    }
  }
  mix::VarveKind varve(NativeEnvironment(), /*newest_tables=*/false);
  const Reading reading = ReadWith(&varve, path, mix.now());
  const Trouble wrong =
      reading.trouble.empty() ? Difference(reading.contents, mix.now(), {}) : reading.trouble;
  return wrong.empty() ? "" : "varve reads between engines: " + wrong;
}

void NoteTurn(const mix::Turn& turn, const mix::EngineKind* varve, uint64_t step,
              Witness* witness) {
  const auto who = [&](const mix::EngineKind* engine) {
    if (engine == nullptr) return Who::kNobody;
    return engine == varve ? Who::kVarve : Who::kRocksDb;
  };
  if (who(turn.writer) != witness->writer) witness->foreign_file = witness->newest_file;
  if (turn.at_work == nullptr) witness->session = step;  // What was in memory is in files.
  witness->writer = who(turn.writer);
  witness->at_work = who(turn.at_work);
}

struct Play {
  Cast cast = Cast::kBoth;
  Who forgetful = Who::kNobody;
};

Left Run(uint64_t seed, const Command& command, const Play& play) {
  Left left{.path = PathOf(seed)};
  RemoveAll(left.path);
  Witness* const witness = SharedWitness();
  *witness = Witness();
  left.fine = InChild([&] {
    mix::VarveKind varve(NativeEnvironment(), /*newest_tables=*/false);
    RocksDbKind rocksdb;
    mix::EngineKind* other = &rocksdb;
    if (play.cast == Cast::kBoth) other = &varve;
    const mix::EngineKind* forgetful = nullptr;
    if (play.forgetful == Who::kVarve) forgetful = &varve;
    if (play.forgetful == Who::kRocksDb) forgetful = &rocksdb;
    const auto between = [&](Mix& mix) {
      witness->newest_file = NewestFile(left.path);
      if (play.cast == Cast::kRocksDbAlone) return Trouble();
      if (Trouble trouble = Examine(left.path, mix); !trouble.empty()) return trouble;
      return mix.step() % kStepsARepair == 0 ? CheckRepaired(left.path, &mix) : Trouble();
    };
    const auto on_turn = [&](const mix::Turn& turn) {
      NoteTurn(turn, &varve, witness->step, witness);
    };
    // Never destroyed: what fails is not to be closed.
    auto* mix = new Mix(seed, {.engines = {other, &rocksdb},
                               .path = left.path,
                               .steps = command.ops,
                               .single_deletes = mix::SingleDeletes::kRocksDb,
                               .trace = command.trace,
                               .before_step = [&](uint64_t step) { witness->step = step; },
                               .on_turn = on_turn,
                               .between_engines = between,
                               .forgetful = forgetful});
    const Trouble trouble = mix->Run();
    trouble.copy(witness->trouble.data(), witness->trouble.size() - 1);
    if (command.trace) std::fprintf(stderr, "%s\n", mix->Counts().c_str());
    return trouble.empty();
  });
  left.witness = *witness;
  RemoveBeside(left.path);
  if (left.fine) std::filesystem::remove_all(left.path);
  return left;
}

// What a seed has written when its first `steps` steps are done.
struct Written {
  mix::Moment right;
  std::vector<mix::Group> unlogged = {};  // In the last session: lost, maybe, with the process.
};

Written WrittenAfter(uint64_t seed, const replay::Kept& steps, uint64_t session) {
  Mix mix(seed, Plan{.engines = {},
                     .path = {},
                     .steps = steps,
                     .single_deletes = mix::SingleDeletes::kRocksDb});
  mix.Run();
  Written written = {.right = mix.now()};
  for (const mix::UnloggedGroup& unlogged : mix.unlogged_groups()) {
    if (unlogged.step >= session) written.unlogged.push_back(unlogged.group);
  }
  return written;
}

// The step that failed is done or not.
std::array<Written, 2> MayBeWritten(uint64_t seed, const Command& command, const Witness& witness) {
  return {WrittenAfter(seed, command.ops.Before(witness.step), witness.session),
          WrittenAfter(seed, command.ops.Before(witness.step + 1), witness.session)};
}

bool IsRefusal(const Trouble& trouble) {
  return trouble.find("corruption: ") != Trouble::npos ||
         trouble.find("not_supported: ") != Trouble::npos;
}

State StateFor(mix::EngineKind* engine, const std::string& path, const Written& written) {
  const Reading read = ReadWith(engine, path, written.right);
  if (IsRefusal(read.trouble)) return State::kRefused;
  const Trouble wrong = read.trouble.empty()
                            ? Difference(read.contents, written.right, written.unlogged)
                            : read.trouble;
  if (wrong.empty()) return State::kRight;
  std::fprintf(stderr, "%s reads: %s\n", std::string(engine->name()).c_str(), wrong.c_str());
  if (!read.trouble.empty()) return State::kWrong;
  const Reading stored = ReadStored(path, written.right);
  const Trouble other =
      stored.trouble.empty() ? Difference(read.contents, stored.contents, {}) : stored.trouble;
  if (other.empty()) return State::kLost;
  std::fprintf(stderr, "but of what is stored: %s\n", other.c_str());
  return State::kWrong;
}

State StateFor(Who who, uint64_t seed, const Command& command, const Left& left) {
  State* const state = &SharedWitness()->state;
  *state = State::kWrong;  // Also of one that does not survive.
  InChild([&] {
    mix::VarveKind varve(NativeEnvironment(), /*newest_tables=*/false);
    RocksDbKind rocksdb;
    mix::EngineKind* engine = &rocksdb;
    if (who == Who::kVarve) engine = &varve;
    for (const Written& written : MayBeWritten(seed, command, left.witness)) {
      *state = std::min(*state, StateFor(engine, left.path, written));
      if (*state == State::kRight) break;
    }
    return true;
  });
  return *state;
}

bool NamesForeignFile(const Witness& witness) {
  return std::ranges::any_of(FilesIn(witness.trouble.data()),
                             [&](uint64_t number) { return number <= witness.foreign_file; });
}

bool IsRocksDbs(uint64_t seed, const Command& command, const Left& left) {
  const Witness& witness = left.witness;
  if (witness.writer == Who::kVarve) return false;
  if (witness.at_work == Who::kRocksDb) return !NamesForeignFile(witness);
  return witness.writer == Who::kRocksDb &&
         StateFor(Who::kRocksDb, seed, command, left) != State::kRight;
}

enum class Verdict { kFine, kReadRight, kRefused, kLost, kFault };

// The directory that RocksDB's fault left.
Verdict JudgeWreck(uint64_t seed, const Command& command, const Left& left) {
  switch (StateFor(Who::kVarve, seed, command, left)) {
    case State::kRight:
      return Verdict::kReadRight;
    case State::kRefused:
      return Verdict::kRefused;
    case State::kLost:
      return Verdict::kLost;
    case State::kWrong:
      break;
  }
  return Verdict::kFault;
}

Verdict Judge(uint64_t seed, const Command& command, const Left& left) {
  if (left.fine) return Verdict::kFine;
  std::fprintf(stderr, "%s\n", left.witness.trouble.data());
  if (!IsRocksDbs(seed, command, left)) return Verdict::kFault;
  const Verdict verdict = JudgeWreck(seed, command, left);
  if (verdict == Verdict::kFault) std::fprintf(stderr, "varve reads wrongly what RocksDB left\n");
  return verdict;
}

// Prints what is not fine. The directory of a fault is kept.
Verdict RunAndTell(uint64_t seed, const Command& command) {
  const std::string line = "interop_fuzz --seed=" + std::to_string(seed) + " ";
  replay::At(line + command.ops.Option());
  const Left left = Run(seed, command, {});
  const Verdict verdict = Judge(seed, command, left);
  if (verdict == Verdict::kFine) return verdict;
  const auto words = [&]() -> std::string {
    switch (verdict) {
      case Verdict::kReadRight:
        return "RocksDB's own fault; varve reads what was written";
      case Verdict::kRefused:
        return "RocksDB's own fault; varve refuses what it left";
      case Verdict::kLost:
        return "RocksDB's own fault; it has lost what is missing";
      default:
        return "FAULT; the directory is kept: " + left.path;
    }
  };
  std::fprintf(stderr, "%s\n", words().c_str());
  if (verdict == Verdict::kFault) {
    replay::Print(line + command.ops.Before(left.witness.step + 1).Option());
  }
  if (verdict != Verdict::kFault) RemoveAll(left.path);
  return verdict;
}

// Who forgets writes is found out. Once the other may have a fault, too: RocksDB has some.
bool FindsOut(Who forgetful) {
  std::fprintf(stderr, "trial: %s forgets writes\n",
               forgetful == Who::kVarve ? "varve" : "rocksdb");
  constexpr uint64_t kSeeds = 8;
  uint64_t right = 0, wrong = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Command command = {.ops = replay::Kept(120)};
    const Left left = Run(seed, command, {.forgetful = forgetful});
    const bool rocksdbs = !left.fine && IsRocksDbs(seed, command, left);
    if (!left.fine) ++(rocksdbs == (forgetful == Who::kRocksDb) ? right : wrong);
    RemoveAll(left.path);
  }
  if (right >= 3 && wrong <= 1) return true;
  std::fprintf(stderr, "when %s forgets writes, it is blamed for %llu of %llu faults\n",
               forgetful == Who::kVarve ? "varve" : "rocksdb",
               static_cast<unsigned long long>(right),
               static_cast<unsigned long long>(right + wrong));
  return false;
}

int RunAlone(const mix::Seeds& seeds, const Command& command) {
  uint64_t faults = 0;
  for (uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    const Left left = Run(seed, command, {.cast = Cast::kRocksDbAlone});
    if (left.fine) continue;
    ++faults;
    std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed),
                 left.witness.trouble.data());
    RemoveAll(left.path);
  }
  std::printf("%llu seeds, %llu faults of RocksDB alone\n",
              static_cast<unsigned long long>(seeds.count),
              static_cast<unsigned long long>(faults));
  return 0;
}

int Main(int argc, char** argv) {
  if (mix::HasUnknownArgument(
          argc, argv,
          {"--seed=", "--first=", "--seeds=", "--ops=", "--keep=", "--alone", "--trace"})) {
    return 2;
  }
  const mix::Seeds seeds(argc, argv, 60);
  const Command command = {
      .ops = replay::Kept(argc, argv, mix::Argument(argc, argv, "--ops", 1000)),
      .trace = mix::HasFlag(argc, argv, "--trace")};
  if (!command.ops.ok()) return 2;
  if (mix::HasFlag(argc, argv, "--alone")) return RunAlone(seeds, command);
  const bool one = seeds.count == 1;
  const bool varve_is_found_out = one || FindsOut(Who::kVarve);
  const bool rocksdb_is_found_out = one || FindsOut(Who::kRocksDb);
  std::array<uint64_t, 5> counts = {};
  for (uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    ++counts[static_cast<size_t>(RunAndTell(seed, command))];
  }
  const auto count = [&](Verdict verdict) {
    return static_cast<unsigned long long>(counts[static_cast<size_t>(verdict)]);
  };
  const unsigned long long of_rocksdb =
      count(Verdict::kReadRight) + count(Verdict::kRefused) + count(Verdict::kLost);
  std::printf(
      "%llu seeds, %llu faults; %llu of RocksDB's own: %llu read right, %llu refused, %llu "
      "lost\n",
      static_cast<unsigned long long>(seeds.count), count(Verdict::kFault), of_rocksdb,
      count(Verdict::kReadRight), count(Verdict::kRefused), count(Verdict::kLost));
  const bool too_many = of_rocksdb > 2 + seeds.count / 10;
  if (too_many) std::printf("too many to be RocksDB's own\n");
  const bool fine = count(Verdict::kFault) == 0 && !too_many;
  return fine && varve_is_found_out && rocksdb_is_found_out ? 0 : 1;
}

}  // namespace
}  // namespace varve::interop

int main(int argc, char** argv) { return varve::interop::Main(argc, argv); }
