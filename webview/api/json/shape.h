// SPDX-License-Identifier: Apache-2.0
// What the resources about the shape of a database share: the shape at an edit, described.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/inspect/history/history.h"
#include "core/inspect/lsm/lsm_report.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

// The shape after `edit`, or now: of a database, or of a MANIFEST on its own. edit_not_found if the
// MANIFEST has fewer.
Answer<std::shared_ptr<const LsmReport>> ShapeAt(const Call& call, std::optional<uint64_t> edit,
                                                 bool open_tables);
// Call::Head() with "as_of" of that shape.
Json HeadAt(const Call& call, const LsmReport& report);
// The family that {cf} or cf= names at that edit; null if there is none.
const FamilyReport* FamilyOf(const LsmReport& report, std::string_view name);

const Fields<LevelReport>& LevelFields();
const Fields<FamilyReport>& CompactionFields();  // Style, targets, where level 0 goes.
const Fields<JobReport>& JobFields();

}  // namespace varve::api
