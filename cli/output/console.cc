// SPDX-License-Identifier: Apache-2.0
#include "cli/output/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cli/output/plain_text.h"
#include "cli/output/text_table.h"
#include "cli/process/leftovers.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/wal/recovery_report.h"

namespace varve::cli {
namespace {

constexpr std::array<std::pair<std::string_view, Format>, 11> kFormats = {{
    {"table", Format::kTable},
    {"text", Format::kText},
    {"json", Format::kJson},
    {"jsonl", Format::kJsonl},
    {"csv", Format::kCsv},
    {"tsv", Format::kTsv},
    {"raw", Format::kRaw},
    {"nul", Format::kNul},
    {"dump", Format::kDump},
    {"arrow", Format::kArrow},
    {"trace", Format::kTrace},
}};

// Calls use(piece) for pieces of `text` that end between two characters, in order.
template <typename Use>
void InPieces(std::string_view text, Use use) {
  constexpr size_t kPieceBytes = 64 << 10, kContinuationsMax = 3;
  const auto continues = [&](size_t at) {
    return (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80;  // UTF-8.
  };
  while (text.size() > kPieceBytes) {
    size_t size = kPieceBytes;
    while (size > kPieceBytes - kContinuationsMax && continues(size)) --size;
    use(text.substr(0, size));
    text.remove_prefix(size);
  }
  use(text);
}

// Nothing can be done about a broken standard error, except that a pipe without a reader ends the
// process. Returns whether something was written.
bool WriteToStandardError(std::string_view text) {
  if (write(STDERR_FILENO, text.data(), text.size()) > 0) return true;
  EndIfPipeClosed(errno);
  return false;
}

// It shows escape sequences as they are.
bool TerminalIsDumb() {
  const char* const terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

bool ColorIsWanted(const std::string& option, bool terminal) {
  if (option != "auto") return option == "always";
  const char* const no_color = std::getenv("NO_COLOR");
  return terminal && (no_color == nullptr || *no_color == '\0') && !TerminalIsDumb();
}

}  // namespace

void StatusLine::Draw(std::string_view line) {
  if (!shown_) return;
  winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  const std::string text = "\r\033[K" + Fit(PlainText(line), known ? size.ws_col - 1 : 79);
  drawn_ = WriteToStandardError(text);
}

void StatusLine::Wipe() {
  constexpr std::string_view kWipe = "\r\033[K";
  if (!drawn_) return;
  drawn_ = false;
  WriteToStandardError(kWipe);
}

void Sink::Write(std::string_view text) {
  kind_.color ? Append(PlainTintedText(text)) : WritePlain(text);
}

void Sink::WritePlain(std::string_view text) {
  InPieces(text, [this](std::string_view piece) { Append(PlainText(piece)); });
}

void Sink::WriteEscaped(std::string_view bytes) {
  InPieces(bytes, [this](std::string_view piece) { WriteData(EscapeForDisplay(piece)); });
}

void Sink::WriteJson(std::string_view json) {
  if (!kind_.terminal) return Append(json);
  InPieces(json, [this](std::string_view piece) { Append(PlainJson(piece)); });
}

void Sink::Flush() {
  WriteThrough(buffer_);
  buffer_.clear();
}

void Sink::WriteThrough(std::string_view rest) {
  if (kind_.terminal && !rest.empty() && status_ != nullptr) status_->Wipe();
  while (!rest.empty() && error_.ok()) {
    const ssize_t written = write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      EndIfPipeClosed(errno);
      const std::string to = path_.empty() ? "" : " to " + path_;
      error_ = Status(errno == ENOSPC ? Code::kNoSpace : Code::kIoError,
                      "writing the output" + to + ": " + std::strerror(errno));
      break;
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

void Sink::Fail(Status why) {
  Flush();
  if (error_.ok()) error_ = std::move(why);
}

Status Sink::Finish() {
  Flush();
  return error_;
}

Console::Console(bool err_terminal)
    : status_line_(err_terminal && !TerminalIsDumb()), err_terminal_(err_terminal) {}

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
  console->color_ = ColorIsWanted(options.color, console->out_terminal_);
  const Sink::Kind kind = {.terminal = console->out_terminal_, .color = console->color_};
  console->out_ = std::make_unique<Sink>(fd, kind, &console->status_line_, options.output_file);
  return console;
}

Status Console::Finish() {
  RETURN_IF_ERROR(out_->Finish());
  return file_ == nullptr ? Status::Ok() : file_->Commit();
}

void Console::Error(std::string_view line) {
  out_->Flush();  // A line about the output comes after it where both go to one place.
  status_line_.Wipe();
  WriteToStandardError(PlainText(line) + '\n');
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
