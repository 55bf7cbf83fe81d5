// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/output/human_numbers.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

constexpr uint64_t kShownMax = 20;  // Rejected lines that are shown.
// If this many lines are rejected from the start, the format is wrong.
constexpr uint64_t kHopelessLines = 1000;

// 0 unless all of them are files.
uint64_t BytesOf(const std::vector<std::string>& inputs) {
  uint64_t bytes = 0;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (input == "-" || !std::filesystem::is_regular_file(input, error)) return 0;
    const uint64_t size = std::filesystem::file_size(input, error);
    if (!error) bytes += size;
  }
  return bytes;
}

const api::Fields<InputSummary>& InputFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<InputSummary>()
          .Text("name", &InputSummary::name, "of the file; -: standard input")
          .Choice(
              "format", {"tsv", "csv", "jsonl", "dump", "nul", "sst", "arrow"},
              [](const InputSummary& input) { return InputFormatName(input.format); },
              "that it was read as")
          .Text("format_is", &InputSummary::why, "how that is known")
          .Choice("compression", {"none", "gzip", "zstd"}, &InputSummary::compression,
                  "of the file")
          .Number("lines", Unit::kCount, &InputSummary::lines, "records, rejected ones included")
          .Number("rejected", Unit::kCount, &InputSummary::rejected, "lines among them");
  return fields;
}

const api::Fields<Rejection>& RejectionFields() {
  static const auto fields =
      api::Fields<Rejection>()
          .Text("input", &Rejection::input, "its name")
          .Number("line", api::Unit::kNone, &Rejection::line, "where it begins, counted from 1")
          .Text("reason", &Rejection::reason, "why it was rejected");
  return fields;
}

}  // namespace

const api::Fields<InputRun>& InputCountFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<InputRun>()
          .Number("lines", Unit::kCount, &InputRun::lines, "records read, rejected ones included")
          .Number("rejected", Unit::kCount, &InputRun::rejected, "lines among them");
  return fields;
}

const api::Fields<InputRun>& InputListFields() {
  static const auto fields =
      api::Fields<InputRun>()
          .List("inputs", &InputRun::inputs, InputFields(), "what was read, in order")
          .List("rejections", &InputRun::rejections, RejectionFields(), "the first of them");
  return fields;
}

InputRun::InputRun(Console& console, const InputFlags& flags, std::string_view verb)
    : console_(console),
      flags_(flags),
      progress_(console, verb, "records"),
      total_bytes_(BytesOf(flags.inputs)) {}

Result<std::unique_ptr<InputRun>> InputRun::Create(Console& console, const InputFlags& flags,
                                                   std::string_view verb) {
  if (flags.strict && flags.max_errors) {
    return Status::InvalidArgument("--strict is --max-errors 0: give one of them");
  }
  if ((flags.key_schema && flags.key_column) || (flags.value_schema && flags.value_column)) {
    return Status::InvalidArgument(
        "a schema names the columns: --key-schema without --key-column, --value-schema without "
        "--value-column");
  }
  RETURN_IF_ERROR(MakeInputOptions(flags).status());
  auto run = std::unique_ptr<InputRun>(new InputRun(console, flags, verb));
  if (!flags.rejects) return run;
  if (*flags.rejects == "-") {
    return Status::InvalidArgument("--rejects takes the name of a file, not -");
  }
  ASSIGN_OR_RETURN(auto file, OutputFile::Create(*flags.rejects));
  run->rejects_ = std::make_unique<RejectsFile>(std::move(file));
  return run;
}

Status InputRun::RejectsFile::Finish() {
  RETURN_IF_ERROR(out.Finish());
  return file->Commit();
}

Status InputRun::Read(const Use& use) {
  for (const std::string& input : flags_.inputs) RETURN_IF_ERROR(ReadOne(input, use));
  return CheckFlagsWereUsed();
}

Status InputRun::ReadOne(const std::string& input, const Use& use) {
  ASSIGN_OR_RETURN(const InputOptions options, MakeInputOptions(flags_));
  ASSIGN_OR_RETURN(const auto reader, InputReader::Open(input, options));
  formats_.push_back(reader->kind().format);
  Announce(input, reader->kind());
  input_lines_ = input_rejected_ = 0;
  RETURN_IF_ERROR(ReadRecords(input, *reader, use));
  done_bytes_ += reader->bytes_read();
  inputs_.push_back({input, reader->kind().format, reader->kind().why, reader->kind().compression,
                     input_lines_, input_rejected_});
  return Status::Ok();
}

