// SPDX-License-Identifier: Apache-2.0
// The files of a directory as one input:
//
//   ( size of the name (1) | name | size of the file, LE u32 | bytes )*
//
// Any bytes are a bundle: what does not fit is cut.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fuzz/target.h"

namespace varve::fuzz {

using Bundle = std::vector<std::pair<std::string, std::string>>;  // Names and contents.

Bundle Unpack(std::string_view input);
std::string Pack(const Bundle& bundle);

// Writes the files into a new directory.
void WriteBundle(const Bundle& bundle, FileSystem& fs, const std::string& directory);

// Changes a file by its kind, as mend_table.h and mend_log.h do, or drops, renames or doubles one.
// For Target::change.
void ChangeBundle(std::string* input, size_t size_max, uint32_t seed, const AnyChange& any);

}  // namespace varve::fuzz
