// SPDX-License-Identifier: Apache-2.0
#include "cli/record_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/dump_format.h"
#include "cli/input_stream.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

using Json = nlohmann::json;

// What all formats share: a stream, a line number, the last trouble.
class StreamReader : public RecordReader {
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
  Event EndOrFailure() const { return in_->status().ok() ? Event::kEnd : Event::kFailed; }
  bool NextLine(std::string_view* line) {
    if (!in_->ReadUntil('\n', line)) return false;
    ++line_;
    return true;
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

  // *out is `text` itself or what it decodes to, in *buffer.
  static Status DecodeField(Encoding encoding, std::string_view text, std::string* buffer,
                            std::string_view* out) {
    *out = text;
    if (encoding == Encoding::kUtf8 ||
        (encoding == Encoding::kEsc && text.find('\\') == std::string_view::npos)) {
      return Status::Ok();
    }
    ASSIGN_OR_RETURN(*buffer, Decode(encoding, text));
    *out = *buffer;
    return Status::Ok();
  }

  std::string key_buffer_, value_buffer_;
  std::unique_ptr<InputStream> in_;
  const InputOptions options_;
  uint64_t line_ = 0;
  std::string reason_;
  Status failed_;
};

class TsvReader : public StreamReader {
 public:
  using StreamReader::StreamReader;

  // `first`: a line that was read to recognise the format.
  void PutBack(std::string first) {
    first_ = std::move(first);
    put_back_ = true;
  }

  Event Next(InputRecord* record) override {
    std::string_view line;
    if (put_back_) {
      put_back_ = false;
      line = first_;
      line_ = 1;
    } else if (!NextLine(&line)) {
      return EndOrFailure();
    }
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return Reject("no tab between key and value");
    record->family = options_.family;
    return Decoded(Encoding::kEsc, line.substr(0, tab), Encoding::kEsc, line.substr(tab + 1),
                   record);
  }

 private:
  std::string first_;
  bool put_back_ = false;
};

class CsvReader : public StreamReader {
 public:
  using StreamReader::StreamReader;

  Event Next(InputRecord* record) override {
    if (!header_read_) {
      header_read_ = true;
      if (!ReadRow()) return EndOrFailure();
      const auto find = [&](const std::string& name) {
        return static_cast<size_t>(std::find(row_.begin(), row_.end(), name) - row_.begin());
      };
      key_at_ = find(options_.key_column);
      value_at_ = find(options_.value_column);
      family_at_ = find("cf");
      if (key_at_ == row_.size() || value_at_ == row_.size()) {
        failed_ = Status::InvalidArgument(
            in_->name() + ": the header line names no column '" +
            (key_at_ == row_.size() ? options_.key_column : options_.value_column) + "'");
        return Event::kFailed;
      }
    }
    if (!ReadRow()) return EndOrFailure();
    if (broken_) return Reject("a quoted cell does not end");
    if (row_.size() <= std::max(key_at_, value_at_)) {
      return Reject("only " + std::to_string(row_.size()) + " cells");
    }
    record->family = family_at_ < row_.size() ? row_[family_at_] : options_.family;
    return Decoded(Encoding::kUtf8, row_[key_at_], Encoding::kUtf8, row_[value_at_], record);
  }

 private:
  // One RFC 4180 row into row_; quoted cells may span lines.
  bool ReadRow() {
    std::string_view text;
    broken_ = false;
    if (!NextLine(&text)) return false;
    row_.assign(1, "");
    bool quoted = false;
    for (size_t i = 0;; ++i) {
      if (i == text.size()) {
        if (!quoted) break;
        if (!NextLine(&text)) {
          broken_ = true;
          break;
        }
        row_.back() += '\n';
        i = static_cast<size_t>(-1);
        continue;
      }
      const char c = text[i];
      if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        row_.back() += '"';
        ++i;
      } else if (c == '"' && (quoted || row_.back().empty())) {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        row_.emplace_back();
      } else if (c == '\r' && !quoted && i + 1 == text.size()) {
        break;
      } else {
        row_.back() += c;
      }
    }
    return true;
  }

  std::vector<std::string> row_;
  size_t key_at_ = 0, value_at_ = 0, family_at_ = 0;
  bool header_read_ = false, broken_ = false;
};

// Reads what `scan -F jsonl` writes, and objects whose columns are strings or any other value
// (kept as its JSON text).
class JsonlReader : public StreamReader {
 public:
  using StreamReader::StreamReader;

  Event Next(InputRecord* record) override {
    for (;;) {
      if (!NextLine(&text_)) return EndOrFailure();
      if (text_.empty()) continue;
      const Json json = Json::parse(text_, nullptr, /*allow_exceptions=*/false);
      if (!json.is_object()) return Reject("not a JSON object");
      if (json.contains("end") && !json.contains(options_.key_column)) {
        if (json.value("complete", true)) continue;
        return Reject("the listing this comes from was not complete");
      }
      record->family = options_.family;
      if (json.contains("cf") && json["cf"].is_string()) {
        family_ = json["cf"].get<std::string>();
        record->family = family_;
      }
      if (!Field(json, options_.key_column, options_.key_encoding, &key_buffer_) ||
          !Field(json, options_.value_column, options_.value_encoding, &value_buffer_)) {
        return Event::kRejected;
      }
      record->key = key_buffer_;
      record->value = value_buffer_;
      return Event::kRecord;
    }
  }

