// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/salvage/readable_entries.h"

#include <string>

#include "core/base/try.h"
#include "core/format/table/block_entry.h"
#include "core/format/table/block_view.h"

namespace varve {
namespace {

using Visit = std::function<Status(std::string_view key, std::string_view value)>;

Status ReadInterval(std::string_view bytes, const Visit& visit) {
  const char* p = bytes.data();
  const char* const limit = p + bytes.size();
  std::string key;
  while (p < limit) {
    BlockEntry entry;
    if (!ParseBlockEntry(p, limit, &entry) || entry.shared > key.size()) break;
    key.resize(entry.shared);
    key.append(entry.suffix());
    RETURN_IF_ERROR(visit(key, entry.value()));
    p = entry.end();
  }
  return Status::Ok();
}

}  // namespace

Status VisitReadableEntries(std::string_view block, const Visit& visit) {
  const auto view = ParseBlock(block);
  if (!view.ok()) return ReadInterval(block, visit);
  if (view->separated) return Status::Ok();
  for (uint32_t i = 0; i < view->num_restarts; ++i) {
    const uint64_t from = view->restart_offset(i);
    const uint64_t to =
        i + 1 < view->num_restarts ? view->restart_offset(i + 1) : view->entries.size();
    RETURN_IF_ERROR(ReadInterval(view->entries.substr(from, to - from), visit));
  }
  return Status::Ok();
}

}  // namespace varve
