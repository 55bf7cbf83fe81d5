// SPDX-License-Identifier: Apache-2.0
// What recovery would make of the logs of a database, were it opened now. Whoever shows what a
// database holds asks: behind damage there may be records that nobody sees any more.
#pragma once

#include <string>
#include <vector>

#include "varve/db.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// As an opening in the default mode does it, which applies nothing here. Where that refuses a log
// altogether, or a log cannot be opened, this is a loss as well: damaged() is true whenever a read
// would be partial, or refused for a log. Failures are those of reading the MANIFEST and the files.
Result<RecoveryReport> ReportRecovery(FileSystem& fs, const std::string& directory);

// What a recovery in this mode would leave out of the logs of these names, however little else there
// is of the database.
Status SurveyLogs(FileSystem& fs, const std::string& directory,
                  const std::vector<std::string>& names, WalRecoveryMode mode,
                  RecoveryReport* report);

// What is missing of the logs that the MANIFEST tracks, if that can be read.
std::vector<RecoveryLoss> MissingLogs(FileSystem& fs, const std::string& directory);

// "000012.log@4096: checksum is ...; 1234 bytes cannot be replayed", for people.
std::string DescribeLoss(const RecoveryLoss& loss);

}  // namespace varve
