// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open/wal_replay.h"

#include "core/format/log/write_batch_format.h"
#include "core/wal/log_writer.h"
#include "tests/unit/engine/engine_parts.h"

namespace varve {
namespace {

// Families 0 and 1 of a database that is being opened, and WALs to replay.
struct Fixture : ContextFixture {
  Fixture() {
    for (const ColumnFamilyId id : {ColumnFamilyId{0}, ColumnFamilyId{1}}) {
      AddFamily(id);
      state.families.Add({.id = id,
                          .name = "family" + std::to_string(id),
                          .comparator_name = "",
                          .comparator = BytewiseComparator(),
                          .log_number = 0,
                          .full_history_ts_low = {},
                          .persist_user_timestamps = {},
                          .version = EmptyVersion(*BytewiseComparator(), nullptr, {})});
    }
  }

  void Wal(uint64_t number, std::vector<std::pair<Sequence, WriteBatch>> batches) {
    auto file = fs.Create("db/" + WalFileName(number), /*direct=*/false);
    REQUIRE(file.ok());
    LogWriter writer(*std::move(file));
    for (auto& [sequence, batch] : batches) {
      StampBatch(&batch.mutable_bytes(), sequence);
      REQUIRE(writer.Append(batch.bytes()).ok());
    }
    REQUIRE(writer.Close().ok());
    wals.push_back({.number = number});
  }
  Status Run(WalReplay::AfterBatch after = [](uint64_t) { return Status::Ok(); }) {
    WalReplay replay(context, state, &report, std::move(after));
    std::vector<WalFile> files;
    for (const WalFile& wal : wals) files.push_back({.number = wal.number});
    const Status run = replay.Run(std::move(files));
    next = replay.next();
    highest_family = replay.highest_family();
    return run;
  }
  // key@sequence of each entry in a family's memtable.
  std::string Entries(ColumnFamilyId id) {
    context.AssertNotShared();
    std::string text;
    const auto it = context.families.Find(id)->memtable()->NewIterator();
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += std::string(it->key().user_key) + "@" + std::to_string(it->key().sequence) + " ";
    }
    return text;
  }

