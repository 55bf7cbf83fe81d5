// SPDX-License-Identifier: Apache-2.0
// `varve VERB TARGET [ARGS] [FLAGS]`.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/ldb/ldb.h"
#include "cli/process/allocation.h"
#include "cli/run_command.h"

namespace {

// A program started without standard input, output or error would get 0, 1 and 2 for files that it
// opens, and its output would go into these. The numbers are assigned to files that can be neither
// read nor written, so that using them fails as before.
void FillStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest number that is free, which is `fd`.
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) std::abort();
  }
}

// An open database keeps all its tables open (max_open_files), and the usual soft limit of 1,024
// descriptors is too low.
void AllowOpenFiles() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Reaching the file size limit (ulimit -f) is an error with a message and must not end the program.
void LetLargeFilesFail() { std::signal(SIGXFSZ, SIG_IGN); }

// A link of that name stands for `varve ldb`, in scripts that call RocksDB's tool.
bool IsNamedLdb(std::string_view program) {
  return program.substr(program.find_last_of('/') + 1) == varve::cli::kLdbWord;
}

}  // namespace

int main(int argc, char** argv) {
  FillStandardDescriptors();
  varve::cli::TuneAllocation();
  varve::cli::EndWithoutMemory();
  AllowOpenFiles();
  LetLargeFilesFail();
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (argc > 0 && IsNamedLdb(argv[0])) words.insert(words.begin(), varve::cli::kLdbWord);
  return varve::cli::RunWordsOrReport(std::move(words));
}
