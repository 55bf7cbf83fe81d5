// SPDX-License-Identifier: Apache-2.0
// The POSIX record locks of this process, whoever in it took them. close(2) of any descriptor of a
// file drops all of them on that file (POSIX, fcntl), and F_GETLK does not show them. So a program
// that has RocksDB in it, with a database open, must not open and close the LOCK file of that one.
#pragma once

#include <sys/types.h>

namespace varve {

// Does this process hold such a lock on a file with this inode number? By Linux' /proc/locks; false
// where that cannot be read. The device is not compared, since some file systems (overlayfs, btrfs)
// say another one there than stat(2) does: a lock on another file with the same number answers true.
bool ProcessHasPosixLock(ino_t inode);

}  // namespace varve
