// SPDX-License-Identifier: Apache-2.0
#include "core/fs/http/disk_cache.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/hash/hash.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve {
namespace {

namespace stdfs = std::filesystem;

constexpr std::string_view kMagic = "VRVBLK1\n";
constexpr size_t kHeadBytes = 16;
// A block's time of use is set at most this often, and an unfinished file of a killed process is
// deleted after as long.
constexpr auto kHour = std::chrono::hours(1);

uint64_t HashOf(std::string_view file, uint64_t block, std::string_view bytes) {
  const Hash128 identity = Xxh3_128(file, block);
  return Xxh3_128(bytes, identity.low ^ identity.high).low;
}

bool IsUnfinished(const stdfs::path& path) { return path.extension() == ".new"; }

bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Whether this class made the file (PathOf()): the directory may have files of others, which are
// neither counted nor deleted.
bool IsOwn(const stdfs::path& path) {
  constexpr size_t kHashDigits = 32;
  const std::string name = path.filename().string();
  return name.size() > kHashDigits + 1 && name[kHashDigits] == '-' &&
         IsHex(std::string_view(name).substr(0, kHashDigits)) &&
         path.parent_path().filename().string() == name.substr(0, 2);
}

void NoteUse(const std::string& path) {
  std::error_code error;
  const auto now = stdfs::file_time_type::clock::now();
  const auto used = stdfs::last_write_time(path, error);
  if (!error && used + kHour < now) stdfs::last_write_time(path, now, error);
}

}  // namespace

std::string DiskCache::PathOf(std::string_view file, uint64_t block) const {
  const Hash128 hash = Xxh3_128(file, /*seed=*/0);
  const std::string name = Hex(hash.high, 16) + Hex(hash.low, 16);
  return directory_ + "/" + name.substr(0, 2) + "/" + name + "-" + std::to_string(block);
}

DiskCache::Found DiskCache::Get(std::string_view file, uint64_t block, uint64_t size) {
  const std::string path = PathOf(file, block);
  Result<std::string> stored = ReadFileToString(files_, path, kHeadBytes + size);
  if (!stored.ok()) return {.block = {}, .damaged = stored.status().code() == Code::kCorruption};
  ByteReader in(*stored);
  std::string_view magic;
  uint64_t hash = 0;
  const bool whole = stored->size() == kHeadBytes + size && in.ReadBytes(kMagic.size(), &magic) &&
                     magic == kMagic && in.ReadFixed64(&hash);
  if (!whole) return {.block = {}, .damaged = true};
  std::string bytes = stored->substr(kHeadBytes);
  if (hash != HashOf(file, block, bytes)) return {.block = {}, .damaged = true};
  NoteUse(path);
  return {.block = std::move(bytes), .damaged = false};
}

Status DiskCache::Write(const std::string& path, std::string_view file, uint64_t block,
                        std::string_view bytes) {
  std::string unfinished;
  {
    MutexLock lock(mu_);
    unfinished = path + "." + Hex(salt_) + "-" + std::to_string(names_++) + ".new";
  }
  std::string head(kMagic);
  AppendFixed64(&head, HashOf(file, block, bytes));
  ASSIGN_OR_RETURN(const auto writer, files_.Create(unfinished, /*direct=*/false));
  Status written = writer->Append(head);
  if (written.ok()) written = writer->Append(bytes);
  if (written.ok()) written = writer->Close();
  if (written.ok()) written = files_.Rename(unfinished, path);
  if (!written.ok()) files_.Remove(unfinished).Ignore("deleted when it is an hour old");
  return written;
}

Status DiskCache::Prepare(const std::string& directory) {
  std::error_code error;
  // One that was there keeps its permissions: it may have other uses.
  if (stdfs::create_directories(directory, error)) {
    stdfs::permissions(directory, stdfs::perms::owner_all, error);
  }
  if (!error && !stdfs::is_directory(directory, error) && !error) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (!error && access(directory.c_str(), R_OK | W_OK | X_OK) != 0) {
    error = std::error_code(errno, std::generic_category());
  }
  if (!error) return Status::Ok();
  return Status::IoError(directory + ": no cache for what is read from URLs: " + error.message());
}

void DiskCache::Put(std::string_view file, uint64_t block, std::string_view bytes) {
  const std::string path = PathOf(file, block);
  std::error_code error;
  // What was read with credentials is for their owner only.
  const stdfs::path folder = stdfs::path(path).parent_path();
  if (stdfs::create_directory(folder, error)) {
    stdfs::permissions(folder, stdfs::perms::owner_all, error);
  }
  if (!Write(path, file, block, bytes).ok()) return;
  bool add_up = false;
  {
    MutexLock lock(mu_);
    written_ += kHeadBytes + bytes.size();
    add_up = !added_up_ || written_ > limit_ / 10;
    if (add_up) written_ = 0;
    added_up_ = true;
  }
  if (add_up) DeleteOldest();
}

void DiskCache::DeleteOldest() {
  struct Stored {
    stdfs::file_time_type used;
    uint64_t size;
    stdfs::path path;
  };
  std::vector<Stored> all;
  uint64_t total = 0;
  std::error_code error;
  const auto now = stdfs::file_time_type::clock::now();
  for (stdfs::recursive_directory_iterator entry(directory_, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;  // Deleted by another process meanwhile.
    if (!IsOwn(entry->path()) || !entry->is_regular_file(gone) || gone) continue;
    const uint64_t size = entry->file_size(gone);
    const auto used = entry->last_write_time(gone);
    if (gone) continue;
    if (IsUnfinished(entry->path())) {
      if (used + kHour < now) stdfs::remove(entry->path(), gone);
      continue;
    }
    total += size;
    all.push_back({used, size, entry->path()});
  }
  // A tenth is written before they are added up again.
  const uint64_t kept = limit_ - limit_ / 10;
  if (total <= kept) return;
  std::sort(all.begin(), all.end(),
            [](const Stored& a, const Stored& b) { return a.used < b.used; });
  for (const Stored& oldest : all) {
    if (total <= kept) break;
    std::error_code gone;
    stdfs::remove(oldest.path, gone);
    total -= oldest.size;
  }
}

}  // namespace varve
