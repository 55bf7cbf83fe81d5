// SPDX-License-Identifier: Apache-2.0
// Databases exchanged with RocksDB, both ways, under random options and hostile keys.
//   interop_tests --seeds=200 --first=1        how many random databases, from which seed
//   interop_tests --seed=17                    that one
// A seed that fails prints the line that replays it (tests/replay).
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "tests/interop/engines.h"
#include "tests/replay/replay.h"
#include "tests/scratch_directory.h"
#include "varve/db.h"

namespace varve::interop {
namespace {

int g_seeds = 60;
int g_first = 1;

// That of a loop, which a failed REQUIRE leaves.
class SeedAtWork {
 public:
  explicit SeedAtWork(int seed) : line_("interop --seed=" + std::to_string(seed)) {
    replay::At(line_);
  }
  ~SeedAtWork() {
    if (std::uncaught_exceptions() > 0) replay::Print(line_);
    replay::LeaveToParent();
  }
  SeedAtWork(const SeedAtWork&) = delete;
  SeedAtWork& operator=(const SeedAtWork&) = delete;

 private:
  const std::string line_;
};

std::vector<std::string> Families(uint64_t seed) {
  if (seed % 3 == 0) return {"default", "second", "third/with a: strange name"};
  if (seed % 3 == 1) return {"default"};
  return {"default", "second"};
}

Session SessionOf(uint64_t seed) {
  return {.seed = seed,
          .groups = 100 + static_cast<int>(seed % 7) * 60,
          .huge = seed % 10 == 0,
          .compact = seed % 4 == 0};
}

#define REQUIRE_FINE(expression)          \
  do {                                    \
    const std::string why = (expression); \
    REQUIRE_MESSAGE(why.empty(), why);    \
  } while (false)

// What `write` writes with each seed, each of `readers` finds.
void CheckIsFound(decltype(&WriteWithVarve) write,
                  const std::vector<decltype(&ReadWithVarve)>& readers) {
  for (int seed = g_first; seed < g_first + g_seeds; ++seed) {
    const SeedAtWork at_work(seed);
    const ScratchDirectory scratch(ScratchDirectory::kMemory);
    const std::string db = scratch / "db";
    OperationSource source(seed, Families(seed), SessionOf(seed).huge);
    Contents expected;
    std::string described;
    CAPTURE(seed);
    REQUIRE_FINE(write(db, Families(seed), SessionOf(seed), &source, &expected, &described));
    CAPTURE(described);
    for (const auto read : readers) {
      Contents found;
      REQUIRE_FINE(read(db, &found));
      REQUIRE_FINE(Difference(expected, found));
    }
  }
}

TEST_CASE("RocksDB reads what varve wrote") {
  CheckIsFound(WriteWithVarve, {ReadWithRocksDb, ReadWithVarve});
}

TEST_CASE("varve reads what RocksDB wrote") { CheckIsFound(WriteWithRocksDb, {ReadWithVarve}); }

TEST_CASE("ten rounds of ping-pong leave equal contents") {
  for (int seed = g_first; seed < g_first + (g_seeds + 9) / 10; ++seed) {
    const SeedAtWork at_work(seed);
    const ScratchDirectory scratch(ScratchDirectory::kMemory);
    const std::string db = scratch / "db";
    const std::vector<std::string> families = Families(seed);
    OperationSource source(seed, families, false);
    Contents expected;
    for (int round = 0; round < 10; ++round) {
      Session session = SessionOf(static_cast<uint64_t>(seed) * 100 + round);
      session.huge = false;
      session.compact = round % 3 == 2;
      std::string described;
      CAPTURE(seed);
      CAPTURE(round);
      if (round % 2 == 0) {
        REQUIRE_FINE(WriteWithVarve(db, families, session, &source, &expected, &described));
      } else {
        REQUIRE_FINE(WriteWithRocksDb(db, families, session, &source, &expected, &described));
      }
      CAPTURE(described);
      Contents theirs, ours;
      REQUIRE_FINE(ReadWithVarve(db, &ours));
      REQUIRE_FINE(Difference(expected, ours));
      REQUIRE_FINE(ReadWithRocksDb(db, &theirs));
      REQUIRE_FINE(Difference(expected, theirs));
    }
  }
}

// "0x6B31 : 0x7631" lines of `ldb scan --hex`.
Family ParseLdbScan(const std::string& output) {
  const auto unhex = [](const std::string& text) {
    std::string bytes;
    for (size_t i = 2; i + 1 < text.size(); i += 2) {
      bytes.push_back(static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16)));
    }
    return bytes;
  };
  Family family;
  for (size_t at = 0; at < output.size();) {
    const size_t end = output.find('\n', at);
    const std::string line = output.substr(at, end - at);
    const size_t colon = line.find(" : ");
    if (colon != std::string::npos && line.starts_with("0x")) {
      family[unhex(line.substr(0, colon))] = unhex(line.substr(colon + 3));
    }
    at = end == std::string::npos ? output.size() : end + 1;
  }
  return family;
}

