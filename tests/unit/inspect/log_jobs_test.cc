// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/history/log_jobs.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/fs/memory_fs.h"

namespace varve {
namespace {

// The jobs of a LOG with one event a string, each an object without its common members.
LogJobs JobsOf(std::initializer_list<std::string_view> events) {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  auto file = fs->Create("db/LOG", /*direct=*/false);
  REQUIRE(file.ok());
  for (const std::string_view event : events) {
    REQUIRE((*file)
                ->Append("2026/11/21-01:09:18.786379 24334 EVENT_LOG_v1 {\"time_micros\": 7, "
                         "\"job\": 2, " +
                         std::string(event) + "}\n")
                .ok());
  }
  Result<LogJobs> jobs = ReadLogJobs(*fs, "db");
  REQUIRE(jobs.ok());
  CHECK(jobs->unreadable == 0);
  return *std::move(jobs);
}

TEST_CASE("ReadLogJobs: a compaction with its inputs and outputs") {
  const LogJobs log = JobsOf({
      R"("event": "compaction_started", "files_L0": [19, 17], "files_L1": [20])",
      R"("event": "table_file_creation", "cf_name": "users", "file_number": 21, "file_size": 100,)"
      R"( "table_properties": {"column_family_id": 4})",
      R"("event": "compaction_finished", "output_level": 1)",
  });
  REQUIRE(log.jobs.size() == 1);
  const JobReport& job = log.jobs.front();
  CHECK(job.family == "users");
  CHECK(job.family_id == 4);
  CHECK(job.output_level == 1);
  REQUIRE(job.inputs.size() == 3);
  CHECK(job.inputs[1].number == 17);
  CHECK(job.inputs[2].level == 1);
  REQUIRE(job.outputs.size() == 1);
  CHECK(job.outputs[0].number == 21);
  CHECK(job.outputs[0].level == 1);
  CHECK(job.bytes_written == 100);
}

TEST_CASE("ReadLogJobs: text that is not a number is not taken for a file, a level or a move") {
  const LogJobs log = JobsOf({
      R"("event": "compaction_started", "files_L0": [19x, "", -3, 17], "files_Lx": [20],)"
      R"( "files_L4294967297": [21], "files_L1 ": [22])",
      R"("event": "table_file_creation", "file_number": 23x, "file_size": 100)",
      R"("event": "table_file_creation", "file_number": 24, "file_size": 1e3)",
      R"("event": "table_file_creation", "file_number": 25, "file_size": 7,)"
      R"( "table_properties": {"column_family_id": 4294967298})",
      R"("event": "trivial_move", "destination_level": 1x, "files": 1, "total_files_size": 5)",
      R"("event": "trivial_move", "destination_level": 1, "files": one, "total_files_size": 5)",
      R"("event": "compaction_finished", "output_level": 4294967297)",
      R"("event": "compaction_finished", "output_level": 1)",
  });
  CHECK(log.moves.empty());
  REQUIRE(log.jobs.size() == 1);
  const JobReport& job = log.jobs.front();
  CHECK(job.output_level == 1);
  CHECK(job.family_id == kDefaultColumnFamilyId);
  REQUIRE(job.inputs.size() == 1);
  CHECK(job.inputs[0].number == 17);
  REQUIRE(job.outputs.size() == 1);
  CHECK(job.outputs[0].number == 25);
}

}  // namespace
}  // namespace varve
