// SPDX-License-Identifier: Apache-2.0
// A flush or compaction on files in memory: its context, what is in the tables that it made, and
// what a reader at a snapshot would find in them.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/compaction/job_context.h"
#include "core/format/file_name.h"
#include "core/format/manifest/file_description.h"
#include "core/table/read/table_reader.h"
#include "tests/unit/engine/watched_fs.h"
#include "tests/unit/iterator/iterator_suite.h"

namespace varve {

struct TableContents {
  std::vector<TestEntry> entries;
  std::vector<RangeTombstone> tombstones;
};

// a@3=x b@2- [a..c)@5
inline std::string Show(const TableContents& contents) {
  std::string text;
  const auto at = [](Sequence sequence) { return "@" + std::to_string(sequence); };
  for (const TestEntry& e : contents.entries) {
    if (!text.empty()) text += ' ';
    text += e.user_key + at(e.sequence);
    text += e.type == ValueType::kDeletion ? "-" : (e.type == ValueType::kMerge ? "+" : "=");
    text += e.value;
  }
  for (const RangeTombstone& t : contents.tombstones) {
    if (!text.empty()) text += ' ';
    text += "[" + t.begin + ".." + t.end + ")" + at(t.sequence);
  }
  return text;
}

// What a reader at `snapshot` finds, by looking at everything. Knows puts and deletions.
inline std::string ReadAll(const TableContents& contents, Sequence snapshot) {
  std::map<std::string, const TestEntry*> newest;
  for (const TestEntry& e : contents.entries) {
    const TestEntry*& shown = newest[e.user_key];
    if (e.sequence <= snapshot && (shown == nullptr || e.sequence > shown->sequence)) shown = &e;
  }
  std::string text;
  for (const auto& [key, entry] : newest) {
    bool gone = entry == nullptr || entry->type == ValueType::kDeletion;
    for (const RangeTombstone& t : contents.tombstones) {
      gone = gone || (t.sequence <= snapshot && t.sequence > entry->sequence && t.begin <= key &&
                      key < t.end);
    }
    if (!gone) text += key + "=" + entry->value + " ";
  }
  return text;
}

class TestClock final : public Clock {
 public:
  uint64_t NowMicros() override { return 0; }
  uint64_t UnixMicros() override { return 1'700'000'000'000'000; }
};

class TestRandom final : public Random {
 public:
  uint64_t Next64() override { return next_.fetch_add(2) + 2; }

 private:
  std::atomic<uint64_t> next_{0};  // Parts of a compaction draw at the same time.
};

struct JobFixture {
  JobFixture() {
    REQUIRE(fs.CreateDirectory("out").ok());
    job.env = {&fs, &clock, &random, &executor};
    job.directory = "out";
    job.table_directory = "out";
    job.options.comparator = BytewiseComparator();
    job.options.table.compression = CompressionType::kNone;
    job.origin.db_id = "11111111-2222-4333-8444-555555555555";
    job.origin.db_session_id = "ABCDEFGHIJKLMNOPQRST";
    job.new_file_number = [this] { return next_number++; };
    job.cancelled = [] { return false; };
  }

  static std::string PathOf(FileNumber number) { return JoinPath("out", TableFileName(number)); }

  std::vector<std::string> Files() {
    std::vector<std::string> names;
    const auto entries = fs.List("out");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    return names;
  }

  std::unique_ptr<TableReader> Open(FileNumber number) {
    auto file = fs.OpenForRead(PathOf(number), /*direct=*/false);
    REQUIRE_MESSAGE(file.ok(), file.status().ToString());
    auto table = TableReader::Open(*std::move(file), {.comparator = job.options.comparator});
    REQUIRE_MESSAGE(table.ok(), table.status().ToString());
    return *std::move(table);
  }

  void AddContents(FileNumber number, TableContents* contents) {
    const auto table = Open(number);
    const auto it = table->NewIterator({});
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      contents->entries.push_back({std::string(it->key().user_key), it->key().sequence,
                                   it->key().type, std::string(it->value())});
    }
    REQUIRE(it->status().ok());
    for (const RangeTombstone& t : table->RawTombstones()) contents->tombstones.push_back(t);
  }
  TableContents Contents(FileNumber number) {
    TableContents contents;
    AddContents(number, &contents);
    return contents;
  }
  TableContents Contents(const std::vector<FileDescription>& tables) {
    TableContents contents;
    for (const FileDescription& table : tables) AddContents(table.number, &contents);
    return contents;
  }
  // The outputs, parted by bars.
  std::string ShowTables(const std::vector<FileDescription>& tables) {
    std::string text;
    for (const FileDescription& table : tables) {
      if (!text.empty()) text += " | ";
      text += Show(Contents(table.number));
    }
    return text;
  }

  // Flips a bit of a table, counted from its end if negative.
  void Flip(FileNumber number, int64_t at) {
    const std::string path = PathOf(number);
    std::string bytes = *ReadFileToString(fs.base(), path, 64 << 20);
    bytes[at < 0 ? bytes.size() - static_cast<size_t>(-at) : static_cast<size_t>(at)] ^= 1;
    auto file = fs.base().Create(path, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(bytes).ok());
    REQUIRE((*file)->Close().ok());
  }

  // Runs `work` with its first change of a file failing, then with its second, and so on, until it
  // succeeds: each time before, it must have failed and left no file. Returns how many failed.
  int FailEach(const std::function<Status()>& work) {
    for (int failing = 0; failing < 1000; ++failing) {
      CAPTURE(failing);
      int left = failing;
      fs.set_judge([&left](const std::string& event) {
        if (event.starts_with("remove ")) return Status::Ok();
        return left-- == 0 ? Status::NoSpace("injected") : Status::Ok();
      });
      const Status status = work();
      fs.set_judge(nullptr);
      if (left >= 0) {
        CHECK_MESSAGE(status.ok(), status.ToString());
        return failing;
      }
      CHECK(status.code() == Code::kNoSpace);
      CHECK(Files().empty());
    }
    FAIL("it never succeeds");
    return 0;
  }

  WatchedFs fs;
  TestClock clock;
  TestRandom random;
  InlineExecutor executor;
  FileNumber next_number = 100;
  JobContext job;
};

}  // namespace varve
