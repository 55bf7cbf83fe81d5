// SPDX-License-Identifier: Apache-2.0
#include "cli/literal.h"

#include <fstream>
#include <iostream>
#include <iterator>

namespace varve::cli {
namespace {

Result<std::string> ReadAll(std::istream& in, const std::string& name) {
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return Status::IoError("reading " + name);
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
