// SPDX-License-Identifier: Apache-2.0
#include "core/repair/destination.h"

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/fs/durable.h"

namespace varve {

Status MakeDestination(FileSystem& fs, const std::string& directory) {
  const auto there = fs.List(directory);
  if (there.ok() && !there->empty()) return Status::Busy(directory + " is not empty");
  if (!there.ok() && fs.Exists(directory)) return Status::Busy(directory + " exists");
  RETURN_IF_ERROR(fs.CreateDirectory(directory));
  return SyncNameOfDirectory(fs, directory, /*was_there=*/there.ok());
}

Status ReplaceDirectory(FileSystem& fs, const std::string& repaired, const std::string& path,
                        const std::string& aside) {
  CHECK(path != aside && path != repaired && aside != repaired);
  RETURN_IF_ERROR(PublishDirectory(fs, path, aside));
  return PublishDirectory(fs, repaired, path);
}

}  // namespace varve
