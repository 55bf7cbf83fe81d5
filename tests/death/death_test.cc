// SPDX-License-Identifier: Apache-2.0
// Each case breaks a promise in a child process and expects that to end with the message of the
// check. Cases under VARVE_DEBUG_CHECKS are of checks that release builds do without.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/base/poison.h"
#include "core/base/threads/inline_executor.h"
#include "core/compaction/output_check.h"
#include "core/fs/memory_fs.h"
#include "core/iterator/checking_iterator.h"
#include "core/memtable/memtable.h"
#include "core/memtable/node_arena.h"
#include "core/table/block/block.h"
#include "core/table/block/clock_cache.h"
#include "core/table/write/table_builder.h"
#include "core/version/file_index.h"
#include "core/wal/log_writer.h"
#include "varve/db.h"
#include "varve/status.h"

namespace varve {
namespace {

struct Death {
  bool aborted = false;   // By a CHECK; AddressSanitizer ends with an exit code.
  bool survived = false;  // Got to the end.
  std::string last_words;
};

// What becomes of a process that does this.
Death Of(const std::function<void()>& deed) {
  std::fflush(nullptr);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(ends[0]);
    ::dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);  // Not doctest's.
    deed();
    ::_exit(0);
  }
  ::close(ends[1]);
  Death death;
  char bytes[4096];
  for (ssize_t got; (got = ::read(ends[0], bytes, sizeof(bytes))) > 0;) {
    death.last_words.append(bytes, static_cast<size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  death.aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  death.survived = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return death;
}

void ExpectCheck(const std::string& words, const std::function<void()>& deed) {
  const Death death = Of(deed);
  INFO(death.last_words);
  CHECK(death.aborted);
  CHECK(death.last_words.find("CHECK failed: " + words) != std::string::npos);
}

std::unique_ptr<WritableFile> NewFile(FileSystem& fs, const std::string& path) {
  auto file = fs.Create(path, false);
  REQUIRE(file.ok());
  return *std::move(file);
}

InternalKey Put(std::string_view user_key, Sequence sequence) {
  return {user_key, sequence, ValueType::kValue};
}

TEST_CASE("death: what keeps its promises survives") {
  CHECK(Of([] { CHECK_OP(1, <=, 2); }).survived);
}

TEST_CASE("death: a check names the condition and the place, and both numbers") {
  const uint64_t size = 7;
  ExpectCheck("size <= 5 (7 and 5)", [&] { CHECK_OP(size, <=, 5); });
  ExpectCheck("size == 0\n", [&] { VARVE_CHECK(size == 0); });
  ExpectCheck("size == 0: it was taken\n", [&] { VARVE_CHECK(size == 0, "it was taken"); });
  ExpectCheck("size <= 5: there is room (7 and 5)",
              [&] { CHECK_OP(size, <=, 5, "there is room"); });
  CHECK(Of([&] { CHECK_OP(size, <=, 5); }).last_words.find(__FILE__ ":") == 0);
}

TEST_CASE("death: a log that is not empty") {
  const auto fs = NewMemoryFileSystem();
  auto file = NewFile(*fs, "000001.log");
  REQUIRE(file->Append("x").ok());
  ExpectCheck("file_->size() == 0: positions of records", [&] { LogWriter log(std::move(file)); });
}

TEST_CASE("death: keys of a table that descend") {
  const auto fs = NewMemoryFileSystem();
  const auto file = NewFile(*fs, "000001.sst");
  ExpectCheck("c <= 0", [&] {
    TableBuilder table({.format_version = 5}, *BytewiseComparator(), {}, file.get());
    table.Add(Put("b", 1), "").Ignore("dies");
    table.Add(Put("a", 2), "").Ignore("dies");
  });
}

TEST_CASE("death: bounds of a table that is not finished") {
  const auto fs = NewMemoryFileSystem();
  const auto file = NewFile(*fs, "000001.sst");
  ExpectCheck("impl_->finished", [&] {
    TableBuilder table({.format_version = 5}, *BytewiseComparator(), {}, file.get());
    table.Add(Put("b", 1), "").Ignore("dies");
    static_cast<void>(table.largest());
  });
}

#ifdef VARVE_DEBUG_CHECKS

// Under AddressSanitizer a look at poisoned memory is the end.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAsan = true;
#else
constexpr bool kAsan = false;
#endif

void ExpectPoisoned(const char* byte) {
  if (!kAsan) {
    CHECK(*byte == kPoison);
    return;
  }
  const Death death = Of([&] { static_cast<void>(*const_cast<const volatile char*>(byte)); });
  INFO(death.last_words);
  CHECK_FALSE(death.survived);
  CHECK(death.last_words.find("ERROR: AddressSanitizer: ") != std::string::npos);
}

std::unique_ptr<InternalIterator> EntriesOf(const std::shared_ptr<MemTable>& memtable) {
  return NewCheckingIterator(*BytewiseComparator(), memtable->NewIterator());
}

std::shared_ptr<MemTable> ThreeEntries() {
  auto memtable = MemTable::Create(*BytewiseComparator(), 1);
  memtable->Add(1, ValueType::kValue, "a", "one");
  memtable->Add(2, ValueType::kValue, "b", "two");
  memtable->Add(3, ValueType::kValue, "c", "three");
  return memtable;
}

TEST_CASE("death: a Status that should be ok says what is wrong") {
  ExpectCheck("Status::Corruption(\"why\"): corruption: why",
              [] { DCHECK_OK(Status::Corruption("why")); });
}

TEST_CASE("death: poisoned memory") {
  const auto bytes = std::make_unique<char[]>(64);
  Poison(bytes.get(), 64);
  ExpectPoisoned(bytes.get());
  Unpoison(bytes.get(), 64);
  bytes[0] = 'x';
  CHECK(bytes[0] == 'x');
}

TEST_CASE("death: what a memtable's arena has not handed out") {
  NodeArena arena;
  const char* const piece = arena.Allocate(12);
  ExpectPoisoned(piece + 16);
  if (kAsan) ExpectPoisoned(piece + 12);  // Behind the piece, where the next cannot begin yet.
}

#if defined(__SANITIZE_ADDRESS__)  // Elsewhere nobody may look at what was freed.
TEST_CASE("death: a memtable's bytes after the memtable, a block's after the block") {
  ExpectPoisoned([] {
    NodeArena arena;
    return arena.Allocate(8);
  }());
  const auto evicted = [] {
    ClockCache cache(1 << 20);
    return cache.Insert({1, 0}, Block::Make({.bytes = 100}))->bytes().data();
  };
  ExpectPoisoned(evicted());
}
#endif

TEST_CASE("death: a key of an internal iterator after the next step") {
  const auto it = EntriesOf(ThreeEntries());
  it->SeekToFirst();
  const char* const key = it->key().user_key.data();
  const char* const value = it->value().data();
  it->Next();
  CHECK(it->value() == "two");
  ExpectPoisoned(key);
  ExpectPoisoned(value);
}

TEST_CASE("death: the key of an iterator that stands nowhere") {
  const auto it = ThreeEntries()->NewIterator();
  ExpectCheck("valid_", [&] { static_cast<void>(it->key()); });
  ExpectCheck("valid_", [&] { static_cast<void>(it->value()); });
}

TEST_CASE("death: one key twice in a memtable") {
  for (const MemtableRep rep : {MemtableRep::kSkipList, MemtableRep::kBtreeHash}) {
    const auto memtable = MemTable::Create(*BytewiseComparator(), 1, {.rep = rep});
    memtable->Add(1, ValueType::kValue, "a", "one");
    ExpectCheck("", [&] { memtable->Add(1, ValueType::kValue, "a", "again"); });
  }
}

// A database in memory, with one record.
struct Database {
  Database() {
    Options options;
    options.create_if_missing = true;
    options.env.file_system = fs.get();
    options.env.executor = &executor;  // No threads, which a child process would not have.
    auto opened = DB::Open(options, "db");
    REQUIRE(opened.ok());
    db = *std::move(opened);
    REQUIRE(db->Put({}, "a", "one").ok());
    REQUIRE(db->Put({}, "b", "two").ok());
  }
  Iterator NewIterator() {
    auto it = db->NewIterator({});
    REQUIRE(it.ok());
    return *std::move(it);
  }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  InlineExecutor executor;
  std::unique_ptr<DB> db;
};

TEST_CASE("death: a public iterator that stands nowhere") {
  Database database;
  Iterator it = database.NewIterator();
  ExpectCheck("valid_", [&] { static_cast<void>(it.key()); });
  ExpectCheck("valid_", [&] { static_cast<void>(it.value()); });
  ExpectCheck("Valid()", [&] { it.Next(); });
  ExpectCheck("Valid()", [&] { it.Prev(); });
  it.SeekToLast();
  it.Next();
  CHECK_FALSE(it.Valid());
  ExpectCheck("valid_", [&] { static_cast<void>(it.key()); });
}

TEST_CASE("death: a public iterator that was moved from") {
  Database database;
  Iterator it = database.NewIterator();
  const Iterator other = std::move(it);
  ExpectCheck("impl != nullptr", [&] { it.SeekToFirst(); });  // NOLINT: on purpose
  ExpectCheck("impl != nullptr", [&] { static_cast<void>(it.Valid()); });
}

TEST_CASE("death: what a public iterator showed before it moved") {
  Database database;
  Iterator it = database.NewIterator();
  it.SeekToFirst();
  const char* const key = it.key().data();
  const char* const value = it.value().data();
  it.Next();
  ExpectPoisoned(key);
  ExpectPoisoned(value);
}

TEST_CASE("death: an iterator or a snapshot that outlives its database") {
  const auto close = [](auto take, auto use) {
    Database database;
    auto taken = take(database);
    database.db.reset();
    use(taken);
  };
  const auto iterator = [](Database& database) { return database.NewIterator(); };
  ExpectCheck("!database_is_gone()",
              [&] { close(iterator, [](Iterator& it) { it.SeekToFirst(); }); });
  ExpectCheck("!database_is_gone()", [&] { close(iterator, [](Iterator&) {}); });
  ExpectCheck("context_.snapshots->count() == 0 (1 and 0)", [&] {
    close([](Database& database) { return database.db->GetSnapshot(); }, [](Snapshot&) {});
  });
}

TEST_CASE("death: files of a level that overlap") {
  const auto file = [](FileNumber number, std::string_view first, std::string_view last) {
    FileDescription description;
    description.number = number;
    description.smallest = EncodeInternalKey(Put(first, 2));
    description.largest = EncodeInternalKey(Put(last, 1));
    return std::make_shared<FileMetadata>(description);
  };
  ExpectCheck("AreDisjoint(order, files_)", [&] {
    FileIndex(*BytewiseComparator(), {file(1, "a", "k"), file(2, "j", "z")}, FileSearch::kHeads);
  });
}

// A table of the keys b@2 and c@3 and a range deletion [d, f)@4, and what is true of it.
struct Output {
  Output() {
    const auto file = NewFile(*fs, "000009.sst");
    TableBuilder builder({.format_version = 5}, *BytewiseComparator(), {}, file.get());
    REQUIRE(builder.Add(Put("b", 2), "").ok());
    REQUIRE(builder.Add(Put("c", 3), "").ok());
    REQUIRE(builder.AddRangeTombstone("d", "f", 4).ok());
    REQUIRE(builder.Finish().ok());
    REQUIRE(file->Close().ok());
    truth.number = 9;
    truth.smallest = builder.smallest();
    truth.largest = builder.largest();
    truth.smallest_sequence = builder.smallest_sequence();
    truth.largest_sequence = builder.largest_sequence();
  }
  Status Check(const FileDescription& said) {
    auto file = fs->OpenForRead("000009.sst", false);
    REQUIRE(file.ok());
    auto table = TableReader::Open(*std::move(file), {.comparator = BytewiseComparator()});
    REQUIRE(table.ok());
    return CheckOutput(*BytewiseComparator(), said, **table);
  }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  FileDescription truth;
};

TEST_CASE("death: a table that does not hold what the MANIFEST would say") {
  Output output;
  CHECK(output.Check(output.truth).ok());
  FileDescription said = output.truth;
  said.smallest = EncodeInternalKey(Put("a", 2));
  CHECK(
      output.Check(said).message() ==
      "table 9: its description has the keys \"a\"@2:put to \"f\"@72057594037927935:range_delete, "
      "its entries "
      "\"b\"@2:put to \"f\"@72057594037927935:range_delete");
  said = output.truth;
  said.largest = EncodeInternalKey(Put("c", 3));
  CHECK_FALSE(output.Check(said).ok());
  said = output.truth;
  said.largest_sequence = 3;
  CHECK(output.Check(said).message() ==
        "table 9: its description has the sequences 2..3, its entries 2..4");
  said = output.truth;
  said.smallest_sequence = 1;
  CHECK_FALSE(output.Check(said).ok());
  ExpectCheck("output.Check(said): corruption: table 9: its description has the sequences",
              [&] { DCHECK_OK(output.Check(said)); });
}

#endif  // VARVE_DEBUG_CHECKS

}  // namespace
}  // namespace varve
