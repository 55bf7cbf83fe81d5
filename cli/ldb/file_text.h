// SPDX-License-Identifier: Apache-2.0
// Files of a database, as ldb prints them.
#pragma once

#include <string>

#include "cli/ldb/call.h"
#include "core/inspect/table/table_report.h"
#include "varve/status.h"

namespace varve::cli::ldb {

// `dump --path=FILE`: by the file's name.
Status DumpFile(Call& call, const std::string& path);

// Errors in the file are said on standard error, and are none of the verb, as in ldb, which does
// the same for all files but logs.
void PrintTable(Call& call, const std::string& path, bool hex, bool with_range);
void PrintBlobFile(Call& call, const std::string& path, bool key_hex, bool value_hex);
struct ManifestForm {
  bool edits = false;  // Each edit, before the state that they make.
  bool hex = false;
};
void PrintManifest(Call& call, const std::string& path, const ManifestForm& form);
struct WalForm {
  bool header = true;
  bool values = true;
};
Status PrintWal(Call& call, const std::string& path, const WalForm& form);

// The value of an entry; with --decode_blob_index, where it is.
std::string StoredValueText(const Call& call, const StoredEntry& entry, bool hex);

}  // namespace varve::cli::ldb