Status InputRun::ReadRecords(const std::string& input, InputReader& reader, const Use& use) {
  InputRecord record;
  std::string rejected;
  while (true) {
    switch (reader.Next(&record)) {
      case InputReader::Event::kEnd:
        return Status::Ok();
      case InputReader::Event::kFailed:
        return reader.status();
      case InputReader::Event::kFamily:
        families_named_ = true;
        RETURN_IF_ERROR(use.family(std::string(record.family), reader.comparator()));
        continue;
      case InputReader::Event::kRejected:
        rejected = reader.reason();
        break;
      case InputReader::Event::kRecord:
        rejected.clear();
        if (Status used = use.record(record, &rejected); !used.ok()) {
          // What is wrong with the database is not at a line of the input.
          return used.code() == Code::kInvalidArgument
                     ? used.At(input + ":" + std::to_string(reader.line()))
                     : used;
        }
        break;
    }
    ++lines_;
    ++input_lines_;
    progress_.UpdateShare(lines_, done_bytes_ + reader.bytes_read(), total_bytes_);
    if (rejected.empty()) continue;
    RETURN_IF_ERROR(Reject(input, reader, rejected));
  }
}

Status InputRun::Reject(const std::string& input, const InputReader& reader,
                        const std::string& reason) {
  ++rejected_;
  ++input_rejected_;
  if (rejected_ <= kShownMax) {
    console_.Error(input + ":" + std::to_string(reader.line()) + ": rejected: " + reason);
    rejections_.push_back({input, reader.line(), reason});
  } else if (rejected_ == kShownMax + 1) {
    console_.Error("further rejected lines are only counted");
  }
  if (rejects_ != nullptr) {
    if (input_rejected_ == 1) rejects_->out.WriteData(reader.preamble());
    rejects_->out.WriteData(reader.raw());
  }
  const uint64_t errors_max = flags_.strict ? 0 : flags_.max_errors.value_or(UINT64_MAX);
  const bool hopeless =
      input_rejected_ == kHopelessLines && input_lines_ == kHopelessLines && !flags_.max_errors;
  return rejected_ > errors_max || hopeless ? TooMuch(input, reader.kind()) : Status::Ok();
}

Status InputRun::TooMuch(const std::string& input, const InputKind& kind) const {
  std::string text = input + ": ";
  if (flags_.strict || flags_.max_errors) {
    text += HumanCount(rejected_) + (rejected_ == 1 ? " line is" : " lines are") +
            " rejected, and " +
            (flags_.strict ? "--strict allows none"
                           : "--max-errors allows " + HumanCount(*flags_.max_errors));
  } else {
    text += "the first " + HumanCount(kHopelessLines) + " lines, read as " +
            std::string(InputFormatName(kind.format)) + ", are all rejected";
  }
  if (input_rejected_ == input_lines_) {
    text += "; " + (kind.hint.empty() ? "if they are something else, --input-format says what"
                                      : kind.hint);
  }
  return Status::InvalidArgument(text + "; nothing was changed");
}

void InputRun::Announce(const std::string& input, const InputKind& kind) {
  if (flags_.format != "auto") return;
  std::string text = input + ": read as " + std::string(InputFormatName(kind.format));
  if (kind.compression != "none") text += " within " + std::string(kind.compression);
  console_.Note(text + ", " + std::string(kind.why));
}

// A flag without effect is reported as an error: it was probably meant for something else.
Status InputRun::CheckFlagsWereUsed() const {
  const auto any = [this](std::initializer_list<InputFormat> formats) {
    return std::any_of(formats_.begin(), formats_.end(), [&](InputFormat format) {
      return std::find(formats.begin(), formats.end(), format) != formats.end();
    });
  };
  const bool columns = any({InputFormat::kCsv, InputFormat::kJsonl, InputFormat::kArrow});
  const bool text =
      any({InputFormat::kCsv, InputFormat::kJsonl, InputFormat::kTsv, InputFormat::kNul});
  const bool arrow = any({InputFormat::kArrow});
  const bool names_no_family = text || any({InputFormat::kTable, InputFormat::kArrow});
  const std::pair<bool, std::string_view> flags[] = {
      {flags_.key_column && !columns, "--key-column"},
      {flags_.value_column && !columns, "--value-column"},
      {flags_.key_schema && !arrow, "--key-schema"},
      {flags_.value_schema && !arrow, "--value-schema"},
      {flags_.key_encoding && !text, "--key-in"},
      {flags_.value_encoding && !text, "--value-in"},
      {flags_.family && !names_no_family, "--cf"},
  };
  for (const auto& [useless, name] : flags) {
    if (!useless) continue;
    return Status::InvalidArgument(std::string(name) + " does not apply to " +
                                   std::string(InputFormatName(formats_.front())) +
                                   " input; nothing was changed");
  }
  return Status::Ok();
}

}  // namespace varve::cli
