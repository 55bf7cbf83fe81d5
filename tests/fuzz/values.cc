// SPDX-License-Identifier: Apache-2.0
// Small encodings: values as entries store them, internal keys, names of files, blob records, and
// numbers and keys as people write them. What can be written again is written as it was read.
#include <optional>
#include <string>
#include <string_view>

#include "core/base/text/literal.h"
#include "core/base/text/printable.h"
#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/format/file_name.h"
#include "core/format/internal_key.h"
#include "core/format/manifest/current_file.h"
#include "core/format/table/prefix_extractor.h"
#include "core/format/value/blob_record.h"
#include "core/format/value/stored_value.h"
#include "core/format/value/wide_columns.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

void DecodeStored(std::string_view bytes) {
  if (const auto key = DecodeInternalKey(bytes); key && key->sequence <= kMaxSequence) {
    Must(EncodeInternalKey(*key) == bytes, "an internal key is written as it was read");
    static_cast<void>(DebugString(*key));
  }
  for (const uint8_t type : {0x01, 0x02, 0x11, 0x16, 0x18}) {
    const auto value_type = static_cast<ValueType>(type);
    const auto value = InlineValue(value_type, bytes);
    if (value.ok()) Must(value->size() <= bytes.size(), "a value is within what is stored");
    CheckStoredValue("key", value_type, bytes).Ignore("any bytes");
  }
  const auto columns = DecodeWideColumns(bytes);
  const auto unnamed = DefaultColumn(bytes);
  if (columns.ok() && unnamed.ok() && !columns->empty() && columns->front().name.empty()) {
    Must(*unnamed == columns->front().value, "the default column is the one without a name");
  }
}

void DecodeBlobParts(std::string_view bytes) {
  DecodeBlobIndex(bytes, "key").status().Ignore("any bytes");
  if (bytes.size() >= kBlobFileHeaderSize) {
    DecodeBlobFileHeader(bytes.substr(0, kBlobFileHeaderSize)).status().Ignore("any bytes");
  }
  if (bytes.size() < kBlobRecordHeaderSize) return;
  DecodeBlobFileFooter(bytes.substr(0, kBlobFileFooterSize)).status().Ignore("any bytes");
  const auto record = DecodeBlobRecordHeader(bytes.substr(0, kBlobRecordHeaderSize));
  if (record.ok()) CheckBlob(*record, "key", bytes).Ignore("any bytes");
}

void DecodeNames(std::string_view bytes) {
  if (const auto name = ParseFileName(bytes); name && name->kind == FileKind::kWal) {
    Must(ParseFileName(WalFileName(name->number)) == name, "a name is written as it was read");
  }
  const auto manifest = DecodeCurrentFile(bytes);
  if (manifest.ok()) Must(EncodeCurrentFile(*manifest) == bytes, "CURRENT has one form");
  const auto prefixes = PrefixExtractor::FromName(bytes);
  if (prefixes) Must(PrefixExtractor::FromName(prefixes->name()).has_value(), "a name is a name");
}

void DecodeWords(std::string_view bytes) {
  const std::string shown = EscapeForDisplay(bytes);
  const auto again = Unescape(shown);
  MustBeOk(again.status(), "what was escaped");
  Must(*again == bytes, "what is escaped is unescaped to the same");
  for (size_t at = 0; at < shown.size();) {
    const Character character = FirstCharacter(std::string_view(shown).substr(at));
    Must(character.size > 0 && IsPrintable(character.code_point), "what is shown is printable");
    at += character.size;
  }
  for (const std::string_view encoding : {"utf8", "hex", "b64", "esc", "u64be"}) {
    DecodeLiteral(bytes, EncodingByName(encoding)).status().Ignore("any bytes");
  }
  const auto hex = Decode(Encoding::kHex, HexBytes(bytes));
  Must(hex.ok() && *hex == bytes, "hexadecimal digits are read as they were written");
  if (const auto number = ParseDecimal(bytes)) {
    Must(ParseDecimal(std::to_string(*number)) == number, "a number is read as it was written");
    Must(ParseByteSize(bytes) == number && ParseCount(bytes) == number,
         "digits alone are a number");
  }
  static_cast<void>(ParseByteSize(bytes));
  static_cast<void>(ParseCount(bytes));
}

void Run(std::string_view bytes) {
  DecodeStored(bytes);
  DecodeBlobParts(bytes);
  DecodeNames(bytes);
  DecodeWords(bytes);
}

}  // namespace

const Target values = {"values", Run};

}  // namespace varve::fuzz
