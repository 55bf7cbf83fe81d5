// SPDX-License-Identifier: Apache-2.0
// The approximate number of bytes of table files between two keys (version/range_size.h) of a
// database that is not open. Data that is only in the logs does not count.
#pragma once

#include <optional>
#include <string>

#include "core/version/range_size.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// [from, to) of user keys, where nullopt is unbounded, or the keys with a prefix. NotSupported for
// an unknown comparator; InvalidArgument if its order scatters the keys of a prefix.
Result<ApproximateSize> MeasureRange(FileSystem& fs, const std::string& path,
                                     const std::string& family,
                                     const std::optional<std::string>& from,
                                     const std::optional<std::string>& to,
                                     const std::optional<std::string>& prefix = {});

}  // namespace varve