  DatabaseState state;
  RecoveryReport report;
  std::vector<WalFile> wals;
  Sequence next = 0;
  ColumnFamilyId highest_family = 0;
};

WriteBatch Puts(const std::vector<std::pair<ColumnFamilyId, std::string>>& puts) {
  WriteBatch batch;
  for (const auto& [family, key] : puts) batch.Put(key, "value", family);
  return batch;
}

TEST_CASE("WalReplay: every change goes to its family with its number, log after log") {
  Fixture t;
  t.Wal(6, {{1, Puts({{0, "a"}, {1, "b"}, {0, "c"}})}, {4, Puts({{1, "d"}})}});
  t.Wal(8, {{5, Puts({{0, "e"}})}});
  REQUIRE(t.Run().ok());
  CHECK_EQ(t.Entries(0), "a@1 c@3 e@5 ");
  CHECK_EQ(t.Entries(1), "b@2 d@4 ");
  CHECK_EQ(t.next, 6);
  CHECK_EQ(t.highest_family, 1);
  CHECK_EQ(t.report.wal_files, 2);
  CHECK_EQ(t.report.wal_records, 3);
  CHECK(t.report.losses.empty());
}

TEST_CASE("WalReplay: a log that a family has flushed brings it nothing, but numbers are used up") {
  Fixture t;
  t.state.families.Find(ColumnFamilyId{1})->log_number = 7;
  t.Wal(6, {{1, Puts({{1, "flushed"}, {0, "a"}})}});
  t.Wal(7, {{3, Puts({{1, "b"}, {0, "c"}})}});
  REQUIRE(t.Run().ok());
  CHECK_EQ(t.Entries(0), "a@2 c@4 ");
  CHECK_EQ(t.Entries(1), "b@3 ");
}

TEST_CASE(
    "WalReplay: changes of a family that is not there use up numbers, and keep its id taken") {
  Fixture t;
  t.Wal(6, {{1, Puts({{9, "dropped"}, {0, "a"}})}});
  REQUIRE(t.Run().ok());
  CHECK_EQ(t.Entries(0), "a@2 ");
  CHECK_EQ(t.highest_family, 9);
}

TEST_CASE("WalReplay: an id that could never be given out does not count") {
  Fixture t;
  t.Wal(6, {{1, Puts({{kFamilyIdMax, "a"}, {kFamilyIdMax + 1, "b"}})}});
  REQUIRE(t.Run().ok());
  CHECK_EQ(t.highest_family, kFamilyIdMax);
}

TEST_CASE("WalReplay: who is told of each batch may end the replay") {
  Fixture t;
  const WriteBatch first = Puts({{0, "a"}}), second = Puts({{0, "b"}, {0, "c"}});
  t.Wal(6, {{1, first}, {2, second}, {4, Puts({{0, "d"}})}});
  std::vector<uint64_t> told;
  const Status run = t.Run([&](uint64_t bytes) {
    told.push_back(bytes);
    return told.size() < 2 ? Status::Ok() : Status::NoSpace("full");
  });
  CHECK(run.code() == Code::kNoSpace);
  CHECK(told == std::vector<uint64_t>{first.bytes().size(), second.bytes().size()});
  CHECK_EQ(t.Entries(0), "a@1 b@2 c@3 ");
}

TEST_CASE("WalReplay: a log that is not there is an error, located") {
  Fixture t;
  t.wals.push_back({.number = 6});
  const Status run = t.Run();
  CHECK_FALSE(run.ok());
  CHECK(run.message().find("000006.log") != std::string::npos);
}

TEST_CASE("WalReplay: a log that ends anywhere brings the batches before, whole or not at all") {
  Fixture whole;
  whole.Wal(6, {{1, Puts({{0, "a"}, {1, "b"}})}, {3, Puts({{0, "c"}, {1, "d"}})}});
  const std::string bytes = *ReadFileToString(whole.fs, "db/000006.log", 1 << 20);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    CAPTURE(size);
    Fixture t;
    auto file = t.fs.Create("db/000006.log", /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(std::string_view(bytes).substr(0, size)).ok());
    t.wals.push_back({.number = 6});
    REQUIRE(t.Run().ok());
    CHECK_FALSE(t.report.damaged());  // As a crash leaves it.
    CHECK_EQ(t.Entries(0), t.next == 0 ? "" : (t.next == 3 ? "a@1 " : "a@1 c@3 "));
    CHECK_EQ(t.Entries(1), t.next == 0 ? "" : (t.next == 3 ? "b@2 " : "b@2 d@4 "));
    CHECK_EQ(t.next == 5, size == bytes.size());
  }
}

TEST_CASE("WalReplay: whatever bit is wrong, no batch is half there, and the loss is reported") {
  Fixture whole;
  whole.Wal(6, {{1, Puts({{0, "a"}, {1, "b"}})}, {3, Puts({{0, "c"}, {1, "d"}})}});
  const std::string bytes = *ReadFileToString(whole.fs, "db/000006.log", 1 << 20);
  for (size_t at = 0; at < bytes.size(); ++at) {
    CAPTURE(at);
    Fixture t;
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    auto file = t.fs.Create("db/000006.log", /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(changed).ok());
    t.wals.push_back({.number = 6});
    const Status run = t.Run();
    CHECK(t.Entries(0).empty() == t.Entries(1).empty());
    CHECK((t.Entries(0).find('c') == std::string::npos) ==
          (t.Entries(1).find('d') == std::string::npos));
    const bool all = t.Entries(0) == "a@1 c@3 " && t.Entries(1) == "b@2 d@4 ";
    CHECK((all || !run.ok() || !t.report.losses.empty()));
  }
}

}  // namespace
}  // namespace varve
