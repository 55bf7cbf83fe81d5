// SPDX-License-Identifier: Apache-2.0
// memory_orders_test [--part=NAME] [--first=N] [--seeds=N]: executions N, N+1, … of each part, or
//     of those whose names begin so
//   --trace: of an execution that fails, each access to an atomic, with its lines of the source
//   --weaken [--list] [--only=TEXT]: weakens each order, or those in lines with the text
//     (weaken.h); lists what each does
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/memory_orders/accesses.h"
#include "tests/memory_orders/model.h"
#include "tests/memory_orders/parts.h"
#include "tests/memory_orders/weaken.h"

// libstdc++ counts references without atomics as long as a process has one thread.
extern "C" char __libc_single_threaded;

namespace varve::memory_orders {
namespace {

struct Options {
  std::string part;
  uint64_t first = 1;
  Weakening weakening;  // Its seeds also say how many executions there are without weakening.
  bool trace = false, weaken = false;
};

// Replaces the addresses @0x...@ in a text by the lines of the source.
std::string WithLines(const std::string& text) {
  std::set<const void*> addresses;
  const auto each = [&](const auto& address, const auto& other) {
    for (size_t at = 0; at < text.size();) {
      const size_t begin = text.find("@0x", at);
      const size_t end = begin == std::string::npos ? begin : text.find('@', begin + 1);
      other(text.substr(at, begin == std::string::npos ? begin : begin - at));
      if (end == std::string::npos) return;
      address(reinterpret_cast<const void*>(std::strtoull(text.c_str() + begin + 1, nullptr, 16)));
      at = end + 1;
    }
  };
  each([&](const void* address) { addresses.insert(address); }, [](const std::string&) {});
  const auto lines = SourceLines(addresses);
  std::string out;
  each(
      [&](const void* address) {
        std::string shown, frame;
        for (const char c : lines(address)) {
          if (c != ' ') {
            frame += c;
            continue;
          }
          if (frame.find("/usr/include/") == std::string::npos) {
            shown += (shown.empty() ? "" : " < ") + frame.substr(frame.rfind('/') + 1);
          }
          frame.clear();
        }
        out += shown.empty() ? "?" : shown;
      },
      [&](const std::string& other) { out += other; });
  return out;
}

int Check(const Part& part, const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const uint64_t seeds = options.weakening.seeds == 0 ? part.executions : options.weakening.seeds;
  const Failure failure = Simulate(part, options.first, seeds, options.trace);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (failure.execution == 0) {
    std::cout << part.name << ": " << seeds << " executions, " << seconds.count() << " s"
              << std::endl;
    return 0;
  }
  std::cout << WithLines(failure.trace) << part.name << ": execution " << failure.execution << ": "
            << WithLines(failure.what) << "\nreplay: memory_orders --part=" << part.name
            << " --first=" << failure.execution << " --seeds=1 --trace" << std::endl;
  return 1;
}

int Main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&](std::string_view name) {
      return argument.starts_with(name) ? argv[i] + name.size() : nullptr;
    };
    if (const char* part = value("--part=")) {
      options.part = part;
    } else if (const char* first = value("--first=")) {
      options.first = std::strtoull(first, nullptr, 10);
    } else if (const char* seeds = value("--seeds=")) {
      options.weakening.seeds = std::strtoull(seeds, nullptr, 10);
    } else if (const char* only = value("--only=")) {
      options.weakening.only = only;
    } else if (argument == "--trace") {
      options.trace = true;
    } else if (argument == "--weaken") {
      options.weaken = true;
    } else if (argument == "--list") {
      options.weakening.list = true;
    } else {
      std::cerr
          << "usage: memory_orders_test [--part=NAME] [--first=N] [--seeds=N] [--trace]\n"
             "       memory_orders_test --weaken [--part=NAME] [--seeds=N] [--only=TEXT] [--list]\n";
      return 2;
    }
  }
  std::vector<const Part*> parts;
  for (const Part* part : Parts()) {
    if (std::string_view(part->name).starts_with(options.part)) parts.push_back(part);
  }
  if (parts.empty()) {
    std::cerr << "there is no part " << options.part << "\n";
    return 2;
  }
  if (options.weaken) {
    return WeakenAll(parts, options.weakening, VARVE_SOURCE "/tests/memory_orders/kept_orders.txt");
  }
  int result = 0;
  for (const Part* part : parts) result |= Check(*part, options);
  return result;
}

}  // namespace
}  // namespace varve::memory_orders

int main(int argc, char** argv) {
  __libc_single_threaded = 0;
  return varve::memory_orders::Main(argc, argv);
}
