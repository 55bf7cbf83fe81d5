// SPDX-License-Identifier: Apache-2.0
// DB::Open() with slower search algorithms than the default, for benchmarks, teaching and tests.
// Not installed.
#pragma once

#include <memory>
#include <string>

#include "core/base/options/grades.h"
#include "varve/db.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// As DB::Open() and DB::OpenReadOnly().
Result<std::unique_ptr<DB>> OpenGraded(const Options& options, const Grades& grades,
                                       const std::string& path, RecoveryReport* report = nullptr);
Result<std::unique_ptr<DB>> OpenGradedReadOnly(const Options& options, const Grades& grades,
                                               const std::string& path,
                                               RecoveryReport* report = nullptr);

}  // namespace varve
