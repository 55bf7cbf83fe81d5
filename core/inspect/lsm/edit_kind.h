// SPDX-License-Identifier: Apache-2.0
// The kinds of the edits of a MANIFEST: the one list of their names, from which filters, schemas
// and the choices of the command line are made. The kind of an edit: manifest_timeline.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace varve {

enum class EditKind : uint8_t {
  kSnapshot,
  kFlush,
  kIngestion,
  kCompaction,
  kTrivialMove,
  kDeletion,
  kAddFamily,
  kDropFamily,
  kCounters,  // No files: counters, comparator, WAL tracking.
};

inline constexpr std::array<std::string_view, 9> kEditKindNames = {
    "snapshot", "flush",      "ingestion",   "compaction", "trivial_move",
    "deletion", "add_family", "drop_family", "counters"};
static_assert(kEditKindNames.size() == static_cast<size_t>(EditKind::kCounters) + 1);

constexpr std::string_view EditKindName(EditKind kind) {
  return kEditKindNames.at(static_cast<size_t>(kind));
}

// Whether edits of this kind change which files are live: the jobs of a history.
constexpr bool IsJob(EditKind kind) {
  return kind != EditKind::kAddFamily && kind != EditKind::kCounters;
}

inline constexpr auto kJobKindNames = [] {
  std::array<std::string_view, kEditKindNames.size() - 2> names;
  size_t jobs = 0;
  for (size_t kind = 0; kind < kEditKindNames.size(); ++kind) {
    if (IsJob(static_cast<EditKind>(kind))) names.at(jobs++) = kEditKindNames.at(kind);
  }
  return names;
}();
static_assert(std::none_of(kJobKindNames.begin(), kJobKindNames.end(),
                           [](std::string_view name) { return name.empty(); }));

}  // namespace varve
