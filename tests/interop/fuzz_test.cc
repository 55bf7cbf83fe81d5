// SPDX-License-Identifier: Apache-2.0
// Varve and RocksDB 7.8.3 take turns on one directory, in the mix of random operations (tests/mix),
// against a model. Now and then, between two turns, a repair of the directory must find nothing to
// repair: RocksDB reads in the result what was written.
//
//   interop_fuzz_test [--first=N] [--seeds=N] [--ops=N] [--alone] [--trace]
//
// RocksDB is not without faults itself. So when a seed fails, the same seed is run with RocksDB in
// both roles: the same operations at the same steps. If that fails, too, the fault is RocksDB's: it
// is counted and printed. The directories that both runs leave are then read by Varve, whose answer
// must be what was written, or a refusal (corruption, not supported), or what RocksDB reads there, too:
// then it has lost the rest. (It does so where an ingested table has a range deletion that ends with
// the table's last key, and a compaction splits it.) If RocksDB alone is fine in
// kReplays runs, whose threads may each go another way, the fault is held to be ours.
//
// Each run is a process of its own: RocksDB aborts on a directory that it does not like.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <string>

#include "core/repair/database_repair.h"
#include "tests/interop/rocksdb_kind.h"
#include "tests/mix/arguments.h"
#include "tests/mix/mix.h"
#include "tests/mix/varve_kind.h"

