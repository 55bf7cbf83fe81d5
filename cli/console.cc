// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/base/try.h"

namespace varve::cli {
namespace {

constexpr std::array<std::pair<std::string_view, Format>, 9> kFormats = {{
    {"table", Format::kTable},
    {"text", Format::kText},
    {"json", Format::kJson},
    {"jsonl", Format::kJsonl},
    {"csv", Format::kCsv},
    {"tsv", Format::kTsv},
    {"raw", Format::kRaw},
    {"nul", Format::kNul},
    {"dump", Format::kDump},
}};

}  // namespace

Sink::~Sink() {
  Flush();
  if (owned_) close(fd_);
}

void Sink::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && error_.ok()) {
    const ssize_t written = write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = Status(errno == ENOSPC ? Code::kNoSpace : Code::kIoError,
                      std::string("writing the output: ") + std::strerror(errno));
      break;
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
}

Status Sink::Finish() {
  Flush();
  return error_;
}

Result<std::unique_ptr<Console>> Console::Create(const OutputOptions& options) {
  auto console = std::unique_ptr<Console>(new Console);
  const std::string name = options.json ? "json" : options.format;
  for (const auto& [word, format] : kFormats) {
    if (word == name) console->format_ = format;
  }
  int fd = STDOUT_FILENO;
  if (!options.output_file.empty()) {
    fd = open(options.output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return Status::IoError(options.output_file + ": " + std::strerror(errno));
  }
  console->out_ = std::make_unique<Sink>(fd, fd != STDOUT_FILENO);
  console->out_terminal_ = isatty(fd) == 1;
  console->err_terminal_ = isatty(STDERR_FILENO) == 1;
  console->quiet_ = options.quiet;
  const char* no_color = std::getenv("NO_COLOR");
  console->color_ = options.color == "always" ||
                    (options.color == "auto" && console->out_terminal_ &&
                     (no_color == nullptr || *no_color == '\0'));
  return console;
}

void Console::Error(std::string_view line) {
  std::string text(line);
  text += '\n';
  // Nothing can be done about a broken standard error.
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

void Console::Note(std::string_view line) {
  if (!quiet_) Error(line);
}

Format Console::format(Format otherwise) const {
  return format_ == Format::kDefault ? otherwise : format_;
}

}  // namespace varve::cli
