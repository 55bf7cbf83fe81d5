// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input_reader.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/input/arrow_reader.h"
#include "cli/input/csv_reader.h"
#include "cli/input/dump_format.h"
#include "cli/input/stream_reader.h"
#include "core/base/hash/content_digest.h"
#include "core/base/text/literal.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/table/table_report.h"
#include "core/inspect/target.h"
#include "varve/environment.h"

namespace varve::cli {
namespace {

using Json = nlohmann::json;

class TsvReader : public StreamReader {
 public:
  using StreamReader::StreamReader;

  Event Next(InputRecord* record) override {
    if (!NextLine(&text_)) return EndOrFailure();
    const std::string_view line = WithoutReturn(text_);
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return Reject("no tab between key and value");
    if (line.find('\t', tab + 1) != std::string_view::npos) {
      return Reject("more than a key and a value (a tab within a value is written \\t)");
    }
    record->family = options_.family;
    return Decoded(Encoding::kEsc, line.substr(0, tab), Encoding::kEsc, line.substr(tab + 1),
                   record);
  }
  std::string raw() const override { return std::string(text_) + "\n"; }

 private:
  std::string_view text_;
};

// Values are serialized recursively, one stack frame per level: a depth that any stack has room
// for.
constexpr std::ptrdiff_t kNestingMax = 1000;

bool IsNestedTooDeep(std::string_view json) {
  const auto opening = [&](char c) { return std::count(json.begin(), json.end(), c); };
  if (opening('[') + opening('{') <= kNestingMax) return false;  // The common case.
  std::ptrdiff_t depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kNestingMax) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

// Reads the output of `scan -F jsonl`, and objects whose columns are strings or any other value
// (stored as its JSON text).
class JsonlReader : public StreamReader {
 public:
  using StreamReader::StreamReader;

