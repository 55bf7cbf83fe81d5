// SPDX-License-Identifier: Apache-2.0
// Decides whether the place where a log becomes unreadable is its end, as a crash leaves it, or
// damage.
//
//   torn       | good | good | cut|                 the process died within a write
//              | good | good | cut| 0 0 0 0 0 0     ... in preallocated space
//              | good | good | cut| old | old |     ... in a file that is used again
//   damaged    | good | BAD  | good | good |        what follows was written later
//              | good | 0 0 0 0 0   | good |
//
// A log is written sequentially, so no record of it can follow a write that was cut short. Later
// data is searched for as follows:
//
//   - in the block of the bad place, at any byte: a whole record of this log (its checksum is
//     right, and in a file with recyclable headers, its log number), since a wrong length hides
//     where the next one begins;
//   - behind the length that a bad record of a legacy log claims, and in all later blocks of such a
//     log: any byte that is not zero;
//   - in later blocks of a file with recyclable headers, which are full of old records: a
//     record of this log in the chain that begins with the block.
//
// A file counts as recyclable once an intact record has a recyclable header. If only the bad record
// has one, either it was being written into a reused file, or a legacy record has a wrong type:
// then only complete records of this log, with either header, are searched for.
//
// The writer of a reused file may continue while it is read, so that the bad record is a complete
// record of this log when it is read again. Then the log ended there when it was first read.
//
// The cost is proportional to the bytes behind the place. decisions/0020-damage-in-a-wal.md
// describes cases that the rule cannot distinguish.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/wal/log_reader.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// For the last result of `log`, which must not be kRecord: nullopt if the log ends there; otherwise
// the evidence that it does not, for people. `log_number`: as for LogReader.
//
// Callers that continue behind the place and call again pass the same *known for the whole log,
// initially 0: the offset of data found before, which is not searched again.
Result<std::optional<std::string>> FindDataBehind(const RandomAccessFile& file, uint64_t file_size,
                                                  uint64_t log_number, const LogReader& log,
                                                  LogReader::Event event,
                                                  uint64_t* known = nullptr);

}  // namespace varve
