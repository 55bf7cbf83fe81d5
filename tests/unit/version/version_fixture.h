// SPDX-License-Identifier: Apache-2.0
// Files, Versions and edits in few words, and a state as text.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text/text.h"
#include "core/format/internal_key.h"
#include "core/version/column_families.h"
#include "core/version/version.h"
#include "core/version/version_builder.h"

namespace varve {

inline FileDescription MakeFile(FileNumber number, std::string_view smallest,
                                std::string_view largest, Sequence first = 1, Sequence last = 1) {
  FileDescription file;
  file.number = number;
  file.size = 1000;
  file.smallest = EncodeInternalKey({smallest, last, ValueType::kValue});
  file.largest = EncodeInternalKey({largest, first, ValueType::kValue});
  file.smallest_sequence = first;
  file.largest_sequence = last;
  return file;
}

inline VersionEdit AddFiles(int level, const std::vector<FileDescription>& files) {
  VersionEdit edit;
  for (const FileDescription& file : files) edit.new_files.push_back({level, file});
  return edit;
}

inline std::string KeyText(const InternalKey& key) {
  return HexBytes(key.user_key) + "@" + std::to_string(key.sequence) + ":" +
         std::to_string(static_cast<int>(key.type));
}

// `with_sequences`: off for databases of LevelDB, whose MANIFESTs know none.
inline std::string VersionText(const Version& version, bool with_sequences = true) {
  std::string text;
  const auto number = [](uint64_t n) { return std::to_string(n); };
  for (int level = 0; level < version.num_levels(); level++) {
    for (const FilePtr& file : version.files(level)) {
      const FileDescription& d = file->description;
      text += "  L" + number(static_cast<uint64_t>(level)) + " " + number(d.number) + "  size " +
              number(d.size);
      if (with_sequences) {
        text += "  seq " + number(d.smallest_sequence) + ".." + number(d.largest_sequence) +
                "  epoch " + number(d.epoch);
      }
      text += "  " + KeyText(file->smallest) + " .. " + KeyText(file->largest) + "\n";
    }
  }
  for (const BlobFileMetadata& blob : version.blob_files()) {
    text += "  blob " + number(blob.number) + "  " + number(blob.blobs) + " blobs, " +
            number(blob.bytes) + " bytes  garbage " + number(blob.garbage_blobs) + ", " +
            number(blob.garbage_bytes) + "\n";
  }
  return text;
}

inline std::string OrDash(const std::string& text) { return text.empty() ? "-" : text; }

inline std::string StateText(const DatabaseState& state, bool with_sequences = true) {
  const DatabaseCounters& c = state.counters;
  std::string text = "next file " + std::to_string(c.next_file_number) + "  last sequence " +
                     std::to_string(c.last_sequence) + "  keep logs from " +
                     std::to_string(c.min_log_number_to_keep) + "  highest family " +
                     std::to_string(c.max_family) + "  id " + OrDash(c.db_id) + "\n";
  for (const FamilyState& family : state.families.all()) {
    text += "family " + std::to_string(family.id) + " " + family.name + "  comparator " +
            OrDash(family.comparator_name) + "  log " + std::to_string(family.log_number) + "\n" +
            VersionText(*family.version, with_sequences);
  }
  return text;
}

// The Version that `edit` makes of nothing; the case fails if it may not exist.
inline std::shared_ptr<const Version> MakeVersion(const VersionEdit& edit,
                                                  const Comparator& comparator, int levels = 7,
                                                  TableCache* tables = nullptr) {
  VersionBuilder builder(&comparator, nullptr, levels);
  const Status applied = builder.Apply(edit);
  REQUIRE_MESSAGE(applied.ok(), applied.ToString());
  Result<std::shared_ptr<const Version>> version = builder.Build(tables, kMaxSequence);
  REQUIRE_MESSAGE(version.ok(), version.status().ToString());
  return *version;
}

}  // namespace varve
