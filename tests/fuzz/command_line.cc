// SPDX-License-Identifier: Apache-2.0
// A command line: words, separated by NUL, as `varve` gets them. Runs in a directory of its own
// with a small database in it, "db", and a table, a log and records, "a.sst", "a.log" and "a.tsv";
// words that lead out of it are not run. The exit code is a documented one, and not 70, a bug.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/shell_words.h"
#include "cli/process/exit_code.h"
#include "cli/run_command.h"
#include "tests/fuzz/small_database.h"
#include "tests/fuzz/targets.h"

// Of sanitizers: the file descriptor that reports go to.
extern "C" __attribute__((weak)) void __sanitizer_set_report_fd(void* fd);

namespace varve::fuzz {
namespace {

namespace stdfs = std::filesystem;

constexpr size_t kWordsMax = 30;
// They wait for something, start other programs, or measure for as long as they like.
constexpr std::array<std::string_view, 3> kNotRun = {"serve", "shell", "bench"};

// Two levels down, so that ".." is ours, too. Stays in memory, and goes with the process.
class Place {
 public:
  Place() {
    const char* const shared_memory = "/dev/shm";
    root_ = (stdfs::is_directory(shared_memory) ? stdfs::path(shared_memory)
                                                : stdfs::temp_directory_path()) /
            ("varve_fuzz_" + std::to_string(getpid()));
    stdfs::create_directories(Work());
    MakeSmallDatabase(NativeEnvironment(), (root_ / "db").string());
    for (const stdfs::directory_entry& file : stdfs::directory_iterator(root_ / "db")) {
      const stdfs::path kind = file.path().extension();
      if (kind == ".sst" || kind == ".log") files_.push_back(file.path());
    }
    std::sort(files_.begin(), files_.end());
    setenv("HOME", root_.c_str(), 1);
    setenv("XDG_CONFIG_HOME", root_.c_str(), 1);
    setenv("TMPDIR", root_.c_str(), 1);
  }
  ~Place() { stdfs::remove_all(root_); }

  stdfs::path Work() const { return root_ / "a" / "b"; }
  void MakeAnew() const {
    stdfs::remove_all(root_ / "a");
    stdfs::remove_all(root_ / "varve");  // Of `varve config`.
    stdfs::create_directories(Work());
    stdfs::copy(root_ / "db", Work() / "db");
    for (const stdfs::path& file : files_) {
      stdfs::copy_file(file, Work() / ("a" + file.extension().string()),
                       stdfs::copy_options::skip_existing);
    }
    WriteFile(*NativeEnvironment().file_system, (Work() / "a.tsv").string(),
              "key1003\tvalue\nz\ty\n");
  }

 private:
  stdfs::path root_;
  std::vector<stdfs::path> files_;  // Tables and logs of the database.
};

const Place& ThePlace() {
  static const Place place;
  return place;
}

// While it lives, nothing is read from standard input, and what is written goes nowhere, but for
// reports of sanitizers.
class Silence {
 public:
  Silence() {
    for (int fd = 0; fd < 3; ++fd) {
      kept_[static_cast<size_t>(fd)] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
      const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
      dup2(nowhere, fd);
      close(nowhere);
    }
    ReportTo(kept_[2]);
  }
  ~Silence() {
    ReportTo(STDERR_FILENO);
    for (int fd = 0; fd < 3; ++fd) {
      const int kept = kept_[static_cast<size_t>(fd)];
      if (kept < 0) continue;
      dup2(kept, fd);
      close(kept);
    }
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  static void ReportTo(int fd) {
    if (__sanitizer_set_report_fd == nullptr) return;
    __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<intptr_t>(fd)));
  }

  std::array<int, 3> kept_;
};

std::vector<std::string> WordsOf(std::string_view bytes) {
  std::vector<std::string> words;
  while (!bytes.empty() && words.size() < kWordsMax) {
    const size_t end = std::min(bytes.find('\0'), bytes.size());
    words.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return words;
}

// `sst filter --ask 1000000` takes as long as it says.
bool AsksForMuch(const std::vector<std::string>& words) {
  constexpr size_t kDigitsMax = 4;
  constexpr std::string_view kFlag = "--ask";
  for (size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with(kFlag)) continue;
    if (words[i].size() > kFlag.size() + 1 + kDigitsMax) return true;
    if (i + 1 < words.size() && words[i + 1].size() > kDigitsMax) return true;
  }
  return false;
}

bool MayRun(const std::vector<std::string>& words) {
  return !AsksForMuch(words) &&
         std::none_of(words.begin(), words.end(), [](const std::string& word) {
           return word.find('/') != std::string::npos ||
                  std::find(kNotRun.begin(), kNotRun.end(), word) != kNotRun.end();
         });
}

void Run(std::string_view bytes) {
  cli::SplitWords(bytes).status().Ignore("any bytes");
  static_cast<void>(cli::SplitPipe(bytes));
  const std::vector<std::string> words = WordsOf(bytes);
  if (words.empty() || !MayRun(words)) return;
  const Place& place = ThePlace();
  place.MakeAnew();
  const stdfs::path before = stdfs::current_path();
  stdfs::current_path(place.Work());
  int code = 0;
  {
    const Silence silence;
    code = cli::RunWordsOrReport(words);
  }
  stdfs::current_path(before);
  Must(code >= cli::kDone && code <= cli::kRefused, "the exit code is a documented one");
}

}  // namespace

const Target command_line = {"command_line", Run};

}  // namespace varve::fuzz
