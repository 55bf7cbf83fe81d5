// SPDX-License-Identifier: Apache-2.0
#include "core/version/blob_reader.h"

#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <utility>

#include "core/base/bytes/byte_reader.h"
#include "core/base/check.h"
#include "core/base/codec/compression.h"
#include "core/base/text/text.h"
#include "core/base/threads/mutex.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/value/blob_record.h"
#include "core/format/value/stored_value.h"

namespace varve {
namespace {

// Maximum number of open blob files; beyond it the least recently used one is closed.
constexpr size_t kOpenBlobFilesMax = 128;

struct BlobFile {
  std::unique_ptr<RandomAccessFile> file;
  uint64_t size = 0;
  BlobFileHeader header;

  std::string At(uint64_t offset) const { return FileOffset(file->path(), offset); }
};

// What a value points into: a buffer, or the open file if that returns its own memory.
struct StoredBytes {
  std::shared_ptr<const BlobFile> file;
  std::unique_ptr<char[]> buffer;
  std::string_view bytes;
};

Status NoMemoryFor(uint64_t size) {
  return Status::IoError("no memory for a blob of " + std::to_string(size) + " bytes");
}

// RocksDB writes no larger value; the file may be sparse, so its size limits nothing.
Status TooLarge(uint64_t size) {
  return Status::Corruption("a blob of " + std::to_string(size) + " bytes is larger than " +
                            std::to_string(kBlockRawSizeMax));
}

// Reads exactly `size` bytes; the caller has checked that the file has them.
Result<std::shared_ptr<StoredBytes>> ReadBytes(std::shared_ptr<const BlobFile> file,
                                               uint64_t offset, uint64_t size) {
  DCHECK(offset <= file->size && size <= file->size - offset);
  auto stored = std::make_shared<StoredBytes>();
  stored->buffer.reset(new (std::nothrow) char[size]);
  if (stored->buffer == nullptr) return NoMemoryFor(size).At(file->At(offset));
  ASSIGN_OR_RETURN(stored->bytes, file->file->Read(offset, size, stored->buffer.get()));
  if (stored->bytes.size() != size) {
    return Status::Corruption(file->At(offset) + ": " + std::to_string(size) +
                              " bytes wanted, the file ends after " +
                              std::to_string(stored->bytes.size()));
  }
  stored->file = std::move(file);
  return stored;
}

// Since format version 2, blobs have the raw-size prefix of table blocks (sst-format 5.2).
Result<Value> Inflate(CompressionType codec, std::string_view stored) {
  uint64_t raw_size = 0;
  if (codec == CompressionType::kSnappy) {
    ASSIGN_OR_RETURN(raw_size, SnappyRawSize(stored));
  } else {
    ByteReader in(stored);
    if (!in.ReadVarint64(&raw_size)) return Status::Corruption("no raw size");
    stored = in.rest();
  }
  if (!IsPlausibleRawSize(raw_size, stored.size())) {
    return Status::Corruption("a blob of " + std::to_string(stored.size()) +
                              " bytes claims to hold " + std::to_string(raw_size));
  }
  std::shared_ptr<char[]> raw(new (std::nothrow) char[raw_size]);
  if (raw == nullptr) return NoMemoryFor(raw_size);
  RETURN_IF_ERROR(Decompress(codec, stored, {}, raw.get(), raw_size));
  const std::string_view bytes(raw.get(), raw_size);
  return Value(bytes, std::move(raw));
}

}  // namespace

struct BlobReader::Impl {
  struct Slot {
    std::shared_ptr<const BlobFile> file;
    uint64_t last_use = 0;
  };

  Impl(FileSystem& f, std::string d) : fs(f), directory(std::move(d)) {}

  Result<std::shared_ptr<const BlobFile>> Find(FileNumber number) EXCLUDES(mutex) {
    {
      MutexLock lock(mutex);
      const auto it = open.find(number);
      if (it != open.end()) {
        it->second.last_use = ++uses;
        return it->second.file;
      }
    }
    ASSIGN_OR_RETURN(std::shared_ptr<const BlobFile> file, Open(number));
    MutexLock lock(mutex);
    if (open.size() >= open_max && !open.contains(number)) {
      open.erase(std::min_element(open.begin(), open.end(), [](const auto& a, const auto& b) {
        return a.second.last_use < b.second.last_use;
      }));
    }
    Slot& slot = open[number];
    CHECK_OP(open.size(), <=, open_max);
    if (slot.file == nullptr) slot.file = std::move(file);  // Otherwise another thread was first.
    slot.last_use = ++uses;
    return slot.file;
  }

  Result<std::shared_ptr<const BlobFile>> Open(FileNumber number) const {
    auto blob = std::make_shared<BlobFile>();
    const std::string path = JoinPath(directory, BlobFileName(number));
    ASSIGN_OR_RETURN(blob->file, fs.OpenForRead(path, /*direct=*/false));
    ASSIGN_OR_RETURN(blob->size, blob->file->Size());
    if (blob->size < kBlobFileHeaderSize) {
      return Status::Corruption(path + ": " + std::to_string(blob->size) +
                                " bytes are too few for a blob file");
    }
    char buffer[kBlobFileHeaderSize];
    ASSIGN_OR_RETURN(const std::string_view bytes,
                     blob->file->Read(0, kBlobFileHeaderSize, buffer));
    Result<BlobFileHeader> header = DecodeBlobFileHeader(bytes);
    if (!header.ok()) return header.status().At(blob->At(0));
    blob->header = *header;
    return std::shared_ptr<const BlobFile>(std::move(blob));
  }

