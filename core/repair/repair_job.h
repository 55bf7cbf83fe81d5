// SPDX-License-Identifier: Apache-2.0
// Parameters of all phases of a repair.
#pragma once

#include <string>

#include "core/format/file_name.h"
#include "varve/comparator.h"
#include "varve/environment.h"

namespace varve {

struct RepairJob {
  const Environment& env;
  const std::string& source;
  const std::string& destination;
  bool dry_run = false;
  const Comparator* comparator = nullptr;  // Of RepairOptions.

  FileSystem& fs() const { return *env.file_system; }
  std::string In(const std::string& name) const { return JoinPath(source, name); }
  std::string Out(const std::string& name) const { return JoinPath(destination, name); }
};

}  // namespace varve
