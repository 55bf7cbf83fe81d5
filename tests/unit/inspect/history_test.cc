// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/history/history.h"

#include <string>
#include <vector>

#include "core/format/file_name.h"
#include "tests/unit/inspect/inspected_db.h"
#include "tests/unit/version/manifest_fixture.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

struct Fixture : InspectedDb {
  // Flushes one key; the table that it made.
  JobFile FlushOne(const std::string& key, ColumnFamilyId family = kDefaultColumnFamilyId) {
    const std::vector<std::string> before = Tables();
    Put(key, std::string(100, 'v'), family);
    REQUIRE(db->Flush({}, family).ok());
    return NewTable(before, /*level=*/0);
  }
  JobFile NewTable(const std::vector<std::string>& before, int level) {
    std::vector<std::string> added;
    const std::vector<std::string> after = Tables();
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                        std::back_inserter(added));
    REQUIRE_EQ(added.size(), 1);
    return {ParseFileName(added[0])->number, level, *fs.FileSize("db/" + added[0])};
  }
  void CompactAll(ColumnFamilyId family = kDefaultColumnFamilyId) {
    REQUIRE(db->CompactRange({}, std::nullopt, std::nullopt, family).ok());
  }
  HistoryReport Report() {
    auto report = ReportHistory(fs, "db");
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    return *std::move(report);
  }
  std::string Manifest() { return "db/" + Report().manifest; }
  std::string Read(const std::string& path) { return *ReadFileToString(fs, path, 1 << 24); }
};

std::vector<FileNumber> Numbers(const std::vector<JobFile>& files) {
  std::vector<FileNumber> numbers;
  for (const JobFile& file : files) numbers.push_back(file.number);
  return numbers;
}

std::vector<FileNumber> Numbers(const std::vector<LineageStep>& steps) {
  std::vector<FileNumber> numbers;
  for (const LineageStep& step : steps) numbers.push_back(step.number);
  return numbers;
}

std::vector<EditKind> Kinds(const HistoryReport& report) {
  std::vector<EditKind> kinds;
  for (const JobReport& job : report.jobs) kinds.push_back(job.kind);
  return kinds;
}

// The kinds, without what a MANIFEST begins with.
std::vector<EditKind> KindsOfJobs(const HistoryReport& report) {
  std::vector<EditKind> kinds = Kinds(report);
  std::erase(kinds, EditKind::kSnapshot);
  return kinds;
}

const JobReport& LastJob(const HistoryReport& report) {
  REQUIRE_FALSE(report.jobs.empty());
  return report.jobs.back();
}

TEST_CASE("ReportHistory: flushes and their compaction, with the files and bytes of each") {
  Fixture t;
  const JobFile first = t.FlushOne("k");
  const JobFile second = t.FlushOne("k");
  t.CompactAll();
  const JobFile merged = t.NewTable({}, /*level=*/0);
  const HistoryReport report = t.Report();
  CHECK(report.warnings.empty());
  CHECK(report.logs.empty());
  CHECK(report.families == std::vector<std::string>{"default"});
  REQUIRE(KindsOfJobs(report) ==
          std::vector{EditKind::kFlush, EditKind::kFlush, EditKind::kCompaction});
  const JobReport& compaction = LastJob(report);
  const JobReport& flush = report.jobs[report.jobs.size() - 2];
  CHECK(flush.inputs.empty());
  CHECK(Numbers(flush.outputs) == std::vector{second.number});
  CHECK_EQ(flush.outputs[0].level, 0);
  CHECK_EQ(flush.bytes_read, 0);
  CHECK_EQ(flush.bytes_written, second.size);
  CHECK_LT(flush.edit, compaction.edit);
  CHECK_LE(compaction.edit, report.edits);
  CHECK_FALSE(flush.write_amplification.has_value());

  CHECK_EQ(compaction.family, "default");
  CHECK_EQ(compaction.inputs.size(), 2);
  CHECK(Numbers(compaction.outputs) == std::vector{merged.number});
  CHECK_GT(compaction.output_level, 0);
  CHECK_EQ(compaction.outputs[0].level, compaction.output_level);
  CHECK_EQ(compaction.bytes_read, first.size + second.size);
  CHECK_EQ(compaction.bytes_written, merged.size);
  CHECK(compaction.inferred);
  REQUIRE(compaction.write_amplification.has_value());
  CHECK_EQ(*compaction.write_amplification,
           static_cast<double>(merged.size) / static_cast<double>(first.size + second.size));

  REQUIRE_EQ(report.totals.size(), 1);
  const FamilyWrites& totals = report.totals[0];
  CHECK_EQ(totals.family, "default");
  CHECK_EQ(totals.flushes, 2);
  CHECK_EQ(totals.flushed_bytes, first.size + second.size);
  CHECK_EQ(totals.compactions, 1);
  CHECK_EQ(totals.compaction_read_bytes, first.size + second.size);
  CHECK_EQ(totals.compaction_written_bytes, merged.size);
  CHECK_EQ(totals.moves + totals.deletions + totals.ingestions, 0);
}

