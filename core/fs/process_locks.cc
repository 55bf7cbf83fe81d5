// SPDX-License-Identifier: Apache-2.0
#include "core/fs/process_locks.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

#include "core/fs/file_descriptor.h"

namespace varve {
namespace {

// Removes the next word from *line and returns it.
std::string_view TakeWord(std::string_view* line) {
  line->remove_prefix(std::min(line->find_first_not_of(' '), line->size()));
  const std::string_view word = line->substr(0, line->find(' '));
  line->remove_prefix(word.size());
  return word;
}

// "1: POSIX  ADVISORY  WRITE 4711 fd:01:1234567 0 EOF": see proc_locks(5). Waiting locks have "->"
// after the number.
bool IsOurs(std::string_view line, std::string_view pid, std::string_view inode) {
  TakeWord(&line);
  if (TakeWord(&line) != "POSIX") return false;
  TakeWord(&line);
  TakeWord(&line);
  if (TakeWord(&line) != pid) return false;
  const std::string_view file = TakeWord(&line);
  return file.substr(file.rfind(':') + 1) == inode;
}

// Files in /proc have no size: read to the end.
std::string ReadAll(int fd) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

bool ProcessHasPosixLock(ino_t inode) {
  const Result<FileDescriptor> fd = FileDescriptor::Open("/proc/locks", O_RDONLY);
  if (!fd.ok()) return false;
  const std::string text = ReadAll(fd->get());
  const std::string pid = std::to_string(::getpid()), number = std::to_string(inode);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (IsOurs(line, pid, number)) return true;
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return false;
}

}  // namespace varve
