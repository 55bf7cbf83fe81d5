// SPDX-License-Identifier: Apache-2.0
// Console is what a command writes to: data to `out` (standard output, or the file of -o),
// everything else to `err`. It knows whether a person is watching.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve::cli {

// Buffered bytes to a file descriptor. A failed write is remembered and reported by Finish(), so
// that commands need not test every line; a closed pipe ends the process by SIGPIPE as usual.
class Sink {
 public:
  explicit Sink(int fd, bool close_on_destroy) : fd_(fd), owned_(close_on_destroy) {}
  ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  void Write(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBufferBytesMax) Flush();
    buffer_.append(bytes);
  }
  void Flush();
  bool failed() const { return !error_.ok(); }
  Status Finish();

 private:
  static constexpr size_t kBufferBytesMax = 256 << 10;
  int fd_;
  bool owned_;
  std::string buffer_;
  Status error_;
};

enum class Format : uint8_t { kDefault, kTable, kText, kJson, kJsonl, kCsv, kTsv, kRaw, kNul, kDump };

// Shared by every command: -F, --json, -o, --color, --quiet.
struct OutputOptions {
  std::string format;
  bool json = false;
  std::string output_file;
  std::string color = "auto";
  bool quiet = false;           // No progress, no summaries.
};

class Console {
 public:
  static Result<std::unique_ptr<Console>> Create(const OutputOptions& options);

  Sink& out() { return *out_; }
  void Error(std::string_view line);     // One line on standard error.
  void Note(std::string_view line);      // A summary or warning; silent under --quiet.

  // What -F/--json asked for; `otherwise` if nothing.
  Format format(Format otherwise) const;
  bool out_is_terminal() const { return out_terminal_; }
  bool err_is_terminal() const { return err_terminal_; }
  bool color() const { return color_; }
  bool quiet() const { return quiet_; }

 private:
  Console() = default;
  std::unique_ptr<Sink> out_;
  Format format_ = Format::kDefault;
  bool out_terminal_ = false, err_terminal_ = false, color_ = false, quiet_ = false;
};

}  // namespace varve::cli
