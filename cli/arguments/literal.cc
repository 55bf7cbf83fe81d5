// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments/literal.h"

#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <utility>

#include "cli/process/system_error.h"
#include "core/base/text/abbreviate.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

Result<std::string> ReadAll(std::istream& in, const std::string& name) {
  std::string bytes;
  std::array<char, size_t{64} << 10> piece;
  // read() also reports errors for directories, without throwing.
  while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
    bytes.append(piece.data(), static_cast<size_t>(in.gcount()));
  }
  // Errors of std::cin are recorded by C's stdin.
  if (in.bad() || (&in == &std::cin && std::ferror(stdin) != 0)) {
    return Status::IoError(name + ": cannot be read");
  }
  return bytes;
}

// Checked before opening, which would block for a pipe.
Status CheckHoldsBytes(const std::string& path) {
  struct stat there = {};
  if (stat(path.c_str(), &there) != 0) return SystemError(path);
  if (S_ISREG(there.st_mode) || path == "/dev/null" || path == "/dev/stdin") return Status::Ok();
  if (path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/")) return Status::Ok();
  const std::string_view what = S_ISDIR(there.st_mode)    ? "a directory"
                                : S_ISFIFO(there.st_mode) ? "a FIFO"
                                : S_ISSOCK(there.st_mode) ? "a socket"
                                                          : "a device";
  return Status::IoError(path + ": is " + std::string(what) + ", not a regular file");
}

Result<std::string> Parse(std::string_view text, Encoding bare) {
  if (text == "-") return ReadAll(std::cin, "standard input");
  if (text.starts_with('@')) {
    const std::string path(text.substr(1));
    RETURN_IF_ERROR(CheckHoldsBytes(path));
    std::ifstream in(path, std::ios::binary);
    if (!in) return Status::IoError(path + ": cannot be read");
    return ReadAll(in, path);
  }
  Result<std::string> bytes = DecodeLiteral(text, bare);
  if (bytes.ok()) return bytes;
  return bytes.status().At("'" + AbbreviateForDisplay(text) + "'");
}

}  // namespace

Result<std::string> ParseLiteral(std::string_view parameter, std::string_view text, Encoding bare) {
  Result<std::string> bytes = Parse(text, bare);
  if (bytes.ok()) return bytes;
  return bytes.status().At(parameter);
}

Result<std::optional<std::string>> ParseOptionalLiteral(std::string_view parameter,
                                                        const std::optional<std::string>& text,
                                                        Encoding bare) {
  if (!text) return std::optional<std::string>();
  ASSIGN_OR_RETURN(std::string bytes, ParseLiteral(parameter, *text, bare));
  return std::optional<std::string>(std::move(bytes));
}

}  // namespace varve::cli
