// SPDX-License-Identifier: Apache-2.0
// The first phases of a repair of "db" into "out", for tests of one of them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/repair/manifest_remains.h"
#include "core/repair/source_files.h"
#include "core/repair/table_rescue.h"
#include "tests/unit/repair/repair_files.h"

namespace varve {

struct RepairPhases : RepairFiles {
  RepairPhases() { REQUIRE(fs().CreateDirectory("out").ok()); }

  RepairJob Job(bool dry_run = false) const {
    return {.env = env(), .source = source, .destination = destination, .dry_run = dry_run};
  }
  void Survey() {
    auto found = SurveySource(fs(), "db");
    REQUIRE_MESSAGE(found.ok(), found.status().ToString());
    files = *std::move(found);
    auto read = ReadManifestRemains(fs(), "db", files);
    REQUIRE_MESSAGE(read.ok(), read.status().ToString());
    manifest = *std::move(read);
  }
  Result<RescuedTables> TryRescue(bool dry_run = false, const VerifyProgressFn& progress = {}) {
    Survey();
    return RescueTables(Job(dry_run), files, manifest, blobs, progress);
  }
  RescuedTables Rescue(bool dry_run = false) {
    auto rescued = TryRescue(dry_run);
    REQUIRE_MESSAGE(rescued.ok(), rescued.status().ToString());
    return *std::move(rescued);
  }
  // A MANIFEST that names these tables, the last sequence being 100.
  void ManifestOf(const std::vector<VersionEdit::NewFile>& tables) {
    VersionEdit edit = Begin(/*next_file_number=*/50, /*last_sequence=*/100);
    edit.new_files = tables;
    Manifest(5, {edit});
  }
  // Flips a bit, counted from the end if negative.
  void Flip(const std::string& name, int64_t at) {
    std::string bytes = Read("db/" + name);
    bytes[at < 0 ? bytes.size() - static_cast<size_t>(-at) : static_cast<size_t>(at)] ^= 1;
    Write(name, bytes);
  }
  std::vector<std::string> Written() {
    std::vector<std::string> names;
    const auto entries = fs().List("out");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    return names;
  }

  const std::string source = "db", destination = "out";
  const BlobReader blobs{fs(), "db"};
  SourceFiles files;
  ManifestRemains manifest;
};

inline TestEntry PutEntry(std::string key, Sequence sequence, std::string value = "v") {
  return {std::move(key), sequence, ValueType::kValue, std::move(value)};
}

}  // namespace varve
