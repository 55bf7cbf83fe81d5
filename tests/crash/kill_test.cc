// SPDX-License-Identifier: Apache-2.0
// kill -9 at random moments of writing, flushing, compacting, recovering and loading.
//   kill_tests --cycles=500 --seed=1
// The process that is killed is this program again, as `kill_tests --write DB SEED LEDGER`: a fork
// alone would lack the threads of the parent's executor.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/inspect/verify/verify.h"
#include "tests/crash/ledger.h"
#include "tests/replay/replay.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve::crash {
namespace {

int g_cycles = 500;
uint64_t g_seed = 1;
std::string g_varve;  // The command-line program.

// Small enough that flushes, compactions, MANIFEST rolls and stalls happen all the time.
Options BusyOptions(uint64_t seed) {
  Options options;
  options.create_if_missing = true;
  options.max_manifest_file_size = seed % 3 == 0 ? 512 : 1 << 20;
  options.max_subcompactions = seed % 4 == 0 ? 2 : 1;
  options.family.write_buffer_size = 16 << 10;
  options.family.level0_file_num_compaction_trigger = 2;
  options.family.max_bytes_for_level_base = 64 << 10;
  options.family.target_file_size_base = 16 << 10;
  return options;
}

// In the child: writes until killed. Every second writer syncs.
[[noreturn]] void WriteForever(const std::string& path, uint64_t seed, Ledger* ledger) {
  auto opened = DB::Open(BusyOptions(seed), path);
  if (!opened.ok()) {
    fprintf(stderr, "child: %s\n", opened.status().ToString().c_str());
    ledger->failed = true;
    _exit(1);
  }
  DB& db = **opened;
  if (!db.FindFamily("other") && !db.CreateColumnFamily("other", BusyOptions(seed).family).ok()) {
    ledger->failed = true;
    _exit(1);
  }
  ledger->opened = true;
  std::vector<std::thread> threads;
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] {
      Ledger::Writer& writer = ledger->writers[w];
      for (uint64_t n = writer.issued + 1;; ++n) {
        writer.issued = n;
        const Durability mode = w % 2 == 0 ? Durability::kBuffered : Durability::kSync;
        if (Status s = db.Write({.durability = mode}, MakeBatch(db, w, n)); !s.ok()) {
          fprintf(stderr, "child: %s\n", s.ToString().c_str());
          ledger->failed = true;
          _exit(1);
        }
        writer.acknowledged = n;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  _exit(0);
}

// Starts a program; words[0] is its path.
pid_t Start(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execv(argv[0], argv.data());
    _exit(127);
  }
  return child;
}

TEST_CASE("no acknowledged write is lost and no batch is torn by kill -9") {
  std::mt19937_64 random(g_seed);
  // kill(2) loses no page cache, so a disk would add nothing but time.
  std::optional<ScratchDirectory> scratch;
  Ledger* ledger = nullptr;
  uint64_t acknowledged_in_all = 0;
  for (int cycle = 0; cycle < g_cycles; ++cycle) {
    CAPTURE(cycle);
    if (cycle % 25 == 0) {  // A fresh database now and then, so that creation is killed too.
      scratch.emplace(ScratchDirectory::kMemory);
      ledger = Ledger::Map(*scratch / "ledger");
      REQUIRE(ledger != nullptr);
    }
    ledger->opened = false;
    const std::string db_path = *scratch / "db";
    const uint64_t options_seed = random();
    const pid_t child = Start(
        {"/proc/self/exe", "--write", db_path, std::to_string(options_seed), *scratch / "ledger"});
    // At any moment; a third early, during creation or recovery.
    usleep(static_cast<useconds_t>(random() % (cycle % 3 == 0 ? 4000 : 60000)));  // pause: random
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    REQUIRE_FALSE(ledger->failed);

    if (!std::filesystem::exists(db_path + "/CURRENT")) {
      for (const Ledger::Writer& writer : ledger->writers) REQUIRE(writer.acknowledged == 0);
      continue;
    }
    for (const Ledger::Writer& writer : ledger->writers) {
      acknowledged_in_all += writer.acknowledged;
    }
    if (cycle % 10 == 0) {
      const auto report = VerifyDatabase(*NativeEnvironment().file_system, db_path, nullptr);
      REQUIRE_MESSAGE(report.ok(), report.status().ToString());
      for (const Finding& finding : report->findings) {
        CHECK_MESSAGE(finding.severity == Finding::Severity::kWarning,
                      (finding.file + ": " + finding.what));
      }
    }
    // Read-only half of the time: recovery into memory and recovery with a flush must agree.
    Options options = BusyOptions(options_seed);
    options.family.disable_auto_compactions = true;
    auto db = cycle % 2 == 0 ? DB::OpenReadOnly(options, db_path) : DB::Open(options, db_path);
    REQUIRE_MESSAGE(db.ok(), db.status().ToString());
    const std::string wrong = CheckAgainst(**db, ledger);
    REQUIRE_MESSAGE(wrong.empty(), wrong);
  }
  printf("%d kills, %llu acknowledged writes checked\n", g_cycles,
         static_cast<unsigned long long>(acknowledged_in_all));
  CHECK(acknowledged_in_all > static_cast<uint64_t>(g_cycles));
}

TEST_CASE("a killed load leaves the database as it was, and can be repeated") {
  const ScratchDirectory scratch(ScratchDirectory::kMemory);
  const std::string input = scratch / "input.tsv", db = scratch / "db";
  constexpr int kRecords = 60000;
  {
    std::ofstream out(input);
    for (int i = 0; i < kRecords; ++i) {
      out << "key" << (i * 7919) % kRecords << '\t' << "value" << i << '\n';
    }
  }
  const auto run = [&](const std::vector<std::string>& words, int kill_after_us) {
    const pid_t child = Start(words);
    if (kill_after_us >= 0) {
      usleep(static_cast<useconds_t>(kill_after_us));  // pause: random
      kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  };
  std::mt19937_64 random(g_seed);
  int killed = 0;
  for (int cycle = 0; cycle < g_cycles / 20; ++cycle) {
    CAPTURE(cycle);
    std::filesystem::remove_all(db);
    const bool sorted_in_pieces = cycle % 2 == 0;
    const int status =
        run({g_varve, "load", "-q", db, input, "--mem", sorted_in_pieces ? "1M" : "64M"},
            static_cast<int>(random() % 150000));
    killed += WIFSIGNALED(status) ? 1 : 0;
    uint64_t found = 0;
    if (std::filesystem::exists(db + "/CURRENT")) {
      auto opened = DB::OpenReadOnly({}, db);
      REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
      auto it = (*opened)->NewIterator({});
      REQUIRE(it.ok());
      for (it->SeekToFirst(); it->Valid(); it->Next()) ++found;
      REQUIRE(it->status().ok());
    }
    const bool all_or_nothing = found == 0 || found == kRecords;
    REQUIRE_MESSAGE(all_or_nothing, found);
    const int repeated = run({g_varve, "load", "-q", db, input}, -1);
    REQUIRE(WIFEXITED(repeated));
    REQUIRE(WEXITSTATUS(repeated) == 0);
  }
  CHECK(killed > 0);
}

// Tables of two families, to be moved into a database that has both.
class Ingestion {
 public:
  static constexpr uint64_t kTables = 4, kRecords = 8000;  // Of each family.

  explicit Ingestion(const std::string& directory) : directory_(directory) {
    std::filesystem::create_directory(directory_ + "/made");
    for (const std::string& family : kFamilies) {
      for (uint64_t i = 0; i < kTables; ++i) Make(family + std::to_string(i), i);
    }
  }
  // A new database, and the tables beside it. Returns the command.
  std::vector<std::string> Prepare() const {
    std::filesystem::remove_all(db());
    std::filesystem::remove_all(directory_ + "/in");
    std::filesystem::copy(directory_ + "/made", directory_ + "/in");
    Options options;
    options.create_if_missing = true;
    auto opened = DB::Open(options, db());
    REQUIRE(opened.ok());
    std::vector<std::string> words = {g_varve, "ingest", "-q", "--move", db()};
    for (const std::string& family : kFamilies) {
      REQUIRE((*opened)->CreateColumnFamily(family, {}).ok());
      words.insert(words.end(), {"--cf", family});
      for (uint64_t i = 0; i < kTables; ++i) words.push_back(In(family, i));
    }
    REQUIRE((*opened)->Close().ok());
    return words;
  }
  // Opens the database. True if all was added, false if nothing was; all else fails.
  bool Added() const {
    auto opened = DB::Open({}, db());
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    std::vector<uint64_t> found;
    uint64_t live = 0, tables = 0;
    for (const std::string& family : kFamilies) {
      const ColumnFamilyId id = (*opened)->FindFamily(family).value();
      auto it = (*opened)->NewIterator({}, id);
      REQUIRE(it.ok());
      uint64_t& records = found.emplace_back(0);
      for (it->SeekToFirst(); it->Valid(); it->Next()) ++records;
      REQUIRE(it->status().ok());
      live += (*opened)->LiveFiles(id)->size();
    }
    const bool added = found[0] > 0;
    const uint64_t right = added ? kTables * kRecords : 0;
    const bool same = found == std::vector<uint64_t>{right, right};
    const std::string counts = std::to_string(found[0]) + " and " + std::to_string(found[1]);
    REQUIRE_MESSAGE(same, counts);
    for (const auto& entry : std::filesystem::directory_iterator(db())) {
      tables += entry.path().extension() == ".sst" ? 1 : 0;
    }
    REQUIRE(tables == live);
    for (const std::string& family : kFamilies) {
      for (uint64_t i = 0; i < kTables && !added; ++i) {
        REQUIRE(std::filesystem::exists(In(family, i)));
      }
    }
    return added;
  }

 private:
  inline static const std::vector<std::string> kFamilies = {"users", "orders"};

  std::string db() const { return directory_ + "/db"; }
  std::string In(const std::string& family, uint64_t i) const {
    return directory_ + "/in/" + family + std::to_string(i);
  }
  void Make(const std::string& name, uint64_t part) const {
    auto writer = SstFileWriter::Create({}, {}, directory_ + "/made/" + name);
    REQUIRE(writer.ok());
    for (uint64_t i = 0; i < kRecords; ++i) {
      REQUIRE(writer->Put(std::to_string(1000000 + part * kRecords + i), name).ok());
    }
    REQUIRE(writer->Finish().ok());
  }

  const std::string directory_;
};

TEST_CASE("A killed ingestion added all tables of all families or none, and left no file behind") {
  const ScratchDirectory scratch(ScratchDirectory::kMemory);
  const Ingestion ingestion(scratch.path());
  std::chrono::duration<double, std::micro> took;
  const auto run = [&](std::optional<useconds_t> kill_after) {
    const std::vector<std::string> words = ingestion.Prepare();
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = Start(words);
    if (kill_after) {
      usleep(*kill_after);  // pause: random
      kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    took = std::chrono::steady_clock::now() - begin;
    return status;
  };
  REQUIRE(run({}) == 0);
  REQUIRE(ingestion.Added());
  const auto whole = static_cast<uint64_t>(took.count());
  std::mt19937_64 random(g_seed);
  int killed = 0;
  for (int cycle = 0; cycle < g_cycles / 10; ++cycle) {
    CAPTURE(cycle);
    const int status = run(static_cast<useconds_t>(random() % (whole + 1)));
    killed += WIFSIGNALED(status) ? 1 : 0;
    const bool added = ingestion.Added();
    const bool whole_or_killed = added || WIFSIGNALED(status);
    REQUIRE(whole_or_killed);
  }
  CHECK(killed > 0);
}

}  // namespace
}  // namespace varve::crash

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "--write") {
    varve::crash::Ledger* ledger = varve::crash::Ledger::Map(argv[4]);
    if (ledger == nullptr) return 1;
    varve::crash::WriteForever(argv[2], std::strtoull(argv[3], nullptr, 10), ledger);
  }
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--cycles=")) varve::crash::g_cycles = std::atoi(word.c_str() + 9);
    if (word.starts_with("--varve=")) varve::crash::g_varve = word.substr(8);
    if (word.starts_with("--seed="))
      varve::crash::g_seed = std::strtoull(word.c_str() + 7, nullptr, 10);
  }
  doctest::Context context(argc, argv);
  const int result = context.run();
  if (result != 0) {
    varve::replay::Print("kill --seed=" + std::to_string(varve::crash::g_seed) +
                         " --cycles=" + std::to_string(varve::crash::g_cycles));
  }
  return result;
}
