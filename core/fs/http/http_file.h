// SPDX-License-Identifier: Apache-2.0
// A file on a web server, read in blocks of 64 KiB that are looked for in memory, then in the cache
// on disk. What is missing is asked for in as few ranges as possible, which run at the same time:
//
//   wanted   |--a--|    |--b--|                        |--c--|
//   blocks   |    0    |    1    |    2    |    3    |    4    |
//   ranges   |-------------------|                   |---------|
//
// All bytes are of the file that was opened: each request says its ETag (If-Match), and an answer
// with another ETag, time of change or size is an error.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/fs/http/block_memory.h"
#include "core/fs/http/disk_cache.h"
#include "core/fs/http/http_client.h"
#include "varve/file_system.h"

namespace varve {

// What the files below one URL share. Must outlive them.
struct HttpMount {
  explicit HttpMount(const CurlLibrary& curl, UrlRoot root, const HttpOptions& options,
                     Environment env);

  HttpClient client;
  BlockMemory memory;
  std::unique_ptr<DiskCache> disk;  // Null without one.
  std::atomic<uint64_t> files{0};   // Opened so far: numbers them in `memory`.
  // Bytes of open files that a server without ranges sent whole; at most kWholeFilesMax.
  std::atomic<uint64_t> whole_bytes{0};
  static constexpr uint64_t kWholeFilesMax = 256 << 20;
};

// One file as it was when it was opened. Thread-safe.
class HttpFile {
 public:
  static constexpr uint64_t kBlock = 64 << 10;
  // Asked for at once when a file is opened, from its end: most tables have their index there.
  static constexpr uint64_t kTail = 2 * kBlock;

  // kNotFound: the server has no such file. Sends a request.
  static Result<std::shared_ptr<const HttpFile>> Open(HttpMount& mount, const std::string& path);

  ~HttpFile();

  void ReadMany(std::span<ReadRequest> requests) const;
  uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  HttpFile(HttpMount& mount, std::string path, HttpExchange answer);

  using Blocks = std::map<uint64_t, Result<Block>>;  // By their numbers.

  uint64_t SizeOf(uint64_t block) const;
  void ReadSome(std::span<ReadRequest*> requests) const;
  Block Find(uint64_t number) const;
  void Fetch(std::vector<uint64_t> missing, Blocks* blocks) const;
  Status CheckUnchanged(const HttpExchange& answer) const;
  void Keep(uint64_t offset, std::string_view bytes, Blocks* blocks) const;
  void Answer(const Blocks& blocks, ReadRequest* request) const;

  HttpMount& mount_;
  const std::string path_;
  const uint64_t number_;
  const uint64_t size_;
  const std::string etag_, last_modified_;
  const std::string identity_;  // In the cache on disk; empty without an ETag: not kept there.
  std::string whole_;           // If the server sent the whole file.
  bool is_whole_ = false;
  // Sequential reading: where it has got to, and how much is asked for ahead.
  mutable std::atomic<uint64_t> next_block_{UINT64_MAX}, window_{0};
};

}  // namespace varve
