// SPDX-License-Identifier: Apache-2.0
// `varve VERB TARGET [ARGS] [FLAGS]`.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/run_command.h"

namespace {

// glibc moves the size above which a buffer is a mapping of its own up to the largest that was ever
// freed. Buffers of compactions and memtables then come from the heap and leave it full of holes: a
// fill of 10 million records held twice the memory.
void KeepLargeBuffersOffTheHeap() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

// A program that is started without standard input, output or error would get 0, 1 and 2 for what
// it opens, and its words would go into sockets and files. The places are filled with what can be
// neither read from nor written to, so that using them fails as it would have.
void FillStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest number that is free, which is `fd`.
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) std::abort();
  }
}

// An open database keeps all its tables open (max_open_files), and 1,024 descriptors, the usual
// soft limit, are few.
void AllowOpenFiles() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// A file that may grow no further (ulimit -f) is an error with a message, not the end of the program.
void LetLargeFilesFail() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace

int main(int argc, char** argv) {
  FillStandardDescriptors();
  KeepLargeBuffersOffTheHeap();
  AllowOpenFiles();
  LetLargeFilesFail();
  return varve::cli::RunWordsOrReport(std::vector<std::string>(argv + 1, argv + argc));
}
