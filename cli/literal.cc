// SPDX-License-Identifier: Apache-2.0
#include "cli/literal.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>

namespace varve::cli {
namespace {

Result<std::string> ReadAll(std::istream& in, const std::string& name) {
  std::string bytes;
  std::array<char, size_t{64} << 10> piece;
  // Of a directory, too, read() says that it failed and does not throw.
  while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
    bytes.append(piece.data(), static_cast<size_t>(in.gcount()));
  }
  // What std::cin meets it leaves to C to remember.
  if (in.bad() || (&in == &std::cin && std::ferror(stdin) != 0)) {
    return Status::IoError(name + ": cannot be read");
  }
  return bytes;
}

}  // namespace

Result<std::string> ParseLiteral(std::string_view text, Encoding bare) {
  if (text == "-") return ReadAll(std::cin, "standard input");
  if (text.starts_with('@')) {
    const std::string path(text.substr(1));
    std::ifstream in(path, std::ios::binary);
    if (!in) return Status::IoError(path + ": cannot be read");
    return ReadAll(in, path);
  }
  return DecodeLiteral(text, bare);
}

}  // namespace varve::cli
