// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/bench/peer_process.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "cli/commands/bench/result_reader.h"
#include "cli/process/leftovers.h"
#include "core/base/try.h"

extern char** environ;

namespace varve::cli::bench {
namespace {

Status Failed(const std::string& what, int error) {
  return Status::IoError(what + ": " + std::strerror(error));
}

// Its standard output, if it exits successfully.
Result<std::string> Output(const std::string& executable, std::vector<std::string> words) {
  int ends[2];
  if (pipe(ends) != 0) return Failed("pipe", errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  words.insert(words.begin(), executable);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  // It receives the signals that are blocked here; we forward them as well.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error =
      posix_spawn(&child, executable.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  std::optional<ChildProcess> running;
  if (error == 0) running.emplace(child);
  close(ends[1]);
  std::string output;
  std::array<char, 1 << 16> buffer;
  for (ssize_t got; error == 0 && (got = read(ends[0], buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno != EINTR) break;
    if (got > 0) output.append(buffer.data(), static_cast<size_t>(got));
  }
  close(ends[0]);
  if (error != 0) return Failed(executable, error);
  int ended = 0;
  while (waitpid(child, &ended, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0) {
    return Status::IoError(executable + " failed: see above");
  }
  return output;
}

}  // namespace

Result<PeerRun> RunPeer(const std::string& executable, const std::vector<std::string>& words) {
  std::vector<std::string> all = {"bench", "run", "--json", "-q"};
  all.insert(all.end(), words.begin(), words.end());
  ASSIGN_OR_RETURN(const std::string output, Output(executable, std::move(all)));
  const Result<ReadResult> result = ReadResultJson(output);
  if (!result.ok() || result->runs.empty()) {
    return Status::InvalidArgument(executable + " did not print a result of bench run");
  }
  const ReadRun& last = result->runs.back();
  PeerRun run{.store = result->store,
              .rate = 0,
              .operations = last.operations,
              .found = last.found,
              .checksum = last.checksum};
  if (last.seconds > 0) run.rate = static_cast<double>(run.operations) / last.seconds;
  return run;
}

std::string ThisExecutable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

std::string PeerBesideUs(const std::string& name) {
  const std::filesystem::path self = ThisExecutable();
  const std::filesystem::path peer = self.parent_path() / ("varve-bench-" + name);
  return !self.empty() && access(peer.c_str(), X_OK) == 0 ? peer.string() : "";
}

}  // namespace varve::cli::bench
