// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cli/plain_text.h"
#include "cli/text_table.h"
#include "core/base/try.h"
#include "core/inspect/wal/recovery_report.h"

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

void StatusLine::Draw(std::string_view line) {
  if (!shown_) return;
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  const std::string text = "\r\033[K" + Fit(PlainText(line), known ? size.ws_col - 1 : 79);
  drawn_ = write(STDERR_FILENO, text.data(), text.size()) > 0;
}

void StatusLine::Wipe() {
  constexpr std::string_view kWipe = "\r\033[K";
  if (!drawn_) return;
  drawn_ = false;
  // Nothing can be done about a broken standard error.
  if (write(STDERR_FILENO, kWipe.data(), kWipe.size()) < 0) return;
}

void Sink::Write(std::string_view text) {
  kind_.color ? Append(PlainTintedText(text)) : WritePlain(text);
}

void Sink::WritePlain(std::string_view text) { Append(PlainText(text)); }

void Sink::WriteJson(std::string_view json) {
  kind_.terminal ? Append(PlainJson(json)) : Append(json);
}

void Sink::Flush() {
  std::string_view rest = buffer_;
  if (kind_.terminal && !rest.empty() && status_ != nullptr) status_->Wipe();
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

void Sink::Fail(Status why) {
  Flush();
  if (error_.ok()) error_ = std::move(why);
}

Status Sink::Finish() {
  Flush();
  return error_;
}

Result<std::unique_ptr<Console>> Console::Create(const OutputOptions& options) {
  auto console = std::unique_ptr<Console>(new Console(isatty(STDERR_FILENO) == 1));
  const std::string name = options.json ? "json" : options.format;
  for (const auto& [word, format] : kFormats) {
    if (word == name) console->format_ = format;
  }
  int fd = STDOUT_FILENO;
  if (!options.output_file.empty()) {
    ASSIGN_OR_RETURN(console->file_, OutputFile::Create(options.output_file));
    fd = console->file_->descriptor();
  }
  console->out_terminal_ = isatty(fd) == 1;
  console->quiet_ = options.quiet;
  console->problems_as_json_ = options.ProblemsAsJson();
  const char* no_color = std::getenv("NO_COLOR");
  console->color_ =
      options.color == "always" || (options.color == "auto" && console->out_terminal_ &&
                                    (no_color == nullptr || *no_color == '\0'));
  const Sink::Kind kind = {.terminal = console->out_terminal_, .color = console->color_};
  console->out_ = std::make_unique<Sink>(fd, kind, &console->status_line_);
  return console;
}

Status Console::Finish() {
  RETURN_IF_ERROR(out_->Finish());
  return file_ == nullptr ? Status::Ok() : file_->Commit();
}

void Console::Error(std::string_view line) {
  status_line_.Wipe();
  const std::string text = PlainText(line) + '\n';
  // Nothing can be done about a broken standard error.
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

void Console::Note(std::string_view line) {
  if (!quiet_) Error(line);
}

void Console::NotePartial(const RecoveryReport& report) {
  for (const RecoveryLoss& loss : report.losses) {
    if (!loss.damage) continue;
    recovery_.losses.push_back(loss);
    Error("INCOMPLETE: " + DescribeLoss(loss));
  }
}

Format Console::format(Format otherwise) const {
  return format_ == Format::kDefault ? otherwise : format_;
}

}  // namespace varve::cli
