// SPDX-License-Identifier: Apache-2.0
// Makes the checksums of a log's records right (WALs and MANIFESTs), writes the log again, or
// checks what is shown of its bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/wal/log_layout.h"
#include "tests/fuzz/target.h"

namespace varve::fuzz {

// Each record whose header says where it ends gets its checksum.
void MendLog(std::string* log);

// The logical records that can be read.
std::vector<std::string> RecordsOf(std::string_view log);
// A log of these records.
std::string LogOf(const std::vector<std::string>& records);

// Changes anything and mends; or changes, drops, doubles or moves a logical record and writes the
// log again. For Target::change.
void ChangeLog(std::string* log, size_t size_max, uint32_t seed, const AnyChange& any);

// The parts of a log's layout follow each other and have all its bytes.
void MustTile(FileSystem& fs, const std::string& path, LogKind kind);

}  // namespace varve::fuzz
