// SPDX-License-Identifier: Apache-2.0
// Shared by resources about the LSM tree: the tree at an edit of the MANIFEST, and its JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/inspect/lsm/lsm_report.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

// The LSM tree after `edit`, or the current one: of a database, or of a MANIFEST alone.
// edit_not_found if the MANIFEST has fewer edits.
Answer<std::shared_ptr<const LsmReport>> LsmAtEdit(const Call& call, std::optional<uint64_t> edit,
                                                   bool open_tables);
// Call::Head() with the "as_of" of that report.
Json HeadAt(const Call& call, const LsmReport& report);

const Fields<LevelReport>& LevelFields();
const Fields<FamilyReport>& CompactionFields();  // Style, targets, base level.

}  // namespace varve::api
