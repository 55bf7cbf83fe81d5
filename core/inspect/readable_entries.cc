// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/readable_entries.h"

#include "core/format/block_entry.h"
#include "core/format/block_view.h"

namespace varve {
namespace {

void ReadInterval(std::string_view bytes, std::vector<ReadableEntry>* out) {
  const char* p = bytes.data();
  const char* const limit = p + bytes.size();
  std::string key;
  while (p < limit) {
    BlockEntry entry;
    if (!ParseBlockEntry(p, limit, &entry) || entry.shared > key.size()) return;
    key.resize(entry.shared);
    key.append(entry.suffix());
    out->push_back({key, entry.value()});
    p = entry.end();
  }
}

}  // namespace

std::vector<ReadableEntry> ReadableEntries(std::string_view block) {
  std::vector<ReadableEntry> entries;
  const auto view = ParseBlock(block);
  if (!view.ok()) {
    ReadInterval(block, &entries);
    return entries;
  }
  if (view->separated) return entries;
  for (uint32_t i = 0; i < view->num_restarts; ++i) {
    const uint64_t from = view->restart_offset(i);
    const uint64_t to =
        i + 1 < view->num_restarts ? view->restart_offset(i + 1) : view->entries.size();
    ReadInterval(view->entries.substr(from, to - from), &entries);
  }
  return entries;
}

}  // namespace varve
