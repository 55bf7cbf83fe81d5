// SPDX-License-Identifier: Apache-2.0
// `varve ldb ...`, or the program under the name `ldb`: the command line of RocksDB's tool of that
// name, release 7.8.3, with its verbs, options, output and exit codes, so that scripts need not be
// changed. cli/ldb/README.md has what is different.
#pragma once

#include <string>
#include <vector>

namespace varve::cli {

inline constexpr char kLdbWord[] = "ldb";

// Runs the words behind `ldb`. Returns 0 or, for whatever fails, 1.
int RunLdb(const std::vector<std::string>& words);

}  // namespace varve::cli
