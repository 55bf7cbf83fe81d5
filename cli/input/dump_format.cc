// SPDX-License-Identifier: Apache-2.0
#include "cli/input/dump_format.h"

#include "core/base/text/text.h"

namespace varve::cli {

void WriteDumpRecord(Sink& out, std::string_view key, std::string_view value) {
  if (key.starts_with('#')) {
    out.WriteData("\\x23");
    key.remove_prefix(1);
  }
  out.WriteEscaped(key);
  out.WriteData("\t");
  out.WriteEscaped(value);
  out.WriteData("\n");
}

std::string DumpFamily(std::string_view name, std::string_view comparator) {
  return "#cf\t" + EscapeForDisplay(name) + "\t" + EscapeForDisplay(comparator) + "\n";
}

std::string DumpTrailer(const ContentDigest& digest) {
  return "#end count=" + std::to_string(digest.count()) + " xxh3=" + digest.hex() + "\n";
}

}  // namespace varve::cli
