// SPDX-License-Identifier: Apache-2.0
// A table to be ingested whose comparator has another name than the family's. Its keys may ascend
// in both orders; then a copy of its entries that names the family's comparator serves as well. The
// file itself does not: its index may separate blocks by keys that are in the other order only, and
// tools go by the name.
#pragma once

#include <string>

#include "varve/environment.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// Whether the table at `source` names another comparator than that of `options`, which must not be
// null.
Result<bool> HasOtherComparator(FileSystem& fs, const std::string& source,
                                const ColumnFamilyOptions& options);

// Writes the entries of `source` to a table at `path` with that comparator, and syncs it.
// kInvalidArgument if they do not ascend, or if it was not made for ingestion; kNotSupported for
// entries that no SstFileWriter takes. Removes what it wrote if it fails.
Status CopyInOrder(const Environment& env, const std::string& source, const std::string& path,
                   const ColumnFamilyOptions& options);

}  // namespace varve