  Event Next(InputRecord* record) override {
    for (;;) {
      if (!NextLine(&text_)) return EndOrFailure();
      if (WithoutReturn(text_).empty()) continue;
      if (IsNestedTooDeep(text_)) return Reject("JSON nested too deep");
      const Json json = Json::parse(text_, nullptr, /*allow_exceptions=*/false);
      if (!json.is_object()) return Reject("not a JSON object");
      if (json.contains("end") && !json.contains(options_.key_column)) {
        const auto complete = json.find("complete");
        if (complete == json.end() || *complete == true) continue;
        return Reject("the listing that this was made from was not complete");
      }
      record->family = options_.family;
      if (json.contains("cf") && json["cf"].is_string()) {
        const auto family = Unescape(json["cf"].get_ref<const Json::string_t&>());
        if (!family.ok()) return Reject("cf: " + std::string(family.status().message()));
        family_ = *family;
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
  std::string raw() const override { return std::string(text_) + "\n"; }

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

  std::string comparator() const override { return comparator_; }
  std::string raw() const override {
    return raw_.empty() ? std::string() : std::string(raw_) + "\n";
  }

  Event Next(InputRecord* record) override {
    if (ended_) return EndOrFailure();
    raw_ = {};
    std::string_view text;
    do {
      if (NextLine(&text)) continue;
      ended_ = true;
      if (!in_->status().ok()) return Event::kFailed;
      return line_ == 0 ? Event::kEnd : Reject("the dump is cut short: its #end line is missing");
    } while (line_ > 1 && IsRemark(text));
    if (line_ == 1 && text != kDumpMagic) {
      return Fail(Status::InvalidArgument(in_->name() + ": the first line is not '" +
                                          std::string(kDumpMagic) + "'"));
    }
    if (line_ == 1) return Next(record);
    if (text.starts_with("#cf\t")) return Family(text, record);
    if (text.starts_with("#end ")) return End(text);
    raw_ = text;
    const size_t tab = text.find('\t');
    if (tab == std::string_view::npos) return Reject("no tab between key and value");
    const Event event =
        Decoded(Encoding::kEsc, text.substr(0, tab), Encoding::kEsc, text.substr(tab + 1), record);
    if (event != Event::kRecord) return event;
    record->family = family_;
    digest_.Add(family_, record->key, record->value);
    return event;
  }

 private:
  static bool IsRemark(std::string_view line) {
    return line.starts_with('#') && !line.starts_with("#cf\t") && !line.starts_with("#end ");
  }

  Event Family(std::string_view line, InputRecord* record) {
    line.remove_prefix(line.find('\t') + 1);
    const size_t tab = line.find('\t');
    const auto family = Unescape(line.substr(0, tab));
    if (!family.ok()) return Reject(std::string(family.status().message()));
    const auto comparator =
        Unescape(tab == std::string_view::npos ? std::string_view() : line.substr(tab + 1));
    if (!comparator.ok()) return Reject(std::string(comparator.status().message()));
    family_ = *family;
    comparator_ = *comparator;
    *record = {.family = family_, .key = {}, .value = {}};
    return Event::kFamily;
  }

  Event End(std::string_view line) {
    ended_ = true;
    std::string found = DumpTrailer(digest_);
    found.pop_back();
    if (line == found) return Event::kEnd;
    return Reject("the dump says '" + EscapeForDisplay(line) + "', its records give '" + found +
                  "'");
  }

  std::string_view raw_;
  std::string family_ = "default", comparator_;
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
    value_ = piece;
    record->family = options_.family;
    return Decoded(Encoding::kUtf8, key_, Encoding::kUtf8, piece, record);
  }
  std::string raw() const override {
    return key_ + std::string(1, '\0') + std::string(value_) + std::string(1, '\0');
  }

 private:
  std::string key_;
  std::string_view value_;
};

// The visible records of a table made by any engine.
class TableRecords : public InputReader {
 public:
  TableRecords(EntryStream stream, uint64_t size, std::string family)
      : stream_(std::move(stream)), size_(size), family_(std::move(family)) {}

  Event Next(InputRecord* record) override {
    while (stream_.Next(&entry_)) {
      ++number_;
      const bool older = number_ > 1 && entry_.key == last_key_;
      last_key_ = entry_.key;
      if (older || entry_.type == "delete" || entry_.type == "single_delete") continue;
      if (entry_.type != "put") {
        reason_ = "a " + std::string(entry_.type) + " entry cannot be loaded as a record";
        return Event::kRejected;
      }
      *record = {.family = family_, .key = entry_.key, .value = entry_.value};
      return Event::kRecord;
    }
    return stream_.status().ok() ? Event::kEnd : Event::kFailed;
  }

  uint64_t line() const override { return number_; }
  const std::string& reason() const override { return reason_; }
  const Status& status() const override { return stream_.status(); }
  uint64_t bytes_read() const override { return number_ == 0 ? 0 : size_; }
  std::string raw() const override {
    return EscapeForDisplay(entry_.key) + "\t" + EscapeForDisplay(entry_.value) + "\n";
  }

 private:
  EntryStream stream_;
  const uint64_t size_;
  const std::string family_;
  StoredEntry entry_;
  std::string last_key_, reason_;
  uint64_t number_ = 0;
};

// A pipe cannot be read at its end, where a table has its magic number.
bool IsTable(FileSystem& fs, const std::string& path) {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return false;
  const auto kind = IdentifyTarget(fs, path);
  return kind.ok() && *kind == TargetKind::kTable;
}

std::unique_ptr<StreamReader> NewReader(InputFormat format, std::unique_ptr<InputStream> in,
                                        const InputOptions& options) {
  switch (format) {
    case InputFormat::kCsv:
      return std::make_unique<CsvReader>(std::move(in), options);
    case InputFormat::kJsonl:
      return std::make_unique<JsonlReader>(std::move(in), options);
    case InputFormat::kNul:
      return std::make_unique<NulReader>(std::move(in), options);
    case InputFormat::kArrow:
      return std::make_unique<ArrowReader>(std::move(in), options);
    case InputFormat::kDump:
      return std::make_unique<DumpReader>(std::move(in), options);
    default:
      return std::make_unique<TsvReader>(std::move(in), options);
  }
}

}  // namespace

Status StreamReader::DecodeField(Encoding encoding, std::string_view text, std::string* buffer,
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

Result<std::unique_ptr<InputReader>> InputReader::Open(const std::string& path,
                                                       const InputOptions& options) {
  FileSystem& fs = *NativeEnvironment().file_system;
  if (options.format == InputFormat::kAuto && IsTable(fs, path)) {
    ASSIGN_OR_RETURN(EntryStream stream, EntryStream::OpenTable(fs, path, {}));
    ASSIGN_OR_RETURN(const uint64_t size, fs.FileSize(path));
    auto table = std::make_unique<TableRecords>(std::move(stream), size, options.family);
    table->kind_ = {.format = InputFormat::kTable, .why = "by its last bytes"};
    return std::unique_ptr<InputReader>(std::move(table));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<InputStream> in, InputStream::Open(path));
  std::string_view head = in->Peek(kGuessBytes);
  RETURN_IF_ERROR(in->status());
  // Some editors write a byte order mark; it belongs to no record.
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (options.format != InputFormat::kNul && head.starts_with(kByteOrderMark)) {
    in->Skip(kByteOrderMark.size());
    head.remove_prefix(kByteOrderMark.size());
  }
  InputKind kind{.format = options.format, .compression = in->compression()};
  if (kind.format == InputFormat::kAuto) {
    const FormatGuess guess = GuessFormat(path, head, options.key_column, options.value_column);
    kind.format = guess.format;
    kind.why = guess.why;
  }
  kind.hint = FormatHint(kind.format, head);
  auto reader = NewReader(kind.format, std::move(in), options);
  reader->kind_ = std::move(kind);
  return std::unique_ptr<InputReader>(std::move(reader));
}

}  // namespace varve::cli
