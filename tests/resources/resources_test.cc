// SPDX-License-Identifier: Apache-2.0
// resources_tests [--long] [-tc=CASES]: what a database takes of memory, descriptors, threads and
// disk, what it gives back, and what it says where there is none left.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <string_view>

#include "tests/resources/usage.h"

namespace varve::resources {
namespace {

bool g_long = false;

}  // namespace

bool IsLong() { return g_long; }

}  // namespace varve::resources

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--long") varve::resources::g_long = true;
  }
  doctest::Context context(argc, argv);
  return context.run();
}
