// SPDX-License-Identifier: Apache-2.0
// What the engine says of itself, as dicts: the names are those of the members.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "varve/db.h"

namespace varve::python {

nanobind::dict ToDict(const DbStats& stats);
nanobind::dict ToDict(const FamilyStats& stats);
nanobind::dict ToDict(const RecoveryReport& report);
nanobind::list ToList(const std::vector<LevelInfo>& levels);
nanobind::list ToList(const std::vector<LiveFile>& files);

}  // namespace varve::python
