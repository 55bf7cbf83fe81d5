// SPDX-License-Identifier: Apache-2.0
// Console is a command's output: data goes to `out` (standard output, or the file of -o),
// everything else to `err`. It knows whether these are terminals.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/output/output_file.h"
#include "varve/db.h"
#include "varve/result.h"

namespace varve::cli {

// The line at the bottom of a terminal that shows progress (progress.h). It is removed before
// anything else is written. Does nothing if standard error is not a terminal. One thread.
class StatusLine {
 public:
  explicit StatusLine(bool shown) : shown_(shown) {}
  bool shown() const { return shown_; }
  void Draw(std::string_view line);  // Truncated to the terminal's width.
  void Wipe();

 private:
  const bool shown_;
  bool drawn_ = false;
};

// Buffered output to a file descriptor. A failed write is remembered and reported by Finish(), so
// that commands need not check every line; a closed pipe ends the process by SIGPIPE as usual.
//
// Control characters are never written to a terminal (plain_text.h).
class Sink {
 public:
  struct Kind {
    bool terminal = false;
    bool color = false;  // Colour marks in text are shown (text_table.h).
  };

  // `path`: of the file that is written to, for errors; empty: standard output.
  Sink(int fd, Kind kind, StatusLine* status, std::string path = {})
      : fd_(fd), kind_(kind), status_(status), path_(std::move(path)) {}
  ~Sink() { Flush(); }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // Text for people, made of names and messages: control characters are always escaped.
  void Write(std::string_view text);
  // Data in a format that defines its own escaping: written unchanged except to a terminal.
  void WriteData(std::string_view bytes) { kind_.terminal ? WritePlain(bytes) : Append(bytes); }
  void WriteJson(std::string_view json);
  // Keys and values, escaped (EscapeForDisplay()): however long they are, in little memory.
  void WriteEscaped(std::string_view bytes);
  void Flush();
  bool failed() const { return !error_.ok(); }
  // Nothing is written from now on; Finish() returns `why`.
  void Fail(Status why);
  Status Finish();

 private:
  void WritePlain(std::string_view text);
  void Append(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBufferBytesMax) Flush();
    if (bytes.size() > kBufferBytesMax) return WriteThrough(bytes);
    buffer_.append(bytes);
  }
  void WriteThrough(std::string_view bytes);

  static constexpr size_t kBufferBytesMax = 256 << 10;
  const int fd_;
  const Kind kind_;
  StatusLine* const status_;
  const std::string path_;
  std::string buffer_;
  Status error_;
};

enum class Format : uint8_t {
  kDefault,
  kTable,
  kText,
  kJson,
  kJsonl,
  kCsv,
  kTsv,
  kRaw,
  kNul,
  kDump,
  kArrow,
  kTrace
};

// Shared by every command: -F, --json, -o, --color, --quiet.
struct OutputOptions {
  std::string format;
  bool json = false;
  std::string output_file;
  std::string color = "auto";
  bool quiet = false;  // No progress, no summaries.

  // Problems are printed as JSON documents, not as lines of text.
  bool ProblemsAsJson() const { return json || format == "json" || format == "jsonl"; }
};

class Console {
 public:
  static Result<std::unique_ptr<Console>> Create(const OutputOptions& options);

  Sink& out() { return *out_; }
  StatusLine& status_line() { return status_line_; }
  void Error(std::string_view line);  // One line on standard error.
  void Note(std::string_view line);   // A summary or warning; silent under --quiet.

  // Call when everything was written: renames the file of -o into place. Without this call, an
  // existing file stays unchanged.
  Status Finish();

  // The output is based on a partial recovery: says so on standard error, also with --quiet. The
  // command then exits with kPartial instead of kDone or kNegative.
  void NotePartial(const RecoveryReport& report);
  const RecoveryReport& recovery() const { return recovery_; }
  bool partial() const { return recovery_.damaged(); }

  // The format given with -F/--json; `otherwise` if none was.
  Format format(Format otherwise) const;
  bool out_is_terminal() const { return out_terminal_; }
  bool err_is_terminal() const { return err_terminal_; }
  bool color() const { return color_; }
  bool quiet() const { return quiet_; }
  bool problems_as_json() const { return problems_as_json_; }

 private:
  explicit Console(bool err_terminal);
  StatusLine status_line_;
  std::unique_ptr<OutputFile> file_;  // Null: standard output.
  std::unique_ptr<Sink> out_;
  Format format_ = Format::kDefault;
  RecoveryReport recovery_;  // Losses due to damage.
  bool out_terminal_ = false, err_terminal_ = false, color_ = false, quiet_ = false;
  bool problems_as_json_ = false;
};

}  // namespace varve::cli
