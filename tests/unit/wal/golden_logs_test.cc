// SPDX-License-Identifier: Apache-2.0
// Every WAL and MANIFEST under fixtures/db against fixtures/logs.txt, which an independent decoder
// wrote; and each of them damaged.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "core/base/text/text.h"
#include "core/format/file_name.h"
#include "core/format/log/write_batch_format.h"
#include "core/format/manifest/version_edit.h"
#include "tests/unit/wal/log_bytes.h"

namespace varve {
namespace {

using Event = LogReader::Event;

struct GoldenLog {
  std::string path;  // Under fixtures/.
  bool clean = false;
  std::vector<std::string> records;  // Lines.

  FileName name() const { return *ParseFileName(path.substr(path.rfind('/') + 1)); }
  uint64_t log_number() const { return name().kind == FileKind::kWal ? name().number : 0; }
};

std::vector<GoldenLog> GoldenLogs() {
  std::vector<GoldenLog> logs;
  std::ifstream in(VARVE_FIXTURES "/logs.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    if (line.starts_with("  ")) {
      logs.back().records.push_back(line);
      continue;
    }
    const size_t space = line.find(' ');
    logs.push_back({line.substr(0, space), line.substr(space) == " clean", {}});
  }
  return logs;
}

std::string Fixture(const std::string& path) {
  std::ifstream in(VARVE_FIXTURES "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Line(const Step& step, bool wal) {
  std::ostringstream line;
  line << "  " << step.offset << " " << step.record.size() << " "
       << Hex(ComputeCrc32c(step.record).value, 8);
  if (!wal) return line.str();
  BatchReader in(step.record);
  line << " " << in.header().sequence << " " << in.header().count;
  BatchRecord record;
  for (char separator = ' '; in.Next(&record); separator = ',') {
    line << separator << int{record.tag};
  }
  if (!in.status().ok()) line << " malformed";
  return line.str();
}

TEST_CASE("LogReader: finds in every golden log what an independent decoder found") {
  const std::vector<GoldenLog> logs = GoldenLogs();
  REQUIRE(logs.size() > 100);
  for (const GoldenLog& log : logs) {
    CAPTURE(log.path);
    bool clean = true;
    std::vector<std::string> lines;
    for (const Step& step : ReadSteps(Fixture(log.path), log.log_number())) {
      if (step.event == Event::kBad || step.event == Event::kTruncated) clean = false;
      REQUIRE(step.event != Event::kIoError);
      if (step.event != Event::kRecord) continue;
      lines.push_back(Line(step, log.name().kind == FileKind::kWal));
    }
    CHECK(clean == log.clean);
    CHECK(lines == log.records);
  }
}

TEST_CASE("VersionEdit: every golden one survives being written again") {
  size_t edits = 0;
  for (const GoldenLog& log : GoldenLogs()) {
    if (log.name().kind != FileKind::kManifest) continue;
    CAPTURE(log.path);
    for (const std::string& record : Records(ReadSteps(Fixture(log.path), 0))) {
      Result<VersionEdit> edit = DecodeVersionEdit(record);
      REQUIRE(edit.ok());
      edit->wal_additions.clear();  // These are never written.
      edit->wal_deleted_below.reset();
      edit->compact_cursors.clear();
      edit->skipped_tags.clear();
      std::string again;
      EncodeVersionEdit(*edit, &again);
      const Result<VersionEdit> reread = DecodeVersionEdit(again);
      REQUIRE(reread.ok());
      CHECK(*reread == *edit);
      ++edits;
    }
  }
  CHECK(edits > 100);
}

TEST_CASE("LogReader: no flipped bit of a golden log goes unnoticed or adds a record") {
  for (const GoldenLog& log : GoldenLogs()) {
    const std::string bytes = Fixture(log.path);
    if (bytes.size() > 1000 || !log.clean) continue;
    CAPTURE(log.path);
    const std::vector<std::string> whole = Records(ReadSteps(bytes, log.log_number()));
    for (size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
      const std::vector<Step> steps = ReadSteps(damaged, log.log_number());
      const std::vector<std::string> found = Records(steps);
      bool noticed = found == whole;
      for (const Step& step : steps) {
        if (step.event != Event::kRecord && step.event != Event::kEnd) noticed = true;
      }
      CHECK(noticed);
      CHECK(found.size() <= whole.size());
    }
  }
}

}  // namespace
}  // namespace varve
