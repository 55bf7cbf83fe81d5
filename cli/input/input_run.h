// SPDX-License-Identifier: Apache-2.0
// InputRun reads all inputs of a command one after the other: reports the format of each, shows
// progress, counts and reports rejected lines, and stops if there are too many. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/input/input_flags.h"
#include "cli/input/input_reader.h"
#include "cli/output/console.h"
#include "cli/output/progress.h"
#include "webview/api/schema/fields.h"

namespace varve::cli {

// An input that was read to its end.
struct InputSummary {
  std::string name;
  InputFormat format;
  std::string_view why;  // InputKind::why.
  std::string_view compression;
  uint64_t lines, rejected;
};
struct Rejection {
  std::string input;
  uint64_t line;
  std::string reason;
};

class InputRun {
 public:
  // `verb` is what progress lines begin with. Opens the file of --rejects.
  static Result<std::unique_ptr<InputRun>> Create(Console& console, const InputFlags& flags,
                                                  std::string_view verb);

  struct Use {
    // Sets *rejected to the reason if the record cannot be used; a failed Status ends the run.
    std::function<Status(const InputRecord&, std::string* rejected)> record;
    // Called for each family that a dump declares.
    std::function<Status(const std::string& name, const std::string& comparator)> family;
  };
  // InvalidArgument: too many lines were rejected, or a flag had no effect.
  Status Read(const Use& use);
  // Renames the file of --rejects into place, even if the run failed.
  Status KeepRejects() {
    const auto rejects = std::exchange(rejects_, nullptr);
    return rejects == nullptr ? Status::Ok() : rejects->Finish();
  }

  uint64_t lines() const { return lines_; }
  uint64_t rejected() const { return rejected_; }
  // Some input was a dump that declares families, possibly empty ones.
  bool families_named() const { return families_named_; }
  double seconds() const { return progress_.seconds(); }
  const std::vector<InputSummary>& inputs() const { return inputs_; }
  const std::vector<Rejection>& rejections() const { return rejections_; }  // The first ones.

 private:
  // The file that gets rejected lines unchanged.
  struct RejectsFile {
    explicit RejectsFile(std::unique_ptr<OutputFile> file)
        : file(std::move(file)), out(this->file->descriptor(), Sink::Kind(), nullptr) {}
    Status Finish();
    std::unique_ptr<OutputFile> file;
    Sink out;
  };

  InputRun(Console& console, const InputFlags& flags, std::string_view verb);

  Status ReadOne(const std::string& input, const Use& use);
  Status ReadRecords(const std::string& input, InputReader& reader, const Use& use);
  Status Reject(const std::string& input, const InputReader& reader, const std::string& reason);
  void Announce(const std::string& input, const InputKind& kind);
  Status TooMuch(const std::string& input, const InputKind& kind) const;
  Status CheckFlagsWereUsed() const;

  Console& console_;
  const InputFlags flags_;
  Progress progress_;
  const uint64_t total_bytes_;  // Of the inputs as stored; 0: unknown.
  uint64_t done_bytes_ = 0;     // Of the inputs before this one.
  std::unique_ptr<RejectsFile> rejects_;
  uint64_t lines_ = 0, rejected_ = 0;
  uint64_t input_lines_ = 0, input_rejected_ = 0;  // Of this input.
  bool families_named_ = false;
  std::vector<InputFormat> formats_;  // Of the inputs so far.
  std::vector<InputSummary> inputs_;
  std::vector<Rejection> rejections_;
};

// For the documents of commands: "lines" and "rejected"; "inputs" and "rejections".
const api::Fields<InputRun>& InputCountFields();
const api::Fields<InputRun>& InputListFields();

}  // namespace varve::cli
