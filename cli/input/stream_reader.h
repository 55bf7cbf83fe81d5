// SPDX-License-Identifier: Apache-2.0
// Shared by the readers of all text formats: a stream, a line number, the last error.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cli/input/input_reader.h"
#include "cli/input/input_stream.h"

namespace varve::cli {

class StreamReader : public InputReader {
 public:
  StreamReader(std::unique_ptr<InputStream> in, const InputOptions& options)
      : in_(std::move(in)), options_(options) {}

  uint64_t line() const override { return line_; }
  const std::string& reason() const override { return reason_; }
  const Status& status() const override { return in_->status().ok() ? failed_ : in_->status(); }
  uint64_t bytes_read() const override { return in_->bytes_read(); }

 protected:
  Event Reject(std::string why) {
    reason_ = std::move(why);
    return Event::kRejected;
  }
  Event Fail(Status why) {
    failed_ = std::move(why);
    return Event::kFailed;
  }
  Event EndOrFailure() const { return in_->status().ok() ? Event::kEnd : Event::kFailed; }
  bool NextLine(std::string_view* line) {
    if (!in_->ReadUntil('\n', line)) return false;
    ++line_;
    return true;
  }
  // Lines may end in CR LF. (A value that ends in CR is written \x0d in tsv, quoted in csv.)
  static std::string_view WithoutReturn(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  // The common case, text without escapes, is not copied.
  Event Decoded(Encoding key_encoding, std::string_view key, Encoding value_encoding,
                std::string_view value, InputRecord* record) {
    if (Status s = DecodeField(options_.key_encoding.value_or(key_encoding), key, &key_buffer_,
                               &record->key);
        !s.ok()) {
      return Reject("key: " + std::string(s.message()));
    }
    if (Status s = DecodeField(options_.value_encoding.value_or(value_encoding), value,
                               &value_buffer_, &record->value);
        !s.ok()) {
      return Reject("value: " + std::string(s.message()));
    }
    return Event::kRecord;
  }

  std::string key_buffer_, value_buffer_;
  std::unique_ptr<InputStream> in_;
  const InputOptions options_;
  uint64_t line_ = 0;
  std::string reason_;
  Status failed_;

 private:
  // *out is `text` itself or what it decodes to, in *buffer.
  static Status DecodeField(Encoding encoding, std::string_view text, std::string* buffer,
                            std::string_view* out);
};

}  // namespace varve::cli
