// SPDX-License-Identifier: Apache-2.0
// DB::Open() of a database whose jobs somebody listens to. Not installed.
#pragma once

#include <memory>
#include <string>

#include "core/engine/job_listener.h"
#include "varve/db.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve {

// As DB::Open(). `listener` may be null.
Result<std::unique_ptr<DB>> OpenListened(const Options& options, const std::string& path,
                                         JobListener* listener, RecoveryReport* report = nullptr);

}  // namespace varve
