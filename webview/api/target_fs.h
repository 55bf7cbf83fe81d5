// SPDX-License-Identifier: Apache-2.0
// TargetFs gives read-only access to one directory or file under a name of its own.
//
//   TargetFs(posix, "/srv/db/pkgs", "pkgs")    "pkgs"            -> /srv/db/pkgs
//                                              "pkgs/000012.sst" -> /srv/db/pkgs/000012.sst
//                                              anything else     -> NotFound
//
// Messages of the underlying file system are passed on with the real path replaced. Thread-safe.
#pragma once

#include <memory>
#include <string>

#include "varve/file_system.h"

namespace varve::api {

std::unique_ptr<FileSystem> NewTargetFs(FileSystem& below, std::string real_path,
                                        std::string shown_name);

}  // namespace varve::api
