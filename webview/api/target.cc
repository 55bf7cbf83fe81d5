// SPDX-License-Identifier: Apache-2.0
#include "webview/api/target.h"

#include <algorithm>

#include "core/base/text/quantity.h"
#include "core/base/try.h"
#include "core/inspect/wal/recovery_report.h"
#include "webview/api/target_fs.h"

namespace varve::api {
namespace {

constexpr uint64_t kCurrentBytesMax = 4096;

std::string LastComponent(std::string_view path) {
  const size_t slash = path.rfind('/');
  std::string name(slash == std::string_view::npos ? path : path.substr(slash + 1));
  return name.empty() || name == "." || name == ".." ? "db" : name;
}

// The number in "000123.sst"; 0 if there is none.
FileNumber NumberOf(std::string_view name) {
  return ParseDecimal(name.substr(0, name.find('.'))).value_or(0);
}

}  // namespace

Target::Target(std::string id, std::string name, TargetKind kind, std::unique_ptr<FileSystem> fs,
               LiveEngine* live)
    : id_(std::move(id)), name_(std::move(name)), kind_(kind), fs_(std::move(fs)), live_(live) {}

Target::~Target() = default;

Result<std::shared_ptr<Target>> Target::Open(FileSystem& fs, const std::string& path,
                                             std::string id, LiveEngine* live,
                                             std::optional<TargetKind> kind) {
  std::string real = path;
  while (real.size() > 1 && real.ends_with('/')) real.pop_back();
  std::string name = LastComponent(real);
  if (!kind) {
    ASSIGN_OR_RETURN(kind, IdentifyTarget(fs, real));
  }
  auto view = NewTargetFs(fs, std::move(real), name);
  return std::shared_ptr<Target>(
      new Target(std::move(id), std::move(name), *kind, std::move(view), live));
}

FileNumber Target::file_number() const { return NumberOf(name_); }

// Changes whenever the MANIFEST does: CURRENT names it, and edits make it longer.
Result<std::string> Target::ManifestStamp() const {
  ASSIGN_OR_RETURN(std::string current,
                   ReadFileToString(*fs_, name_ + "/CURRENT", kCurrentBytesMax));
  while (!current.empty() && (current.back() == '\n' || current.back() == '\r')) {
    current.pop_back();
  }
  ASSIGN_OR_RETURN(const uint64_t size, fs_->FileSize(name_ + "/" + current));
  return current + "/" + std::to_string(size);
}

Answer<std::shared_ptr<const LsmReport>> Target::Lsm() {
  RETURN_IF_PROBLEM(RequireKind(TargetKind::kDatabase));
  const Result<std::string> stamp = ManifestStamp();
  if (stamp.ok()) {
    MutexLock lock(mu_);
    if (lsm_ != nullptr && stamp_ == *stamp) return lsm_;
  }
  ASSIGN_OR_RETURN(LsmReport report, ReportLsm(*fs_, name_));
  auto fresh = std::make_shared<const LsmReport>(std::move(report));
  // Edits between the stamp and the read cause one more read at the next call.
  MutexLock lock(mu_);
  stamp_ = stamp.ok() ? *stamp : std::string();
  lsm_ = fresh;
  return fresh;
}

Answer<std::shared_ptr<RecordReader>> Target::Records(const RecordOpener& open) {
  if (live_ != nullptr) {
    if (std::shared_ptr<RecordReader> records = live_->Records()) return records;
  }
  if (open == nullptr) {
    return Problem("unsupported_feature", "this server was built without reading of records");
  }
  // Files may vanish between reading the MANIFEST and opening them: then there is a newer one.
  constexpr int kAttemptsMax = 5;
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(std::string stamp, RecordsStamp());
    {
      MutexLock lock(mu_);
      if (records_ != nullptr && records_stamp_ == stamp) return records_;
    }
    Result<std::shared_ptr<RecordReader>> opened = open(*fs_, name_);
    if (opened.ok()) {
      MutexLock lock(mu_);
      records_stamp_ = std::move(stamp);
      records_ = *opened;
      return *opened;
    }
    const Result<std::string> now = RecordsStamp();
    const bool moved = now.ok() && *now != stamp;
    if (!moved || attempt == kAttemptsMax) return opened.status();
  }
}

std::shared_ptr<const RecoveryReport> Target::Recovery() {
  if (live_ != nullptr || kind_ != TargetKind::kDatabase) return nullptr;
  const Result<std::string> stamp = RecordsStamp();
  if (!stamp.ok()) return nullptr;
  {
    MutexLock lock(mu_);
    if (recovery_ != nullptr && recovery_stamp_ == *stamp) return recovery_;
  }
  Result<RecoveryReport> report = ReportRecovery(*fs_, name_);
  if (!report.ok()) return nullptr;
  auto fresh = std::make_shared<const RecoveryReport>(*std::move(report));
  MutexLock lock(mu_);
  recovery_stamp_ = *stamp;
  recovery_ = fresh;
  return fresh;
}

// Changes with every visible write: the MANIFEST's stamp, and the sizes of the logs.
Result<std::string> Target::RecordsStamp() const {
  ASSIGN_OR_RETURN(std::string stamp, ManifestStamp());
  ASSIGN_OR_RETURN(std::vector<DirectoryEntry> entries, fs_->List(name_));
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const DirectoryEntry& entry : entries) {
    if (entry.name.ends_with(".log")) {
      stamp += "/" + entry.name + "=" + std::to_string(entry.size);
    }
  }
  return stamp;
}

Answer<Done> Target::RequireKind(TargetKind wanted) const {
  if (kind_ == wanted) return Done();
  return Problem("bad_request", "target " + id_ + " is not " + std::string(TargetKindText(wanted)) +
                                    " but " + std::string(TargetKindText(kind_)));
}

Answer<TableFile> Target::FindTable(const LsmReport* lsm, std::string_view number) const {
  const std::optional<FileNumber> named = ParseDecimal(number);
  if (!named) return Problem("bad_request", "a file is identified by its number");
  const FileNumber wanted = *named;
  const Problem absent("file_not_found", "there is no table " + std::to_string(wanted));
  // Of unknown kind: possibly a table with a damaged footer; opening it will tell.
  if (kind_ == TargetKind::kTable || kind_ == TargetKind::kUnknown) {
    if (wanted != 0 && wanted != file_number()) return absent;
    return TableFile{.path = name_, .name = name_, .number = file_number()};
  }
  if (lsm == nullptr) return absent;
  for (const FamilyReport& family : lsm->families) {
    for (const LevelReport& level : family.levels) {
      for (const FileReport& file : level.files) {
        if (file.number != wanted) continue;
        return TableFile{.path = name_ + "/" + file.name,
                         .name = file.name,
                         .number = wanted,
                         .family = &family,
                         .report = &file};
      }
    }
  }
  for (const std::string& orphan : lsm->orphans) {
    if (NumberOf(orphan) == wanted && !orphan.ends_with(".blob")) {
      return TableFile{.path = name_ + "/" + orphan, .name = orphan, .number = wanted};
    }
  }
  return absent;
}

}  // namespace varve::api