namespace varve::interop {
namespace {

using mix::Mix;
using mix::Plan;
using mix::Trouble;

constexpr int kReplays = 5;
constexpr uint64_t kStepsARepair = 3;  // Of the reopenings, one of so many.
constexpr unsigned kSecondsMax = 300;  // For one seed; a run takes less than one.

struct Command {
  uint64_t ops = 0;
  bool trace = false;
};

// What a run leaves for its parent.
struct Left {
  bool fine = false;
  std::string path;
  uint64_t step = 0;  // The one that it did not survive.
};

enum class Cast { kBoth, kRocksDbAlone };

// A page that a process and its children share.
std::atomic<uint64_t>* SharedStep() {
  static std::atomic<uint64_t>* const step = [] {
    void* page = mmap(nullptr, sizeof(std::atomic<uint64_t>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) std::abort();
    return new (page) std::atomic<uint64_t>(0);
  }();
  return step;
}

// Whether `run` returned true in a child of its own.
bool InChild(const std::function<bool()>& run) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
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

std::string PathOf(uint64_t seed, Cast cast, int run) {
  const std::string base = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
  return base + "/varve-fuzz-" + std::to_string(getpid()) + "-" + std::to_string(seed) +
         (cast == Cast::kBoth ? "-both" : "-alone") + std::to_string(run);
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

Left Run(uint64_t seed, const Command& command, Cast cast, int run = 0) {
  Left left{.path = PathOf(seed, cast, run)};
  std::filesystem::remove_all(left.path);
  left.fine = InChild([&] {
    mix::VarveKind varve(NativeEnvironment(), /*newest_tables=*/false);
    RocksDbKind rocksdb;
    mix::EngineKind* other = &rocksdb;
    if (cast == Cast::kBoth) other = &varve;
    const auto repair = [&](Mix& mix) {
      const bool now = cast == Cast::kBoth && mix.step() % kStepsARepair == 0;
      return now ? CheckRepaired(left.path, &mix) : Trouble();
    };
    // Never destroyed: what fails is not to be closed.
    auto* mix = new Mix(seed, {.engines = {other, &rocksdb},
                               .path = left.path,
                               .steps = command.ops,
                               .single_deletes = mix::SingleDeletes::kRocksDb,
                               .trace = command.trace,
                               .before_step = [](uint64_t step) { *SharedStep() = step; },
                               .between_engines = repair});
    const Trouble trouble = mix->Run();
    if (!trouble.empty()) std::fprintf(stderr, "%s\n", trouble.c_str());
    if (command.trace) std::fprintf(stderr, "%s\n", mix->Counts().c_str());
    return trouble.empty();
  });
  left.step = *SharedStep();
  if (left.fine) std::filesystem::remove_all(left.path);
  return left;
}

// What the first `steps` steps of a seed make of an empty database.
std::unique_ptr<Mix> ModelAfter(uint64_t seed, uint64_t steps) {
  auto mix = std::make_unique<Mix>(seed, Plan{.engines = {},
                                              .path = {},
                                              .steps = steps,
                                              .single_deletes = mix::SingleDeletes::kRocksDb});
  mix->Run();
  return mix;
}

bool IsRefusal(const Trouble& trouble) {
  return trouble.find("corruption: ") != Trouble::npos ||
         trouble.find("not_supported: ") != Trouble::npos;
}

Trouble ReadWithVarve(const std::string& path, Mix* model) {
  mix::VarveKind varve(NativeEnvironment(), /*newest_tables=*/false);
  std::unique_ptr<mix::Database> database;
  Trouble trouble = OpenReadOnly(&varve, path, *model, &database);
  return trouble.empty() ? model->Check(database.get(), path) : trouble;
}

// What each of them reads, in order; or the trouble in doing so.
std::string Contents(mix::EngineKind* engine, const std::string& path, const Mix& model) {
  std::unique_ptr<mix::Database> database;
  if (Trouble trouble = OpenReadOnly(engine, path, model, &database); !trouble.empty()) {
    return trouble;
  }
  std::string contents;
  for (const std::string& family : model.Families()) {
    std::unique_ptr<mix::Cursor> cursor;
    if (Trouble trouble = database->NewCursor(family, {}, nullptr, &cursor); !trouble.empty()) {
      return trouble;
    }
    contents += "family " + family + "\n";
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      contents.append(cursor->key()).append(" ").append(cursor->value()).append("\n");
    }
    contents += cursor->trouble();
  }
  return contents;
}

bool RocksDbReadsTheSame(const std::string& path, const Mix& model) {
  return InChild([&] {
    mix::VarveKind varve(NativeEnvironment(), /*newest_tables=*/false);
    RocksDbKind rocksdb;
    return Contents(&varve, path, model) == Contents(&rocksdb, path, model);
  });
}

// The step that failed is done or not.
bool VarveReadsOrRefuses(uint64_t seed, const Left& left) {
  return InChild([&] {
    const auto before = ModelAfter(seed, left.step), after = ModelAfter(seed, left.step + 1);
    const Trouble without = ReadWithVarve(left.path, before.get());
    const Trouble with = without.empty() ? "" : ReadWithVarve(left.path, after.get());
    if (without.empty() || with.empty() || IsRefusal(without)) return true;
    std::fprintf(stderr, "varve reads, before that step: %s\n  or after it: %s\n", without.c_str(),
                 with.c_str());
    return RocksDbReadsTheSame(left.path, *before) || RocksDbReadsTheSame(left.path, *after);
  });
}

enum class Verdict { kFine, kFaultOfRocksDb, kFault };

// RocksDB's fault leaves nothing behind that Varve reads wrongly.
Verdict JudgeBoth(uint64_t seed, const Left& both, const Left& alone) {
  for (const Left* left : {&both, &alone}) {
    if (VarveReadsOrRefuses(seed, *left)) continue;
    std::fprintf(stderr, "RocksDB's fault, but the directory is read wrongly: %s\n",
                 left->path.c_str());
    return Verdict::kFault;
  }
  for (const Left* left : {&both, &alone}) std::filesystem::remove_all(left->path);
  return Verdict::kFaultOfRocksDb;
}

Verdict Judge(uint64_t seed, const Command& command) {
  const Left both = Run(seed, command, Cast::kBoth);
  if (both.fine) return Verdict::kFine;
  std::fprintf(stderr, "the same with RocksDB alone:\n");
  for (int run = 0; run < kReplays; ++run) {
    const Left alone = Run(seed, command, Cast::kRocksDbAlone, run);
    if (!alone.fine) return JudgeBoth(seed, both, alone);
  }
  std::fprintf(stderr, "RocksDB alone is fine; the directory is kept: %s\n", both.path.c_str());
  return Verdict::kFault;
}

void Tell(uint64_t seed, const Command& command, Verdict verdict) {
  if (verdict == Verdict::kFine) return;
  std::fprintf(stderr, "%s\nreplay: interop_fuzz_test --first=%llu --seeds=1 --ops=%llu\n\n",
               verdict == Verdict::kFault ? "FAULT" : "RocksDB's own fault",
               static_cast<unsigned long long>(seed), static_cast<unsigned long long>(command.ops));
}

int Main(int argc, char** argv) {
  const uint64_t first = mix::Argument(argc, argv, "--first", 1);
  const uint64_t seeds = mix::Argument(argc, argv, "--seeds", 60);
  const Command command = {.ops = mix::Argument(argc, argv, "--ops", 1000),
                           .trace = mix::HasFlag(argc, argv, "--trace")};
  const bool alone = mix::HasFlag(argc, argv, "--alone");
  uint64_t of_rocksdb = 0, faults = 0;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    if (alone) {
      of_rocksdb += !Run(seed, command, Cast::kRocksDbAlone).fine;
      continue;
    }
    const Verdict verdict = Judge(seed, command);
    Tell(seed, command, verdict);
    of_rocksdb += verdict == Verdict::kFaultOfRocksDb;
    faults += verdict == Verdict::kFault;
  }
  std::printf("%llu seeds, %llu faults, and %llu of RocksDB alone\n",
              static_cast<unsigned long long>(seeds), static_cast<unsigned long long>(faults),
              static_cast<unsigned long long>(of_rocksdb));
  return faults == 0 ? 0 : 1;
}

}  // namespace
}  // namespace varve::interop

int main(int argc, char** argv) { return varve::interop::Main(argc, argv); }
