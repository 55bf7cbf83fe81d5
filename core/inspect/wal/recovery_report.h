// SPDX-License-Identifier: Apache-2.0
// The result of recovering a database's logs, without opening it. Reports that show a database's
// contents need it: records behind damage may be lost to readers.
#pragma once

#include <string>
#include <vector>

#include "varve/db.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

// Recovery in the default mode, applying nothing. A log that recovery rejects, or that cannot be
// opened, is also a loss: damaged() is true whenever a read would be partial or would fail because
// of a log. Errors are those of reading the MANIFEST and the files.
Result<RecoveryReport> ReportRecovery(FileSystem& fs, const std::string& directory);

// What a recovery in this mode would leave out of the logs with these names, even without the rest
// of the database.
Status SurveyLogs(FileSystem& fs, const std::string& directory,
                  const std::vector<std::string>& names, WalRecoveryMode mode,
                  RecoveryReport* report);

// Logs tracked by the MANIFEST, if that can be read, that are missing.
std::vector<RecoveryLoss> MissingLogs(FileSystem& fs, const std::string& directory);

// "000012.log@4096: checksum is ...; 1234 bytes cannot be replayed", for people.
std::string DescribeLoss(const RecoveryLoss& loss);

}  // namespace varve