  FileSystem& fs;
  const std::string directory;
  Mutex mutex;
  std::map<FileNumber, Slot> open GUARDED_BY(mutex);
  size_t open_max GUARDED_BY(mutex) = kOpenBlobFilesMax;
  uint64_t uses GUARDED_BY(mutex) = 0;
};

BlobReader::BlobReader(FileSystem& fs, std::string directory)
    : impl_(std::make_unique<Impl>(fs, std::move(directory))) {}

BlobReader::~BlobReader() = default;

Result<Value> BlobReader::Read(std::string_view user_key, std::string_view blob_index) const {
  ASSIGN_OR_RETURN(const BlobIndex index, DecodeBlobIndex(blob_index, user_key));
  Result<std::shared_ptr<const BlobFile>> found = impl_->Find(index.file);
  if (found.status().code() == Code::kNotFound) {
    return Status::Corruption(JoinPath(impl_->directory, BlobFileName(index.file)) +
                              ": is missing, but entries refer to values in it");
  }
  RETURN_IF_ERROR(found.status());
  std::shared_ptr<const BlobFile> file = *std::move(found);
  const uint64_t offset = index.RecordOffset(user_key);
  if (index.size > kBlockRawSizeMax) return TooLarge(index.size).At(file->At(offset));
  if (index.offset > file->size || index.size > file->size - index.offset) {
    return Status::Corruption(file->At(offset) + ": a blob of " + std::to_string(index.size) +
                              " bytes runs past the end of the file");
  }
  const std::string where = file->At(offset);
  const CompressionType codec = file->header.compression;
  ASSIGN_OR_RETURN(std::shared_ptr<StoredBytes> stored,
                   ReadBytes(std::move(file), offset, index.offset - offset + index.size));
  const Result<BlobRecordHeader> record =
      DecodeBlobRecordHeader(stored->bytes.substr(0, kBlobRecordHeaderSize));
  if (!record.ok()) return record.status().At(where);
  if (record->key_size != user_key.size() || record->value_size != index.size) {
    return Status::Corruption(
        where + ": the blob has a key of " + std::to_string(record->key_size) + " and a value of " +
        std::to_string(record->value_size) + " bytes, its index says " +
        std::to_string(user_key.size()) + " and " + std::to_string(index.size));
  }
  const std::string_view key = stored->bytes.substr(kBlobRecordHeaderSize, user_key.size());
  const std::string_view value = stored->bytes.substr(kBlobRecordHeaderSize + user_key.size());
  RETURN_IF_ERROR(CheckBlob(*record, key, value).At(where));
  if (key != user_key) return Status::Corruption(where + ": the blob belongs to another key");
  if (index.compression != codec) {
    return Status::Corruption(where + ": the index names the compression " +
                              std::to_string(static_cast<int>(index.compression)) + ", the file " +
                              std::to_string(static_cast<int>(codec)));
  }
  if (codec == CompressionType::kNone) return Value(value, std::move(stored));
  Result<Value> raw = Inflate(codec, value);
  if (!raw.ok()) return raw.status().At(where);
  return raw;
}

Result<BlobReader::Summary> BlobReader::Verify(FileNumber number) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const BlobFile> file, impl_->Find(number));
  Summary summary;
  uint64_t offset = kBlobFileHeaderSize;
  while (offset < file->size) {
    const uint64_t left = file->size - offset;
    ASSIGN_OR_RETURN(const std::shared_ptr<StoredBytes> head,
                     ReadBytes(file, offset, std::min(left, kBlobRecordHeaderSize)));
    static_assert(kBlobRecordHeaderSize == kBlobFileFooterSize,
                  "what may be a record or the footer is read once");
    if (left == kBlobFileFooterSize) {
      const Result<BlobFileFooter> footer = DecodeBlobFileFooter(head->bytes);
      if (!footer.ok()) return footer.status().At(file->At(offset));
      if (footer->blobs == summary.blobs) return summary;
      return Status::Corruption(file->At(offset) + ": the footer counts " +
                                std::to_string(footer->blobs) + " blobs, the file holds " +
                                std::to_string(summary.blobs));
    }
    const Result<BlobRecordHeader> record = DecodeBlobRecordHeader(head->bytes);
    if (!record.ok()) return record.status().At(file->At(offset));
    const uint64_t room = left - kBlobRecordHeaderSize;
    if (record->key_size > room || record->value_size > room - record->key_size) {
      return Status::Corruption(file->At(offset) + ": a blob runs past the end of the file");
    }
    const uint64_t size = record->key_size + record->value_size;
    if (size > kBlockRawSizeMax) return TooLarge(size).At(file->At(offset));
    ASSIGN_OR_RETURN(const std::shared_ptr<StoredBytes> body,
                     ReadBytes(file, offset + kBlobRecordHeaderSize, size));
    RETURN_IF_ERROR(CheckBlob(*record, body->bytes.substr(0, record->key_size),
                              body->bytes.substr(record->key_size))
                        .At(file->At(offset)));
    summary.blobs++;
    summary.bytes += kBlobRecordHeaderSize + size;
    offset += kBlobRecordHeaderSize + size;
  }
  return summary;  // No footer: the writer crashed, and the complete records count.
}

void BlobReader::Evict(FileNumber number) const {
  MutexLock lock(impl_->mutex);
  impl_->open.erase(number);
}

void BlobReader::KeepAllOpen() {
  MutexLock lock(impl_->mutex);
  impl_->open_max = std::numeric_limits<size_t>::max();
}

Status BlobReader::Open(FileNumber number) const { return impl_->Find(number).status(); }

Status CheckReadable(const BlobReader* blobs, const InternalKey& key, std::string_view stored) {
  if (key.type == ValueType::kBlobIndex && blobs != nullptr) {
    return blobs->Read(key.user_key, stored).status();
  }
  return CheckStoredValue(key.user_key, key.type, stored);
}

}  // namespace varve
