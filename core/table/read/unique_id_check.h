// SPDX-License-Identifier: Apache-2.0
// Checks that an open table is the one that the MANIFEST names, by the origin in its properties.
#pragma once

#include <array>
#include <string>

#include "core/base/text/text.h"
#include "core/format/file_name.h"
#include "core/format/table/unique_id.h"
#include "core/table/read/table_reader.h"

namespace varve {

// `expected` is from the MANIFEST; zeros: it has none.
inline Status CheckUniqueId(const TableReader& table, FileNumber number,
                            const std::array<uint64_t, 2>& expected) {
  if (expected == std::array<uint64_t, 2>{0, 0}) return Status::Ok();
  const TableProperties& properties = table.properties();
  const std::array<uint64_t, 2> computed =
      TableUniqueId(properties.db_id, properties.db_session_id, properties.original_file_number);
  if (computed == expected) return Status::Ok();
  return Status::Corruption("unique id is " + Hex(computed[0], 16) + Hex(computed[1], 16) +
                            ", the MANIFEST says " + Hex(expected[0], 16) + Hex(expected[1], 16))
      .At(FileOffset(TableFileName(number), 0));
}

}  // namespace varve
