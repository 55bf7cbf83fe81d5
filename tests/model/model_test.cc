// SPDX-License-Identifier: Apache-2.0
// Random operations (tests/mix) against a database and against a model, which is right. Even seeds
// run in memory without threads, odd ones on disk with them, unless there is no disk.
//
//   model_test [--seed=N] [--ops=N | --keep=LIST] [--first=N] [--seeds=N] [--in-memory] [--trace]
//
// A difference prints the line that replays it (tests/replay) and ends the run.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/threads/inline_executor.h"
#include "core/fs/memory_fs.h"
#include "tests/mix/arguments.h"
#include "tests/mix/mix.h"
#include "tests/mix/varve_kind.h"
#include "tests/replay/kept.h"
#include "tests/replay/replay.h"

namespace varve::mix {
namespace {

struct Command {
  replay::Kept ops;
  bool in_memory = false;
  bool trace = false;
};

// Syncing costs nothing where there is no disk.
std::string PathOf(uint64_t seed) {
  const std::filesystem::path shared_memory = "/dev/shm";
  const std::filesystem::path parent = std::filesystem::is_directory(shared_memory)
                                           ? shared_memory
                                           : std::filesystem::temp_directory_path();
  const std::string path =
      (parent / ("varve_model_" + std::to_string(getpid()) + "_" + std::to_string(seed))).string();
  std::filesystem::remove_all(path);
  return path;
}

std::string ReplayLine(uint64_t seed, const Command& command, const replay::Kept& ops) {
  return "model --seed=" + std::to_string(seed) + " " + ops.Option() +
         (command.in_memory ? " --in-memory" : "");
}

bool Run(uint64_t seed, const Command& command) {
  replay::At(ReplayLine(seed, command, command.ops));
  const bool in_memory = command.in_memory || seed % 2 == 0;
  const std::unique_ptr<FileSystem> memory = NewMemoryFileSystem();
  InlineExecutor executor;
  Environment environment = NativeEnvironment();
  if (in_memory) {
    environment.file_system = memory.get();
    environment.executor = &executor;
  }
  VarveKind varve(environment, /*newest_tables=*/true);
  if (seed % 3 == 0) varve.WriteInTwoPhases();
  const std::string path = in_memory ? "db" : PathOf(seed);
  Mix mix(seed, {.engines = {&varve}, .path = path, .steps = command.ops, .trace = command.trace});
  const Trouble trouble = mix.Run();
  if (!trouble.empty()) {
    std::fprintf(stderr, "%s\n", trouble.c_str());
    replay::Print(ReplayLine(seed, command, command.ops.Before(mix.step() + 1)));
    if (!in_memory) std::fprintf(stderr, "the directory is kept: %s\n", path.c_str());
    return false;
  }
  if (command.trace) std::fprintf(stderr, "%s\n", mix.Counts().c_str());
  if (!in_memory) std::filesystem::remove_all(path);
  return true;
}

}  // namespace
}  // namespace varve::mix

int main(int argc, char** argv) {
  using varve::mix::Argument;
  if (varve::mix::HasUnknownArgument(
          argc, argv,
          {"--seed=", "--ops=", "--keep=", "--first=", "--seeds=", "--in-memory", "--trace"})) {
    return 2;
  }
  const varve::mix::Command command = {
      .ops = varve::replay::Kept(argc, argv, Argument(argc, argv, "--ops", 1000)),
      .in_memory = varve::mix::HasFlag(argc, argv, "--in-memory"),
      .trace = varve::mix::HasFlag(argc, argv, "--trace"),
  };
  if (!command.ops.ok()) return 2;
  const varve::mix::Seeds seeds(argc, argv, 150);
  for (uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    if (!varve::mix::Run(seed, command)) return 1;
  }
  std::printf("%llu seeds\n", static_cast<unsigned long long>(seeds.count));
  return 0;
}
