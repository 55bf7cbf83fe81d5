// SPDX-License-Identifier: Apache-2.0
#include "core/c/info_log.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/base/text/quantity.h"
#include "core/c/error.h"
#include "core/c/logger.h"
#include "core/format/file_name.h"
#include "core/fs/complete_environment.h"
#include "varve/file_system.h"

namespace varve::c {
namespace {

constexpr uint64_t kMicrosOfSecond = 1'000'000;
constexpr std::string_view kLog = "LOG";
constexpr std::string_view kOldLog = ".old.";

std::string Absolute(const std::string& path) {
  std::error_code failed;  // Then it stays as it is.
  const std::filesystem::path full = std::filesystem::absolute(path, failed);
  return failed ? path : full.string();
}

// RocksDB's InfoLogPrefix: "/home/me/db" is "home_me_db_LOG".
std::string NameWithin(std::string_view database) {
  constexpr size_t kNameMax = 255;
  std::string name;
  for (size_t i = 0; i < database.size() && name.size() < kNameMax - kLog.size(); ++i) {
    const char c = database[i];
    const bool stays = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
                       c == '-' || c == '.' || c == '_';
    if (stays) {
      name += c;
    } else if (i > 0) {
      name += '_';
    }
  }
  return name.append("_").append(kLog);
}

// "2026/11/26-07:54:23.330986 14559 "
std::string Stamp(uint64_t micros) {
  const auto seconds = static_cast<std::time_t>(micros / kMicrosOfSecond);
  std::tm local = {};
  ::localtime_r(&seconds, &local);
  std::array<char, 32> day = {};
  const size_t size = std::strftime(day.data(), day.size(), "%Y/%m/%d-%H:%M:%S", &local);
  const std::string fraction = std::to_string(micros % kMicrosOfSecond);
  return std::string(day.data(), size) + "." + std::string(6 - fraction.size(), '0') + fraction +
         " " + std::to_string(::gettid()) + " ";
}

std::string_view MarkOf(LogLevel level) {
  constexpr std::array<std::string_view, 6> kNames = {"[DEBUG] ", "",         "[WARN] ",
                                                      "[ERROR] ", "[FATAL] ", ""};
  return kNames.at(static_cast<size_t>(level));
}

LogLevel LevelOf(int number) {
  return static_cast<LogLevel>(std::clamp(number, 0, static_cast<int>(LogLevel::kHeader)));
}

}  // namespace

InfoLog::InfoLog(const rocksdb_options_t& options, const std::string& path)
    : env_(Complete(options.env)),
      logger_(options.logger),
      database_(Absolute(path)),
      log_directory_(options.db_log_dir),
      level_(LevelOf(options.values.info_log_level)),
      bytes_max_(options.values.max_log_file_size),
      seconds_max_(options.values.log_file_time_to_roll),
      files_max_(std::max(options.values.keep_log_file_num, size_t{1})) {}

void InfoLog::Write(LogLevel level, std::string_view line) {
  if (logger_ != nullptr) return logger_->Log(static_cast<int>(level), line);
  if ((level == LogLevel::kHeader ? LogLevel::kInfo : level) < level_) return;
  std::string text = Stamp(env_.clock->UnixMicros());
  text.append(MarkOf(level)).append(line);
  if (!text.ends_with('\n')) text += '\n';
  MutexLock lock(mutex_);
  if (!begun_) {
    waiting_ += text;
  } else {
    if (IsDue()) Open();
    Append(text);
  }
  if (level == LogLevel::kHeader) header_ += text;
}

void InfoLog::Begin(const std::string& directory) {
  if (logger_ != nullptr) return;
  MutexLock lock(mutex_);
  directory_ = log_directory_.empty() ? directory : log_directory_;
  name_ = log_directory_.empty() ? std::string(kLog) : NameWithin(database_);
  begun_ = true;
  const std::string first = std::exchange(header_, {});  // They are in waiting_ as well.
  Open();
  header_ = first;
  Append(std::exchange(waiting_, {}));
}

void InfoLog::Append(std::string_view text) {
  if (file_ == nullptr || text.empty()) return;
  // A file that failed once is not written again.
  if (!file_->Append(text).ok()) {
    file_.reset();
    return;
  }
  bytes_ += text.size();
}

bool InfoLog::IsDue() const {
  if (file_ == nullptr) return false;
  if (bytes_max_ > 0 && bytes_ >= bytes_max_) return true;
  return seconds_max_ > 0 &&
         env_.clock->UnixMicros() / kMicrosOfSecond >= opened_seconds_ + seconds_max_;
}

void InfoLog::Open() {
  FileSystem& fs = *env_.file_system;
  file_.reset();
  bytes_ = 0;
  const uint64_t now = env_.clock->UnixMicros();
  opened_seconds_ = now / kMicrosOfSecond;
  if (!fs.CreateDirectory(directory_).ok()) return;
  const std::string path = JoinPath(directory_, name_);
  if (fs.Exists(path)) {
    uint64_t suffix = now;  // Two within a microsecond, or after the clock was set back.
    while (fs.Exists(path + std::string(kOldLog) + std::to_string(suffix))) ++suffix;
    if (!fs.Rename(path, path + std::string(kOldLog) + std::to_string(suffix)).ok()) return;
  }
  KeepNewest();
  auto file = fs.Create(path, /*direct=*/false);
  if (!file.ok()) return;
  file_ = *std::move(file);
  Append(header_);
}

void InfoLog::KeepNewest() const {
  FileSystem& fs = *env_.file_system;
  const auto entries = fs.List(directory_);
  if (!entries.ok()) return;
  const std::string prefix = name_ + std::string(kOldLog);
  std::vector<uint64_t> old;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory || !entry.name.starts_with(prefix)) continue;
    const std::optional<uint64_t> micros = ParseDecimal(entry.name.substr(prefix.size()));
    if (micros && prefix + std::to_string(*micros) == entry.name) old.push_back(*micros);
  }
  std::sort(old.begin(), old.end());
  for (size_t i = 0; i + files_max_ <= old.size(); ++i) {
    fs.Remove(JoinPath(directory_, prefix + std::to_string(old[i]))).Ignore("an old LOG too many");
  }
}

}  // namespace varve::c
