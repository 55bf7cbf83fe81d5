// SPDX-License-Identifier: Apache-2.0
// Confinement: gives up what a long-lived process does not need of the file system and of the
// network, so that a defect in it cannot be used to reach other files or machines.
//
//   read      ./db, token       files, and directories with all that is in them, and the files that
//                               links in these lead to
//   write     ./db              directories in which files are made, changed and deleted
//   scratch   /tmp/varve-x7Kp   likewise; and it may be removed in the end
//   all else                    EACCES: no other file is opened, made, renamed or executed, and no
//                               TCP connection is made but to `ports` (those that clients make go
//                               on)
//
// By Landlock (Linux 5.13; landlock(7), and Documentation/userspace-api/landlock.rst of the
// kernel). It holds for the calling thread and all that it starts from then on, until the process
// ends: call it before there are others. Names and sizes of files can still be asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "varve/result.h"

namespace varve::cli {

// Paths that do not exist are skipped: opening them fails as it would without confinement.
struct Needs {
  std::vector<std::string> read;
  std::vector<std::string> write;
  std::string scratch;               // Empty: none.
  std::vector<uint16_t> ports = {};  // TCP ports to which connections may be made, of any machine.
};

// False if this kernel has no Landlock, or has it switched off. IoError: it refused.
Result<bool> Confine(const Needs& needs);

// A directory for the temporary files of this process only, used instead of $TMPDIR, which has
// files of other programs. Created and removed with this object, unless the process is killed.
// Before there are threads: leftovers.h's directories are watched by one, which would not be
// confined.
class OwnScratch {
 public:
  OwnScratch();
  ~OwnScratch();
  OwnScratch(const OwnScratch&) = delete;
  OwnScratch& operator=(const OwnScratch&) = delete;

  // Empty if it could not be created; then temporary files cannot be, either.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace varve::cli
