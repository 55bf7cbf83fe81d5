// SPDX-License-Identifier: Apache-2.0
// The OPTIONS file of a database directory (db-format section 6). The engine needs none; RocksDB's
// tools do where the comparator is not the default or there are several families, and RocksDB
// leaves one whose merge operators we take over.
#pragma once

#include <span>
#include <vector>

#include "core/engine/context.h"
#include "core/format/options_file.h"

namespace varve {

// What the newest one says; nothing if there is none or it is damaged: nothing depends on it.
OptionsFile ReadNewestOptions(const EngineContext& context,
                              const std::vector<DirectoryEntry>& entries);

// Writes OPTIONS-`number` for exactly these families, and removes those in `entries`.
Status ReplaceOptions(const EngineContext& context, const std::vector<DirectoryEntry>& entries,
                      FileNumber number, std::span<const FamilyNames> families,
                      const OptionsFile& previous);

// The built-in operator that the file names for the family, or null.
const MergeOperator* OperatorOfOptions(const OptionsFile& file, std::string_view family);

}  // namespace varve
