// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/history/event_log.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "core/fs/memory_fs.h"

namespace varve {
namespace {

class Directory {
 public:
  Directory() { REQUIRE(fs_->CreateDirectory("db").ok()); }
  void Write(const std::string& name, const std::string& text) {
    auto file = fs_->Create("db/" + name, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(text).ok());
  }
  std::vector<LogEvent> Read(uint64_t* unreadable = nullptr) {
    auto reader = EventLogReader::Open(*fs_, "db");
    REQUIRE(reader.ok());
    std::vector<LogEvent> events;
    LogEvent event;
    while (reader->Next(&event)) events.push_back(event);
    CHECK(reader->status().ok());
    if (unreadable != nullptr) *unreadable = reader->unreadable();
    return events;
  }

 private:
  std::unique_ptr<FileSystem> fs_ = NewMemoryFileSystem();
};

std::string EventLine(const std::string& json) {
  return "2026/11/21-01:09:18.786379 24334 EVENT_LOG_v1 " + json + "\n";
}

TEST_CASE("SplitJsonObject: members in their order, nested values as they are written") {
  const auto members =
      SplitJsonObject(R"( {"a": 1, "b":"x\"y", "c": [1, {"d": "]}"}], "e": {} } )");
  REQUIRE(members);
  REQUIRE(members->size() == 4);
  CHECK((*members)[1].second == R"(x\"y)");
  CHECK(*FindMember(*members, "c") == R"([1, {"d": "]}"}])");
  CHECK(FindMember(*members, "d") == nullptr);
  CHECK(SplitJsonArray("[19, 17]")->at(1) == "17");
  CHECK(SplitJsonArray("[]")->empty());
}

TEST_CASE("SplitJsonObject: text that is not an object is refused, however it is cut or nested") {
  const std::string whole = R"({"a": [1, {"b": "c"}], "d": "e"})";
  REQUIRE(SplitJsonObject(whole));
  for (size_t size = 0; size < whole.size(); size++) {
    CHECK_FALSE(SplitJsonObject(whole.substr(0, size)));
  }
  CHECK_FALSE(SplitJsonObject(whole + "}"));
  CHECK_FALSE(SplitJsonObject(R"({"a": "unescaped " quote"})"));
  CHECK_FALSE(SplitJsonObject(R"({"a": )" + std::string(100000, '[')));
}

TEST_CASE("EventLogReader: old logs come first, other lines are passed over") {
  Directory directory;
  directory.Write("LOG", EventLine(R"({"time_micros": 3, "job": 7, "event": "flush_started"})") +
                             "2026/11/21-01:09:18.786379 24334 Options.foo: 1\n");
  directory.Write("LOG.old.200", EventLine(R"({"time_micros": 2, "event": "b"})"));
  directory.Write("LOG.old.100", EventLine(R"({"time_micros": 1, "event": "a"})"));
  const std::vector<LogEvent> events = directory.Read();
  REQUIRE(events.size() == 3);
  CHECK(events[0].type == "a");
  CHECK(events[1].log == "LOG.old.200");
  CHECK(events[2].job == uint64_t{7});
  CHECK(events[2].time_micros == 3);
}

TEST_CASE("EventLogReader: lines of invalid JSON are counted") {
  Directory directory;
  directory.Write("LOG", EventLine(R"({"event": "a "quoted" name"})") +
                             EventLine(R"({"no_event": 1})") + EventLine(R"({"event": "good"})"));
  uint64_t unreadable = 0;
  CHECK(directory.Read(&unreadable).size() == 1);
  CHECK(unreadable == 2);
}

TEST_CASE("EventLogReader: events that straddle reads, and one without an end of line, are whole") {
  Directory directory;
  std::string log;
  std::mt19937_64 random(7);
  for (int i = 0; i < 4000; i++) {
    log += std::string(random() % 300, 'x') + "\n";
    log += EventLine(R"({"event": "e", "time_micros": )" + std::to_string(i) + "}");
  }
  log += std::string(3 << 20, 'y') + "\n";  // Longer than any line that is looked at.
  log += EventLine(R"({"event": "last", "time_micros": 4000})");
  log.pop_back();
  directory.Write("LOG", log);
  const std::vector<LogEvent> events = directory.Read();
  REQUIRE(events.size() == 4001);
  for (size_t i = 0; i < events.size(); i++) {
    CHECK(events[i].time_micros == i);
    CHECK(log.substr(events[i].offset, events[i].json.size()) == events[i].json);
  }
}

}  // namespace
}  // namespace varve
