// SPDX-License-Identifier: Apache-2.0
// Is the place at which a log cannot be read on its end, as a crash leaves it, or damage?
//
//   torn       | good | good | cut|                 the process died within a write
//              | good | good | cut| 0 0 0 0 0 0     ... in preallocated space
//              | good | good | cut| old | old |     ... in a file that is used again
//   damaged    | good | BAD  | good | good |        what follows was written later
//              | good | 0 0 0 0 0   | good |
//
// A log is written from its beginning to its end, so nothing of it can follow a write that was cut
// short. Whatever follows is looked for as follows:
//
//   - in the block of the bad place, at any byte: a whole record of this log (its checksum is right,
//     and in a file with recyclable headers, its log number), since a wrong length hides where the
//     next one begins;
//   - behind the length that a bad record of a legacy log claims, and in all later blocks of such a
//     log: any byte that is not zero;
//   - in later blocks of a file with recyclable headers, which are full of its previous life: a
//     record of this log in the chain that begins with the block.
//
// A file is taken for one with recyclable headers once an intact record has one. Where only the bad
// record claims one, either it was being written into a reused file, or a legacy record has a wrong
// type: then whole records of this log are looked for, with either header, and nothing else.
//
// The writer of a reused file may go on while it is read, so that what was bad is a whole record of
// this log when it is looked at again. Then the log ended there when it was read.
//
// What it costs grows with the bytes behind the place. See decisions/0020-damage-in-a-wal.md for what the rule cannot
// tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/wal/log_reader.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// Of what `log` returned last, which is not kRecord: nullopt if the log ends there, else what says
// that it does not, for people. `log_number`: as for LogReader.
//
// Who goes on behind the place and asks again has one *known for the whole log, 0 at first: where
// data was found, which is not looked for again.
Result<std::optional<std::string>> FindDataBehind(const RandomAccessFile& file, uint64_t file_size,
                                                  uint64_t log_number, const LogReader& log,
                                                  LogReader::Event event,
                                                  uint64_t* known = nullptr);

}  // namespace varve
