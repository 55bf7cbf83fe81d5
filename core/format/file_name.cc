// SPDX-License-Identifier: Apache-2.0
#include "core/format/file_name.h"

#include <utility>

#include "core/base/text/quantity.h"

namespace varve {
namespace {

constexpr std::string_view kTemporarySuffix = ".dbtmp";

struct NumberedName {
  std::string_view text;
  FileKind kind;
};
constexpr NumberedName kSuffixes[] = {
    {".log", FileKind::kWal},
    {".sst", FileKind::kTable},
    {".ldb", FileKind::kTableLdb},
    {".blob", FileKind::kBlob},
    {kTemporarySuffix, FileKind::kTemporary},
};
constexpr NumberedName kPrefixes[] = {
    {"MANIFEST-", FileKind::kManifest},
    {"OPTIONS-", FileKind::kOptions},
    {"COMPACTION_PROGRESS-", FileKind::kCompactionProgress},
    {"METADB-", FileKind::kMetaDatabase},
};

std::string Padded(FileNumber number) {
  constexpr size_t kDigitsMin = 6;
  std::string digits = std::to_string(number);
  if (digits.size() < kDigitsMin) digits.insert(0, kDigitsMin - digits.size(), '0');
  return digits;
}

// RocksDB pads the numbers of all other files.
bool IsPadded(FileKind kind) {
  return kind != FileKind::kInfoLog && kind != FileKind::kCompactionProgress &&
         kind != FileKind::kMetaDatabase;
}

// A file whose name has these digits. With different zero padding it is not a file of the database,
// and may exist next to the file with this number.
std::optional<FileName> Numbered(FileKind kind, std::string_view digits) {
  const std::optional<uint64_t> number = ParseDecimal(digits);
  if (!number || (IsPadded(kind) && digits != Padded(*number))) return std::nullopt;
  return FileName{kind, *number};
}

std::optional<FileName> ParseInfoLog(std::string_view after_log) {
  constexpr std::string_view kOld = ".old";
  if (after_log.empty() || after_log == kOld) return FileName{FileKind::kInfoLog, 0};
  if (!after_log.starts_with(kOld) || after_log[kOld.size()] != '.') return std::nullopt;
  return Numbered(FileKind::kInfoLog, after_log.substr(kOld.size() + 1));
}

}  // namespace

std::optional<FileName> ParseFileName(std::string_view name) {
  if (name == kCurrentFileName) return FileName{FileKind::kCurrent, 0};
  if (name == kIdentityFileName) return FileName{FileKind::kIdentity, 0};
  if (name == kLockFileName) return FileName{FileKind::kLock, 0};
  if (name.starts_with(kInfoLogFileName)) {
    return ParseInfoLog(name.substr(kInfoLogFileName.size()));
  }
  for (const NumberedName& prefix : kPrefixes) {
    if (!name.starts_with(prefix.text)) continue;
    std::string_view digits = name.substr(prefix.text.size());
    FileKind kind = prefix.kind;
    if (digits.ends_with(kTemporarySuffix) &&
        (kind == FileKind::kOptions || kind == FileKind::kCompactionProgress)) {
      digits.remove_suffix(kTemporarySuffix.size());
      if (kind == FileKind::kOptions) kind = FileKind::kOptionsTemporary;
    }
    return Numbered(kind, digits);
  }
  for (const NumberedName& suffix : kSuffixes) {
    if (!name.ends_with(suffix.text)) continue;
    return Numbered(suffix.kind, name.substr(0, name.size() - suffix.text.size()));
  }
  return std::nullopt;
}

std::string ManifestFileName(FileNumber number) { return "MANIFEST-" + Padded(number); }
std::string WalFileName(FileNumber number) { return Padded(number) + ".log"; }
std::string TableFileName(FileNumber number) { return Padded(number) + ".sst"; }
std::string TableLdbFileName(FileNumber number) { return Padded(number) + ".ldb"; }
std::string BlobFileName(FileNumber number) { return Padded(number) + ".blob"; }
std::string TemporaryFileName(FileNumber number) { return Padded(number) + ".dbtmp"; }
std::string OptionsFileName(FileNumber number) { return "OPTIONS-" + Padded(number); }
std::string OptionsTemporaryFileName(FileNumber number) {
  return OptionsFileName(number) + std::string(kTemporarySuffix);
}

std::string JoinPath(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

}  // namespace varve
