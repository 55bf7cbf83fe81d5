// SPDX-License-Identifier: Apache-2.0
// Calls of the engine that may take minutes, and that Ctrl-C ends.
#pragma once

#include <atomic>
#include <functional>

#include "varve/status.h"

namespace varve::python {

// Runs `work`, which changes the database, without the GIL, and raises its error. Python handles
// signals in its main thread only: there, `work` runs in another thread meanwhile, and if a handler
// raises, as that of SIGINT does, `cancelled` becomes true. What was raised is raised here once the
// work has ended, even if it ended well.
void RunInterruptible(const std::function<Status(const std::atomic<bool>& cancelled)>& work);

}  // namespace varve::python