TEST_CASE("ReportHistory: a table that only changes its level is read and written by nobody") {
  Fixture t;
  const JobFile table = t.FlushOne("k");
  t.CompactAll();
  const HistoryReport report = t.Report();
  const JobReport& move = LastJob(report);
  REQUIRE(move.kind == EditKind::kTrivialMove);
  CHECK(Numbers(move.inputs) == std::vector{table.number});
  CHECK(Numbers(move.outputs) == std::vector{table.number});
  CHECK_EQ(move.bytes_read, 0);
  CHECK_EQ(move.bytes_written, 0);
  CHECK_EQ(report.totals[0].moves, 1);
  const auto lineage = LineageIndex(report).Of(table.number);
  REQUIRE(lineage.has_value());
  CHECK(lineage->complete);
  CHECK(lineage->ancestors.empty());
  CHECK(lineage->successors.empty());
  CHECK_EQ(lineage->file.moved_by.size(), 1);
  CHECK_EQ(lineage->file.level, move.output_level);
  CHECK(report.jobs[*lineage->file.made_by].kind == EditKind::kFlush);
  CHECK_FALSE(lineage->file.consumed_by.has_value());  // It is live.
}

TEST_CASE("ReportHistory: a compaction that leaves nothing is a deletion") {
  Fixture t;
  t.FlushOne("k");
  REQUIRE(t.db->Delete({}, "k").ok());
  t.Flush();
  t.CompactAll();
  REQUIRE(t.Tables().empty());
  const HistoryReport report = t.Report();
  const JobReport& deletion = LastJob(report);
  REQUIRE(deletion.kind == EditKind::kDeletion);
  CHECK_EQ(deletion.inputs.size(), 2);
  CHECK(deletion.outputs.empty());
  CHECK_EQ(deletion.bytes_written, 0);
  CHECK_EQ(report.totals[0].deletions, 1);
}

TEST_CASE("ReportHistory: an ingested table counts as written from outside") {
  Fixture t;
  auto writer = SstFileWriter::Create(t.options.env, t.options.family, "outside.sst");
  REQUIRE(writer.ok());
  REQUIRE(writer->Put("m", "1").ok());
  REQUIRE(writer->Finish().ok());
  REQUIRE(t.db->Ingest({}, {"outside.sst"}).ok());
  const JobFile ingested = t.NewTable({}, 0);
  const HistoryReport report = t.Report();
  const JobReport& job = LastJob(report);
  REQUIRE(job.kind == EditKind::kIngestion);
  CHECK(Numbers(job.outputs) == std::vector{ingested.number});
  CHECK_EQ(job.bytes_written, 0);  // By the database.
  CHECK_EQ(report.totals[0].ingestions, 1);
  CHECK_EQ(report.totals[0].ingested_bytes, ingested.size);
  CHECK_EQ(*report.totals[0].write_amplification(), 1.0);
  CHECK(LineageIndex(report).Of(ingested.number)->complete);
}

TEST_CASE("ReportHistory: a dropped family takes its tables along, and stays known") {
  Fixture t;
  const ColumnFamilyId users = *t.db->CreateColumnFamily("users", t.options.family);
  const JobFile kept = t.FlushOne("k");
  const JobFile first = t.FlushOne("a", users);
  const JobFile second = t.FlushOne("b", users);
  REQUIRE(t.db->DropColumnFamily(users).ok());
  const HistoryReport report = t.Report();
  const JobReport& drop = LastJob(report);
  REQUIRE(drop.kind == EditKind::kDropFamily);
  CHECK_EQ(drop.family, "users");
  CHECK(Numbers(drop.inputs) == std::vector{first.number, second.number});
  CHECK_EQ(drop.inputs[0].size, first.size);
  CHECK(report.families == std::vector<std::string>{"default", "users"});
  CHECK(report.Knows("users"));
  CHECK_FALSE(report.Knows("user"));
  const LineageIndex lineage(report);
  CHECK_EQ(*lineage.Of(first.number)->file.consumed_by, report.jobs.size() - 1);
  CHECK_FALSE(lineage.Of(kept.number)->file.consumed_by.has_value());
  REQUIRE_EQ(report.totals.size(), 2);
  CHECK_EQ(report.totals[1].family, "users");
  CHECK_EQ(report.totals[1].flushes, 2);
  CHECK_EQ(report.totals[1].deletions, 1);
}

