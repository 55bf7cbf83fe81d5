// SPDX-License-Identifier: Apache-2.0
#include "cli/process/exit_code.h"

namespace varve::cli {

ExitCode ExitCodeOf(const Status& status) {
  switch (status.code()) {
    case Code::kOk:
      return kDone;
    case Code::kCorruption:
      return kCorrupt;
    case Code::kIoError:
    case Code::kNoSpace:
    case Code::kNotFound:
      return kEnvironment;
    case Code::kInvalidArgument:
      return kUsage;
    case Code::kNotSupported:
      return kUnsupported;
    case Code::kBusy:
      return kBusyTarget;
    case Code::kShutdown:
      return kBug;
  }
  return kBug;
}

}  // namespace varve::cli
