// SPDX-License-Identifier: Apache-2.0
#include "cli/dump_format.h"

#include "core/base/byte_writer.h"
#include "core/base/hash.h"
#include "core/base/text.h"

namespace varve::cli {

void ContentDigest::Add(std::string_view family, std::string_view key, std::string_view value) {
  buffer_.clear();
  AppendFixed64(&buffer_, state_);
  AppendLengthPrefixed(&buffer_, family);
  AppendLengthPrefixed(&buffer_, key);
  AppendLengthPrefixed(&buffer_, value);
  state_ = Xxh3_64(buffer_);
  ++count_;
}

std::string ContentDigest::hex() const { return Hex(state_, 16); }

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
