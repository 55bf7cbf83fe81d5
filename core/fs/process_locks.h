// SPDX-License-Identifier: Apache-2.0
// The POSIX record locks of this process, taken by any library in it. close(2) of any descriptor of
// a file releases all of the process's locks on that file (POSIX, fcntl), and F_GETLK does not show
// them. So a program in which RocksDB has a database open must not open and close that database's
// LOCK file.
#pragma once

#include <sys/types.h>

namespace varve {

// Whether this process has such a lock on a file with this inode number, by Linux' /proc/locks;
// false if that cannot be read. The device is not compared, since for some file systems (overlayfs,
// btrfs) it differs from stat(2): a lock on another file with the same inode number gives true.
bool ProcessHasPosixLock(ino_t inode);

}  // namespace varve