TEST_CASE("LineageIndex: ancestors and successors of a table, nearest first, each once") {
  Fixture t;
  const JobFile a = t.FlushOne("k");
  const JobFile b = t.FlushOne("k");
  t.CompactAll();
  const JobFile ab = t.NewTable({}, 0);
  const JobFile c = t.FlushOne("k");
  t.CompactAll();
  const JobFile abc = t.NewTable({}, 0);
  const HistoryReport report = t.Report();
  const LineageIndex index(report);
  const auto last = index.Of(abc.number);
  REQUIRE(last.has_value());
  CHECK(last->complete);
  CHECK(last->successors.empty());
  REQUIRE_EQ(last->ancestors.size(), 4);
  std::vector<FileNumber> near = Numbers(last->ancestors), far(near.begin() + 2, near.end());
  near.resize(2);
  std::sort(near.begin(), near.end());
  std::sort(far.begin(), far.end());
  CHECK(near == std::vector{ab.number, c.number});
  CHECK(far == std::vector{a.number, b.number});
  CHECK_EQ(last->ancestors[0].distance, 1);
  CHECK_EQ(last->ancestors[1].distance, 1);
  CHECK_EQ(last->ancestors[2].distance, 2);
  CHECK_EQ(last->ancestors[3].distance, 2);
  CHECK_EQ(last->file.size, abc.size);
  CHECK_EQ(last->file.distance, 0);
  const auto oldest = index.Of(a.number);
  REQUIRE(oldest.has_value());
  CHECK(oldest->ancestors.empty());
  CHECK(Numbers(oldest->successors) == std::vector{ab.number, abc.number});
  CHECK_EQ(oldest->file.size, a.size);  // Known although the table is gone.
  CHECK_EQ(*oldest->file.consumed_by, *index.Of(ab.number)->file.made_by);
  CHECK_FALSE(index.Of(999999).has_value());
}

TEST_CASE("LineageIndex: what was there when the MANIFEST began has no known maker") {
  Fixture t;
  const JobFile old = t.FlushOne("k");
  t.Close();
  t.db = *DB::Open(t.options, "db");
  const JobFile recent = t.FlushOne("k");
  t.CompactAll();
  const JobFile merged = t.NewTable({}, 0);
  const HistoryReport report = t.Report();
  REQUIRE(Kinds(report) ==
          std::vector{EditKind::kSnapshot, EditKind::kFlush, EditKind::kCompaction});
  const LineageIndex index(report);
  CHECK_FALSE(index.Of(old.number)->complete);
  CHECK_FALSE(index.Of(old.number)->file.made_by.has_value());
  CHECK(index.Of(recent.number)->complete);
  const auto lineage = index.Of(merged.number);
  CHECK_FALSE(lineage->complete);  // One of its ancestors is not traced.
  CHECK_EQ(lineage->ancestors.size(), 2);
  // The old table's size is from the snapshot.
  CHECK_EQ(LastJob(report).bytes_read, old.size + recent.size);
  CHECK_EQ(report.totals[0].flushes, 1);
}

