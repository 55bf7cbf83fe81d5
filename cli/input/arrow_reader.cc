// SPDX-License-Identifier: Apache-2.0
#include "cli/input/arrow_reader.h"

#include "core/arrow/ipc_format.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

constexpr std::string_view kFileMagic("ARROW1\0\0", 8);  // Of a file; then comes a stream.
constexpr uint32_t kMetadataBytesMax = 256 << 20;
constexpr uint64_t kBodyBytesMax = uint64_t{8} << 30;
constexpr size_t kWord = sizeof(uint32_t);

arrow::RecordShape ShapeOf(const InputOptions& options) {
  arrow::RecordShape shape = options.shape;
  shape.key_name = options.key_column;
  shape.value_name = options.value_column;
  return shape;
}

}  // namespace

bool ArrowReader::Recognises(std::string_view head) {
  if (head.starts_with(kFileMagic)) return true;
  if (head.size() < 2 * kWord || LoadFixed32(head.data()) != arrow::kContinuation) return false;
  const uint32_t size = LoadFixed32(head.data() + kWord);
  return size > 0 && size < 1 << 24 && size % 8 == 0;
}

ArrowReader::ArrowReader(std::unique_ptr<InputStream> in, const InputOptions& options)
    : StreamReader(std::move(in), options), reader_(ShapeOf(options)) {}

InputReader::Event ArrowReader::Next(InputRecord* record) {
  const auto fail = [&](const Status& why) {
    return Fail(why.At(in_->name() + "@" + std::to_string(message_)));
  };
  while (!ended_ && row_ == reader_.rows()) {
    const Result<Step> step = NextBatch();
    if (!step.ok()) return fail(step.status());
    ended_ = *step == Step::kEnd;
    row_ = 0;
  }
  if (ended_) return EndOrFailure();
  const Result<std::string_view> key = reader_.Key(row_), value = reader_.Value(row_);
  if (!key.ok()) return fail(key.status());
  if (!value.ok()) return fail(value.status());
  ++row_;
  ++line_;  // Counts records.
  *record = {.family = options_.family, .key = *key, .value = *value};
  return Event::kRecord;
}

Result<ArrowReader::Step> ArrowReader::NextBatch() {
  if (!begun_ && in_->Peek(kFileMagic.size()).starts_with(kFileMagic)) {
    RETURN_IF_ERROR(Read(kFileMagic.size()).status());
  }
  begun_ = true;
  for (;;) {
    message_ = offset_;
    ASSIGN_OR_RETURN(const std::string_view frame, Read(2 * kWord));
    if (LoadFixed32(frame.data()) != arrow::kContinuation) {
      return Status::InvalidArgument(
          "no message of Arrow's IPC format. Files of polars have the schema elsewhere: use its "
          "write_ipc_stream()");
    }
    const uint32_t size = LoadFixed32(frame.data() + kWord);
    if (size == 0) return Step::kEnd;
    if (size > kMetadataBytesMax) {
      return Status::NotSupported("metadata of " + std::to_string(size) + " bytes");
    }
    ASSIGN_OR_RETURN(metadata_, Read(size));
    ASSIGN_OR_RETURN(const auto message, arrow::IpcReader::Describe(metadata_));
    if (message.body_size > kBodyBytesMax) {
      return Status::NotSupported("a batch of " + std::to_string(message.body_size) + " bytes");
    }
    ASSIGN_OR_RETURN(const std::string_view body, Read(message.body_size));
    using Kind = arrow::IpcReader::Message::Kind;
    if (message.kind == Kind::kOther) continue;  // A dictionary, of a column that is not read.
    if ((message.kind == Kind::kSchema) == reader_.has_schema()) {
      return Status::InvalidArgument(reader_.has_schema() ? "a second schema" : "no schema");
    }
    if (message.kind == Kind::kSchema) {
      RETURN_IF_ERROR(reader_.ReadSchema(metadata_));
      continue;
    }
    RETURN_IF_ERROR(reader_.ReadBatch(metadata_, body));
    return Step::kBatch;
  }
}

Result<std::string_view> ArrowReader::Read(uint64_t size) {
  std::string_view bytes;
  if (!in_->Read(size, &bytes)) {
    RETURN_IF_ERROR(in_->status());
    return Status::InvalidArgument("the stream is cut short: its end marker is missing");
  }
  offset_ += size;
  return bytes;
}

}  // namespace varve::cli
