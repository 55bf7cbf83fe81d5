// SPDX-License-Identifier: Apache-2.0
#include "cli/output/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "cli/process/system_error.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

constexpr mode_t kUsualMode = 0644;

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::Create(const std::string& path) {
  auto file = std::unique_ptr<OutputFile>(new OutputFile);
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  file->path_ = error ? path : real.string();
  struct stat there = {};
  const bool exists = stat(file->path_.c_str(), &there) == 0;
  if (exists && !S_ISREG(there.st_mode)) {
    // Without O_NONBLOCK this would block until a pipe has a reader.
    file->fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->fd_ < 0 && errno == ENXIO && S_ISFIFO(there.st_mode)) {
      return Status::IoError(path + ": is a pipe without a reader");
    }
    if (file->fd_ < 0 || fcntl(file->fd_, F_SETFL, O_WRONLY) != 0) return SystemError(path);
    return file;
  }
  // A file that the user may not write must not be replaced either.
  if (exists && access(file->path_.c_str(), W_OK) != 0) return SystemError(path);
  const std::string beside = file->path_ + ".tmp" + std::to_string(getpid());
  file->beside_ = std::make_unique<TemporaryPath>(beside);
  file->fd_ = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kUsualMode);
  if (file->fd_ < 0) return SystemError(path);
  if (exists) fchmod(file->fd_, there.st_mode & 07777);
  return file;
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
}

Status OutputFile::Commit() {
  const int fd = std::exchange(fd_, -1);
  if (close(fd) != 0) return SystemError(path_);
  if (beside_ == nullptr) return Status::Ok();
  if (rename(beside_->path().c_str(), path_.c_str()) != 0) return SystemError(path_);
  beside_->Keep();
  return Status::Ok();
}

bool IsSameOrWithin(const std::string& path, const std::string& input) {
  std::error_code error;
  const auto real_path = std::filesystem::weakly_canonical(path, error);
  if (error) return false;
  const auto real_input = std::filesystem::weakly_canonical(input, error);
  if (error) return false;
  if (std::filesystem::exists(real_path, error) &&
      std::filesystem::equivalent(real_path, real_input, error)) {
    return !std::filesystem::is_character_file(real_path, error);
  }
  // The input may not exist yet: a file that the command is about to create must not be replaced
  // either.
  const bool file = std::filesystem::exists(real_input, error) &&
                    !std::filesystem::is_directory(real_input, error);
  if (file) return false;
  const auto below = real_path.lexically_relative(real_input);
  return !below.empty() && *below.begin() != "..";
}

bool IsStandardInput(const std::string& path) {
  struct stat there = {}, input = {};
  return stat(path.c_str(), &there) == 0 && fstat(STDIN_FILENO, &input) == 0 &&
         S_ISREG(there.st_mode) && there.st_dev == input.st_dev && there.st_ino == input.st_ino;
}

}  // namespace varve::cli