TEST_CASE("ReportHistory: events of a LOG say why and when, also of jobs before the MANIFEST") {
  Fixture t;
  const JobFile flushed = t.FlushOne("k");
  const auto event = [](const std::string& members) {
    return "2026/11/21-01:09:18.786379 24334 EVENT_LOG_v1 {" + members + "}\n";
  };
  const auto flush = [&](int job, FileNumber table, uint64_t size, const std::string& reason) {
    const std::string common = R"("time_micros": )" + std::to_string(job * 100) + R"(, "job": )" +
                               std::to_string(job) + ", ";
    return event(common + R"("event": "flush_started", "flush_reason": ")" + reason + '"') +
           event(common + R"("event": "table_file_creation", "cf_name": "default", )" +
                 R"("file_number": )" + std::to_string(table) + R"(, "file_size": )" +
                 std::to_string(size)) +
           event(common + R"("event": "flush_finished")");
  };
  WriteFile(t.fs, "db/LOG",
            flush(2, 3, 77, "Shut Down") + flush(5, flushed.number, flushed.size, "Manual Flush") +
                "2026/11/21-01:09:19.000000 24334 EVENT_LOG_v1 {\"time_micros\": \n");
  const HistoryReport report = t.Report();
  CHECK(report.logs == std::vector<std::string>{"LOG"});
  CHECK_EQ(report.unreadable_events, 1);
  const JobReport& earlier = report.jobs.front();
  CHECK_EQ(earlier.edit, 0);
  CHECK_EQ(earlier.reason, "Shut Down");
  CHECK(Numbers(earlier.outputs) == std::vector<FileNumber>{3});
  const JobReport& told = LastJob(report);
  CHECK_GT(told.edit, 0);
  CHECK_FALSE(told.inferred);
  CHECK_EQ(told.reason, "Manual Flush");
  CHECK_EQ(told.log, "LOG");
  CHECK_EQ(*told.job, 5);
  CHECK_EQ(told.started_micros, 500);
  CHECK_EQ(report.totals[0].flushed_bytes, 77 + flushed.size);
  CHECK(LineageIndex(report).Of(3)->complete);
}

TEST_CASE("ReportHistory: of a MANIFEST that is cut anywhere, what is whole is told") {
  Fixture t;
  t.FlushOne("k");
  t.FlushOne("k");
  t.CompactAll();
  const HistoryReport whole = t.Report();
  const std::string path = t.Manifest();
  const std::string bytes = t.Read(path);
  t.Close();
  size_t jobs_before = 0, edits_before = 0;
  for (size_t size = 0; size <= bytes.size(); ++size) {
    CAPTURE(size);
    WriteFile(t.fs, path, bytes.substr(0, size));
    const HistoryReport report = t.Report();
    CHECK(report.warnings.empty());  // A crash leaves such an end.
    REQUIRE_LE(report.jobs.size(), whole.jobs.size());
    CHECK_GE(report.edits, edits_before);
    CHECK_GE(report.jobs.size(), jobs_before);
    for (size_t i = 0; i < report.jobs.size(); ++i) {
      CHECK_EQ(report.jobs[i].edit, whole.jobs[i].edit);
      CHECK(Numbers(report.jobs[i].outputs) == Numbers(whole.jobs[i].outputs));
    }
    jobs_before = report.jobs.size();
    edits_before = report.edits;
  }
  CHECK_EQ(jobs_before, whole.jobs.size());
  CHECK_EQ(edits_before, whole.edits);
}

TEST_CASE("ReportHistory: damage in a MANIFEST is a warning with its place; what is before stays") {
  Fixture t;
  t.FlushOne("k");
  t.FlushOne("k");
  t.CompactAll();
  const HistoryReport whole = t.Report();
  const std::string path = t.Manifest();
  const std::string bytes = t.Read(path);
  t.Close();
  size_t warned = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    CAPTURE(at);
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    WriteFile(t.fs, path, damaged);
    const HistoryReport report = t.Report();
    CHECK_LT(report.edits, whole.edits);
    for (size_t i = 0; i < report.jobs.size(); ++i) {
      CHECK_EQ(report.jobs[i].edit, whole.jobs[i].edit);
    }
    warned += report.warnings.size();
    for (const std::string& warning : report.warnings) {
      CHECK_NE(warning.find(whole.manifest + "@"), std::string::npos);
    }
  }
  CHECK_GT(warned, bytes.size() / 2);  // The others look as a crash leaves them.
}

TEST_CASE("ReportHistory: where there is no database, it says so") {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("empty").ok());
  CHECK(ReportHistory(*fs, "empty").status().code() == Code::kNotFound);
  CHECK(ReportHistory(*fs, "nowhere").status().code() == Code::kNotFound);
}

TEST_CASE("FamilyWrites: write amplification is what was written for each byte that came in") {
  FamilyWrites writes;
  CHECK_FALSE(writes.write_amplification().has_value());
  writes.compaction_written_bytes = 50;
  CHECK_FALSE(writes.write_amplification().has_value());
  writes.flushed_bytes = 30;
  writes.ingested_bytes = 20;
  CHECK_EQ(*writes.write_amplification(), 2.0);
}

}  // namespace
}  // namespace varve