 private:
  bool Field(const Json& json, const std::string& name, std::optional<Encoding> encoding,
             std::string* out) {
    const auto field = json.find(name);
    if (field == json.end()) {
      reason_ = "no member '" + name + "'";
      return false;
    }
    const bool bytes = field->is_object() && field->contains("hex") && (*field)["hex"].is_string();
    const std::string text = bytes                ? (*field)["hex"].get<std::string>()
                             : field->is_string() ? field->get<std::string>()
                                                  : field->dump();
    const auto decoded = Decode(bytes ? Encoding::kHex : encoding.value_or(Encoding::kUtf8), text);
    if (!decoded.ok()) {
      reason_ = name + ": " + std::string(decoded.status().message());
      return false;
    }
    *out = *decoded;
    return true;
  }

  std::string_view text_;
  std::string family_;
};

class DumpReader : public StreamReader {
 public:
  using StreamReader::StreamReader;

  void SkipMagic() { line_ = 1; }

  Event Next(InputRecord* record) override {
    while (!ended_) {
      if (!NextLine(&text_)) {
        ended_ = true;
        if (!in_->status().ok()) return Event::kFailed;
        return Reject("the dump is cut short: its #end line is missing");
      }
      if (text_.starts_with("#cf\t")) {
        const size_t tab = text_.find('\t', 4);
        const auto family = Unescape(text_.substr(4, tab - 4));
        if (!family.ok()) return Reject(std::string(family.status().message()));
        family_ = *family;
        continue;
      }
      if (text_.starts_with("#end ")) {
        ended_ = true;
        const std::string said = std::string(text_);
        if (said + "\n" == DumpTrailer(digest_)) return Event::kEnd;
        return Reject("the dump says '" + said + "', its records give '" +
                      DumpTrailer(digest_).substr(0, DumpTrailer(digest_).size() - 1) + "'");
      }
      if (text_.starts_with('#')) continue;
      const size_t tab = text_.find('\t');
      if (tab == std::string_view::npos) return Reject("no tab between key and value");
      const Event event = Decoded(Encoding::kEsc, text_.substr(0, tab), Encoding::kEsc,
                                  text_.substr(tab + 1), record);
      if (event != Event::kRecord) return event;
      record->family = family_;
      digest_.Add(family_, record->key, record->value);
      return event;
    }
    return EndOrFailure();
  }

 private:
  std::string_view text_;
  std::string family_ = "default";
  ContentDigest digest_;
  bool ended_ = false;
};

class NulReader : public StreamReader {
 public:
  using StreamReader::StreamReader;

  Event Next(InputRecord* record) override {
    std::string_view piece;
    if (!in_->ReadUntil('\0', &piece)) return EndOrFailure();
    ++line_;  // Counts records.
    key_ = piece;
    if (!in_->ReadUntil('\0', &piece)) {
      if (!in_->status().ok()) return Event::kFailed;
      return Reject("a key without a value at the end");
    }
    record->family = options_.family;
    return Decoded(Encoding::kUtf8, key_, Encoding::kUtf8, piece, record);
  }

 private:
  std::string key_;
};

}  // namespace

Result<std::unique_ptr<RecordReader>> RecordReader::Open(const std::string& path,
                                                         const InputOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<InputStream> in, InputStream::Open(path));
  switch (options.format) {
    case InputFormat::kCsv:
      return std::unique_ptr<RecordReader>(new CsvReader(std::move(in), options));
    case InputFormat::kJsonl:
      return std::unique_ptr<RecordReader>(new JsonlReader(std::move(in), options));
    case InputFormat::kNul:
      return std::unique_ptr<RecordReader>(new NulReader(std::move(in), options));
    case InputFormat::kTsv:
      return std::unique_ptr<RecordReader>(new TsvReader(std::move(in), options));
    case InputFormat::kAuto:
    case InputFormat::kDump:
      break;
  }
  std::string_view first;
  const bool any = in->ReadUntil('\n', &first);
  RETURN_IF_ERROR(in->status());
  const std::string first_line(first);  // The view ends with the stream's next move.
  if (first_line == kDumpMagic) {
    auto dump = std::make_unique<DumpReader>(std::move(in), options);
    dump->SkipMagic();
    return std::unique_ptr<RecordReader>(std::move(dump));
  }
  if (options.format == InputFormat::kDump) {
    return Status::InvalidArgument(in->name() + ": the first line is not '" +
                                   std::string(kDumpMagic) + "'");
  }
  auto tsv = std::make_unique<TsvReader>(std::move(in), options);
  if (any) tsv->PutBack(std::string(first_line));
  return std::unique_ptr<RecordReader>(std::move(tsv));
}

}  // namespace varve::cli
