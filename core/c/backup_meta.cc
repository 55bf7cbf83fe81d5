// SPDX-License-Identifier: Apache-2.0
#include "core/c/backup_meta.h"

#include <charconv>
#include <optional>

#include "core/base/try.h"

namespace varve::c {
namespace {

std::string_view TakeUntil(std::string_view* text, char end) {
  const size_t at = text->find(end);
  const std::string_view taken = text->substr(0, at);
  text->remove_prefix(at == std::string_view::npos ? text->size() : at + 1);
  return taken;
}

template <typename Number>
std::optional<Number> NumberOf(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

template <typename Number>
Status TakeNumber(std::string_view* text, std::string_view what, Number* out) {
  const std::optional<Number> number = NumberOf<Number>(TakeUntil(text, '\n'));
  if (!number) return Status::Corruption("no " + std::string(what));
  *out = *number;
  return Status::Ok();
}

bool StaysWithin(std::string_view path) {
  if (path.empty() || path.front() == '/') return false;
  while (!path.empty()) {
    if (TakeUntil(&path, '/') == "..") return false;
  }
  return true;
}

Result<BackupFile> ParseFile(std::string_view line) {
  BackupFile file;
  file.path = TakeUntil(&line, ' ');
  if (!StaysWithin(file.path)) return Status::Corruption("a path that leaves the backups");
  std::optional<uint32_t> crc;
  while (!line.empty()) {
    const std::string_view field = TakeUntil(&line, ' ');
    const std::string_view value = TakeUntil(&line, ' ');
    if (field.starts_with("ni::")) {
      return Status::NotSupported("field " + std::string(field) + " of " + file.path);
    }
    if (field == "crc32") crc = NumberOf<uint32_t>(value);
  }
  if (!crc) return Status::Corruption("no checksum of " + file.path);
  file.crc = *crc;
  return file;
}

// "61FF" is "a\xff".
Result<std::string> FromHex(std::string_view digits) {
  std::string bytes;
  if (digits.size() % 2 != 0) return Status::Corruption("metadata of half a byte");
  for (size_t i = 0; i < digits.size(); i += 2) {
    uint8_t byte = 0;
    const char* const end = digits.data() + i + 2;
    if (std::from_chars(digits.data() + i, end, byte, 16).ptr != end) {
      return Status::Corruption("metadata that is not hexadecimal");
    }
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string ToHex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string digits;
  for (const char c : bytes) {
    digits += kDigits[static_cast<uint8_t>(c) / 16];
    digits += kDigits[static_cast<uint8_t>(c) % 16];
  }
  return digits;
}

constexpr std::string_view kMetadata = "metadata ";

// Fields of the backup, none of which says what is in it but that of the program.
Status TakeFields(std::string_view* text, std::string* app_metadata) {
  while (!text->empty() && (text->front() < '0' || text->front() > '9')) {
    const std::string_view field = TakeUntil(text, '\n');
    if (field.starts_with("ni::")) return Status::NotSupported("field " + std::string(field));
    if (!field.starts_with(kMetadata)) continue;
    ASSIGN_OR_RETURN(*app_metadata, FromHex(field.substr(kMetadata.size())));
  }
  return Status::Ok();
}

}  // namespace

uint64_t BackupMeta::size() const {
  uint64_t sum = 0;
  for (const BackupFile& file : files) sum += file.size;
  return sum;
}

std::string FormatBackupMeta(const BackupMeta& meta) {
  std::string text =
      std::to_string(meta.unix_seconds) + "\n" + std::to_string(meta.sequence) + "\n";
  if (!meta.app_metadata.empty()) text.append(kMetadata).append(ToHex(meta.app_metadata)) += '\n';
  text += std::to_string(meta.files.size()) + "\n";
  for (const BackupFile& file : meta.files) {
    text += file.path + " crc32 " + std::to_string(file.crc) + "\n";
  }
  return text;
}

Result<BackupMeta> ParseBackupMeta(std::string_view text) {
  constexpr std::string_view kSchema = "schema_version ";
  const bool may_end_with_fields = text.starts_with(kSchema);
  if (may_end_with_fields) {
    const std::string_view version = TakeUntil(&text, '\n').substr(kSchema.size());
    if (version != "2" && !version.starts_with("2.")) {
      return Status::NotSupported("schema version " + std::string(version));
    }
  }
  BackupMeta meta;
  RETURN_IF_ERROR(TakeNumber(&text, "time", &meta.unix_seconds));
  RETURN_IF_ERROR(TakeNumber(&text, "sequence number", &meta.sequence));
  RETURN_IF_ERROR(TakeFields(&text, &meta.app_metadata));
  uint64_t count = 0;
  RETURN_IF_ERROR(TakeNumber(&text, "number of files", &count));
  for (uint64_t i = 0; i < count; ++i) {
    if (text.empty()) return Status::Corruption("it ends before the last file");
    ASSIGN_OR_RETURN(BackupFile file, ParseFile(TakeUntil(&text, '\n')));
    meta.files.push_back(std::move(file));
  }
  if (may_end_with_fields) RETURN_IF_ERROR(TakeFields(&text, &meta.app_metadata));
  if (!text.empty()) return Status::Corruption("it goes on behind the last file");
  return meta;
}

std::string DatabaseNameOf(std::string_view path) {
  std::string_view name = path.substr(path.find_last_of('/') + 1);
  if (!path.starts_with("shared_checksum/")) return std::string(name);
  const size_t dot = name.find_last_of('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : name.substr(dot);
  return std::string(name.substr(0, name.find('_'))) + std::string(extension);
}

}  // namespace varve::c
