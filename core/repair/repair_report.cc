// SPDX-License-Identifier: Apache-2.0
#include "core/repair/repair_report.h"

#include <algorithm>

namespace varve {

bool RepairReport::complete() const {
  return std::all_of(tables.begin(), tables.end(), [](const RepairTable& table) {
    if (table.fate == RepairTable::Fate::kLost) return false;
    return !table.bill || table.bill->complete();
  });
}

}  // namespace varve