// What random groups leave of one family: records for a table.
Family RandomRecords(uint64_t seed) {
  OperationSource source(seed, {"default"}, seed % 10 == 0);
  Contents contents;
  for (int i = 0; i < 300; ++i) OperationSource::Apply(source.Next(), &contents);
  return contents["default"];
}

TEST_CASE("tables made outside are taken over by the other engine") {
  for (int seed = g_first; seed < g_first + g_seeds; ++seed) {
    const SeedAtWork at_work(seed);
    const ScratchDirectory scratch(ScratchDirectory::kMemory);
    CAPTURE(seed);
    const Family older = RandomRecords(seed), newer = RandomRecords(seed + 100000);
    REQUIRE_FALSE(older.empty());
    Family both = newer;
    both.insert(older.begin(), older.end());
    REQUIRE_FINE(BuildTableWithVarve(scratch / "ours", seed, older));
    REQUIRE_FINE(BuildTableWithRocksDb(scratch / "theirs", seed, newer));
    // Each engine takes the other's table first or last.
    for (const bool varve_ingests : {true, false}) {
      const std::string db = scratch / (varve_ingests ? "a" : "b");
      const auto ingest = varve_ingests ? IngestWithVarve : IngestWithRocksDb;
      REQUIRE_FINE(ingest(db, scratch / "ours"));
      REQUIRE_FINE(ingest(db, scratch / "theirs"));
      Contents ours, theirs;
      REQUIRE_FINE(ReadWithVarve(db, &ours));
      REQUIRE_FINE(Difference({{"default", both}}, ours));
      REQUIRE_FINE(ReadWithRocksDb(db, &theirs));
      REQUIRE_FINE(Difference({{"default", both}}, theirs));
    }
  }
}

TEST_CASE("checkpoints of one engine are databases to the other") {
  for (int seed = g_first; seed < g_first + (g_seeds + 4) / 5; ++seed) {
    const SeedAtWork at_work(seed);
    for (const bool varve_copies : {true, false}) {
      const ScratchDirectory scratch(ScratchDirectory::kMemory);
      CAPTURE(seed);
      CAPTURE(varve_copies);
      const std::string db = scratch / "db", copy = scratch / "copy";
      OperationSource source(seed, Families(seed), false);
      Contents expected, ours, theirs;
      std::string described;
      const auto write = varve_copies ? WriteWithRocksDb : WriteWithVarve;
      REQUIRE_FINE(
          write(db, Families(seed), SessionOf(seed * 10 + 1), &source, &expected, &described));
      REQUIRE_FINE((varve_copies ? CheckpointWithVarve : CheckpointWithRocksDb)(db, copy));
      expected["default"]["in-the-log"] = "yes";
      std::filesystem::remove_all(db);
      REQUIRE_FINE(ReadWithVarve(copy, &ours));
      REQUIRE_FINE(Difference(expected, ours));
      REQUIRE_FINE(ReadWithRocksDb(copy, &theirs));
      REQUIRE_FINE(Difference(expected, theirs));
    }
  }
}

TEST_CASE("ldb finds its way in our databases with families and in reverse order") {
  const ScratchDirectory scratch(ScratchDirectory::kMemory);
  std::string output;
  {
    OperationSource source(5, {"default", "second"}, false);
    Contents expected;
    std::string described;
    Session session{.seed = 5, .groups = 100, .compact = true};
    REQUIRE_FINE(WriteWithVarve(scratch / "db", {"default", "second"}, session, &source, &expected,
                                &described));
    REQUIRE(RunTool("ldb --db=" + (scratch / "db") + " list_column_families", &output) == 0);
    CHECK(output.find("second") != std::string::npos);
    REQUIRE(RunTool("ldb --db=" + (scratch / "db") + " --column_family=second --hex scan",
                    &output) == 0);
    REQUIRE_FINE(Difference({{"second", expected["second"]}}, {{"second", ParseLdbScan(output)}}));
  }
  {
    Options options;
    options.create_if_missing = true;
    options.family.comparator = ReverseBytewiseComparator();
    auto db = DB::Open(options, scratch / "reverse");
    REQUIRE(db.ok());
    for (const char* key : {"a", "b", "c"}) REQUIRE((*db)->Put({}, key, "v").ok());
    REQUIRE((*db)->Close().ok());
  }
  REQUIRE(RunTool("ldb --db=" + (scratch / "reverse") + " scan", &output) == 0);
  CHECK(output.find("c : v\nb : v\na : v\n") != std::string::npos);
}

