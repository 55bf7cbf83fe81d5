// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/http_fs.h"

#include <map>
#include <optional>
#include <utility>

#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/fs/http/curl_library.h"
#include "core/fs/http/http_file.h"
#include "core/fs/read_only_fs.h"

namespace varve {
namespace {

constexpr uint64_t kUsedAgainMicros = 2'000'000;
constexpr size_t kAnswersMax = 1'024;
constexpr size_t kListedMax = 16;

using FilePtr = std::shared_ptr<const HttpFile>;

// Answers that are used again for a while. Thread-safe.
template <typename Answer>
class Recent {
 public:
  Recent(Clock& clock, size_t max) : clock_(clock), max_(max) {}

  std::optional<Answer> Get(const std::string& name) {
    MutexLock lock(mu_);
    const auto found = answers_.find(name);
    if (found == answers_.end() || IsOld(found->second.at)) return std::nullopt;
    return found->second.answer;
  }
  void Put(const std::string& name, Answer answer) {
    MutexLock lock(mu_);
    if (answers_.size() >= max_) {
      std::erase_if(answers_, [this](const auto& entry) { return IsOld(entry.second.at); });
    }
    if (answers_.size() >= max_) answers_.clear();
    answers_.insert_or_assign(name, Kept{std::move(answer), clock_.NowMicros()});
  }

 private:
  struct Kept {
    Answer answer;
    uint64_t at;
  };
  bool IsOld(uint64_t at) const { return clock_.NowMicros() - at > kUsedAgainMicros; }

  Clock& clock_;
  const size_t max_;
  Mutex mu_;
  std::map<std::string, Kept> answers_ GUARDED_BY(mu_);
};

// One opener of a file.
class HttpReader final : public RandomAccessFile {
 public:
  explicit HttpReader(FilePtr file) : file_(std::move(file)) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    ReadRequest request{.offset = offset, .size = size, .buffer = buffer};
    file_->ReadMany({&request, 1});
    RETURN_IF_ERROR(request.status);
    return request.result;
  }
  void ReadMany(std::span<ReadRequest> requests) const override { file_->ReadMany(requests); }
  Result<uint64_t> Size() const override { return file_->size(); }
  const std::string& path() const override { return file_->path(); }

 private:
  const FilePtr file_;
};

class HttpFileSystem final : public ReadOnlyFileSystem {
 public:
  HttpFileSystem(const CurlLibrary& curl, UrlRoot root, const HttpOptions& options, Environment env,
                 ListFolder list)
      : ReadOnlyFileSystem("files at a URL are only read"),
        list_(std::move(list)),
        mount_(curl, std::move(root), options, env),
        files_(*env.clock, kAnswersMax),
        folders_(*env.clock, kListedMax) {}

  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path, bool) override {
    ASSIGN_OR_RETURN(FilePtr file, Find(path));
    return std::unique_ptr<RandomAccessFile>(std::make_unique<HttpReader>(std::move(file)));
  }
  Result<uint64_t> FileSize(const std::string& path) override {
    ASSIGN_OR_RETURN(const FilePtr file, Find(path));
    return file->size();
  }
  // Whoever opens what could not be asked for gets the error.
  bool Exists(const std::string& path) override {
    return Find(path).status().code() != Code::kNotFound;
  }
  Result<std::vector<DirectoryEntry>> List(const std::string& directory) override {
    if (auto known = folders_.Get(directory)) return *std::move(known);
    Result<std::vector<DirectoryEntry>> entries = list_(
        *this, directory, [this](std::span<const std::string> paths) { return SizesOf(paths); });
    folders_.Put(directory, entries);
    return entries;
  }

 private:
  Result<FilePtr> Find(const std::string& path) {
    if (auto known = files_.Get(path)) return *std::move(known);
    Result<FilePtr> opened = HttpFile::Open(mount_, path);
    files_.Put(path, opened);
    return opened;
  }

  std::vector<Result<uint64_t>> SizesOf(std::span<const std::string> paths) {
    std::vector<HttpExchange> heads;
    heads.reserve(paths.size());
    for (const std::string& path : paths) {
      heads.push_back({.kind = HttpExchange::Kind::kHead, .path = path});
    }
    mount_.client.Perform(heads);
    std::vector<Result<uint64_t>> sizes;
    for (const HttpExchange& head : heads) {
      if (!head.status.ok()) {
        sizes.emplace_back(head.status);
      } else if (head.code == 200 && head.total) {
        sizes.emplace_back(*head.total);
      } else if (head.code == 200) {
        sizes.emplace_back(Status::NotSupported(head.path + ": the server does not say its size"));
      } else {
        // Object stores may forbid names that they lack. Any other answer does not say that a file
        // is absent: a log that is overlooked is an answer that is silently old.
        const bool absent = head.code == 404 || head.code == 410 || head.code == 403;
        sizes.emplace_back(
            Status(absent ? Code::kNotFound : Code::kIoError,
                   head.path + ": the server answered " + std::to_string(head.code) + " to HEAD"));
      }
    }
    return sizes;
  }

  const ListFolder list_;
  HttpMount mount_;
  Recent<Result<FilePtr>> files_;
  Recent<Result<std::vector<DirectoryEntry>>> folders_;
};

}  // namespace

Result<std::unique_ptr<FileSystem>> NewHttpFileSystem(UrlRoot root, const HttpOptions& options,
                                                      Environment env, ListFolder list) {
  ASSIGN_OR_RETURN(const CurlLibrary* const curl, LoadCurl());
  return std::unique_ptr<FileSystem>(
      std::make_unique<HttpFileSystem>(*curl, std::move(root), options, env, std::move(list)));
}

}  // namespace varve
