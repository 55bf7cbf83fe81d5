// SPDX-License-Identifier: Apache-2.0
#include "cli/ldb/text.h"

#include <array>
#include <ctime>
#include <utility>

namespace varve::cli::ldb {
namespace {

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string_view WordOf(Code code) {
  switch (code) {
    case Code::kOk:
      return "OK";
    case Code::kCorruption:
      return "Corruption: ";
    case Code::kIoError:
    case Code::kNotFound:  // A file: RocksDB calls it an IO error.
      return "IO error: ";
    case Code::kNoSpace:
      return "IO error: No space left on device: ";
    case Code::kInvalidArgument:
      return "Invalid argument: ";
    case Code::kNotSupported:
      return "Not implemented: ";
    case Code::kBusy:
      return "IO error: While lock file: ";
    case Code::kShutdown:
      return "Shutdown in progress: ";
  }
  return "";
}

}  // namespace

std::string_view AsCString(std::string_view bytes) { return bytes.substr(0, bytes.find('\0')); }

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    hex.push_back(kDigits[static_cast<unsigned char>(byte) >> 4]);
    hex.push_back(kDigits[static_cast<unsigned char>(byte) & 15]);
  }
  return hex;
}

std::string HexWord(std::string_view bytes) { return "0x" + Hex(bytes); }

Result<std::string> FromHexWord(const std::string& word) {
  if (!word.starts_with("0x")) {
    return Failed("Invalid hex input " + word + ".  Must start with 0x");
  }
  std::string bytes;
  if (word.size() % 2 != 0) return Failed("Invalid hex input " + word);
  for (size_t i = 2; i < word.size(); i += 2) {
    const int high = DigitOf(word[i]), low = DigitOf(word[i + 1]);
    if (high < 0 || low < 0) return Failed("Invalid hex input " + word);
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

int TypeNumber(std::string_view type) {
  // The format's, sst-format section 2.
  constexpr std::array<std::pair<std::string_view, int>, 9> kTypes = {
      {{"delete", 0x00},
       {"put", 0x01},
       {"merge", 0x02},
       {"single_delete", 0x07},
       {"range_delete", 0x0F},
       {"blob_index", 0x11},
       {"delete_with_timestamp", 0x14},
       {"wide_columns", 0x16},
       {"put_with_time", 0x18}}};
  for (const auto& [name, number] : kTypes) {
    if (name == type) return number;
  }
  return -1;
}

std::string KeyText(std::string_view key, Sequence sequence, std::string_view type, bool hex) {
  return "'" + (hex ? Hex(key) : std::string(key)) + "' seq:" + std::to_string(sequence) +
         ", type:" + std::to_string(TypeNumber(type));
}

std::string TimeText(int seconds) {
  const time_t time = seconds;
  tm local{};
  localtime_r(&time, &local);
  std::array<char, 80> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%c", &local)};
}

std::string WithSingleSlashes(std::string_view path) {
  std::string single;
  for (const char c : path) {
    if (c != '/' || !single.ends_with('/')) single.push_back(c);
  }
  return single;
}

Status Failed(std::string text) { return Status::InvalidArgument(std::move(text)); }

Status Failed(std::string_view before, const Status& status) {
  return Failed(std::string(before) + InRocksDbWords(status));
}

std::string InRocksDbWords(const Status& status) {
  return std::string(WordOf(status.code())) + std::string(status.message());
}

Status NotImplemented(std::string_view what) {
  return Failed("Not implemented: " + std::string(what));
}

}  // namespace varve::cli::ldb