TEST_CASE("ldb and sst_dump agree with every file of ours") {
  for (int seed = g_first; seed < g_first + (g_seeds + 4) / 5; ++seed) {
    const SeedAtWork at_work(seed);
    const ScratchDirectory scratch(ScratchDirectory::kMemory);
    const std::string db = scratch / "db";
    // ldb opens one family with its default options; merges need an operator it is not given.
    OperationSource source(seed, {"default"}, false);
    Contents expected;
    std::string described, output;
    Session session = SessionOf(seed);
    session.huge = false;
    session.compact = true;  // Leaves no merge operands behind.
    session.groups = 150;
    CAPTURE(seed);
    REQUIRE_FINE(WriteWithVarve(db, {"default"}, session, &source, &expected, &described));
    CAPTURE(described);
    CHECK(RunTool("ldb --db=" + db + " checkconsistency", &output) == 0);
    CHECK(output.find("OK") != std::string::npos);
    REQUIRE(RunTool("ldb --db=" + db + " --hex scan", &output) == 0);
    const Contents scanned = {{"default", ParseLdbScan(output)}};
    REQUIRE_FINE(Difference(expected, scanned));
    for (const auto& entry : std::filesystem::directory_iterator(db)) {
      const std::string path = entry.path();
      const std::string name = entry.path().filename();
      CAPTURE(name);
      if (entry.path().extension() == ".sst") {
        CHECK(RunTool("sst_dump --command=verify --file=" + path, &output) == 0);
        CHECK(output.find("Corruption") == std::string::npos);
        CHECK(output.find("corrupt") == std::string::npos);
      } else if (entry.path().extension() == ".log") {
        CHECK(RunTool("ldb dump_wal --walfile=" + path, &output) == 0);
        CHECK(output.find("orruption") == std::string::npos);
      } else if (name.starts_with("MANIFEST-")) {
        CHECK(RunTool("ldb manifest_dump --path=" + path, &output) == 0);
        CHECK(output.find("next_file_number") != std::string::npos);
      }
    }
    REQUIRE(RunTool("ldb --db=" + db + " put from-ldb yes", &output) == 0);
    expected["default"]["from-ldb"] = "yes";
    Contents ours;
    REQUIRE_FINE(ReadWithVarve(db, &ours));
    REQUIRE_FINE(Difference(expected, ours));
  }
}

TEST_CASE("an open database of ours is closed to RocksDB, in this process and in others") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "db";
  Options options;
  options.create_if_missing = true;
  auto db = DB::Open(options, path);
  REQUIRE(db.ok());
  REQUIRE((*db)->Put({}, "key", "value").ok());
  OperationSource source(1, {"default"}, /*huge=*/false);
  Contents contents;
  std::string described, output;
  CHECK(WriteWithRocksDb(path, {"default"}, {}, &source, &contents, &described) != "");
  // The refused opening has closed a descriptor of LOCK.
  CHECK(RunTool("ldb --db=" + path + " put from-ldb yes", &output) != 0);
  CHECK_MESSAGE(output.find("lock") != std::string::npos, output);
  REQUIRE((*db)->Close().ok());
  CHECK(RunTool("ldb --db=" + path + " get key", &output) == 0);
}

}  // namespace
}  // namespace varve::interop

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--seed=")) {
      varve::interop::g_first = std::atoi(word.c_str() + 7);
      varve::interop::g_seeds = 1;
    }
    if (word.starts_with("--seeds=")) varve::interop::g_seeds = std::atoi(word.c_str() + 8);
    if (word.starts_with("--first=")) varve::interop::g_first = std::atoi(word.c_str() + 8);
  }
  doctest::Context context(argc, argv);
  return context.run();
}
