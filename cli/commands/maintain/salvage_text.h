// SPDX-License-Identifier: Apache-2.0
// The result of salvaging a table, as text.
#pragma once

#include "cli/output/console.h"
#include "core/inspect/salvage/salvage.h"

namespace varve::cli {

void PrintSalvage(Sink& out, const SalvageReport& report);

}  // namespace varve::cli
