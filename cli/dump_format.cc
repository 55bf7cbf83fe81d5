// SPDX-License-Identifier: Apache-2.0
#include "cli/dump_format.h"

#include "core/base/text.h"

namespace varve::cli {

std::string DumpRecord(std::string_view key, std::string_view value) {
  std::string line = EscapeForDisplay(key);
  if (line.starts_with('#')) line.replace(0, 1, "\\x23");
  return line + "\t" + EscapeForDisplay(value) + "\n";
}

std::string DumpFamily(std::string_view name, std::string_view comparator) {
  return "#cf\t" + EscapeForDisplay(name) + "\t" + EscapeForDisplay(comparator) + "\n";
}

std::string DumpTrailer(const ContentDigest& digest) {
  return "#end count=" + std::to_string(digest.count()) + " xxh3=" + digest.hex() + "\n";
}

}  // namespace varve::cli
