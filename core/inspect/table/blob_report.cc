// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/blob_report.h"

#include <filesystem>
#include <utility>

#include "core/base/bytes/byte_writer.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/value/blob_record.h"
#include "core/version/blob_reader.h"

namespace varve {

Result<BlobReference> ReportBlobIndex(std::string_view user_key, std::string_view stored) {
  ASSIGN_OR_RETURN(const BlobIndex index, DecodeBlobIndex(stored, user_key));
  return BlobReference{index.file, index.offset, index.size, index.compression};
}

struct BlobStream::Impl {
  Impl(FileSystem& fs, std::filesystem::path p)
      : path(std::move(p)), values(fs, path.parent_path().empty() ? "." : path.parent_path()) {}

  // Exactly `size` bytes. Views are valid until the next call.
  Result<std::string_view> Read(uint64_t offset, uint64_t wanted) {
    if (offset > size || wanted > size - offset) {
      return Status::Corruption(path.string() + "@" + std::to_string(offset) +
                                ": a record runs past the end of the file");
    }
    buffer.resize(wanted);
    ASSIGN_OR_RETURN(const std::string_view bytes, file->Read(offset, wanted, buffer.data()));
    if (bytes.size() != wanted) return Status::IoError(path.string() + ": became shorter");
    return bytes;
  }

  Status ReadNext(StoredBlob* blob) {
    ASSIGN_OR_RETURN(const std::string_view head, Read(offset, kBlobRecordHeaderSize));
    ASSIGN_OR_RETURN(const BlobRecordHeader record, DecodeBlobRecordHeader(head));
    if (record.key_size > kBlockRawSizeMax || record.value_size > kBlockRawSizeMax) {
      return Status::Corruption("a blob record of " + std::to_string(record.key_size) + " and " +
                                std::to_string(record.value_size) + " bytes");
    }
    ASSIGN_OR_RETURN(const std::string_view rest,
                     Read(offset + kBlobRecordHeaderSize, record.key_size + record.value_size));
    blob->offset = offset;
    blob->key = rest.substr(0, record.key_size);
    blob->value = rest.substr(record.key_size);
    RETURN_IF_ERROR(CheckBlob(record, blob->key, blob->value));
    offset += kBlobRecordHeaderSize + rest.size();
    return Status::Ok();
  }

  const std::filesystem::path path;
  const BlobReader values;
  std::unique_ptr<RandomAccessFile> file;
  uint64_t size = 0, offset = kBlobFileHeaderSize, end = 0;
  BlobFileHeader header;
  std::optional<uint64_t> blobs;
  std::string buffer;
  Status status;
};

BlobStream::BlobStream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BlobStream::BlobStream(BlobStream&&) noexcept = default;
BlobStream& BlobStream::operator=(BlobStream&&) noexcept = default;
BlobStream::~BlobStream() = default;

Result<BlobStream> BlobStream::Open(FileSystem& fs, const std::string& path) {
  auto impl = std::make_unique<Impl>(fs, path);
  ASSIGN_OR_RETURN(impl->file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(impl->size, impl->file->Size());
  ASSIGN_OR_RETURN(const std::string_view head, impl->Read(0, kBlobFileHeaderSize));
  const Result<BlobFileHeader> header = DecodeBlobFileHeader(head);
  if (!header.ok()) return header.status().At(path);
  impl->header = *header;
  impl->end = impl->size;
  if (impl->size >= kBlobFileHeaderSize + kBlobFileFooterSize) {
    const uint64_t at = impl->size - kBlobFileFooterSize;
    ASSIGN_OR_RETURN(const std::string_view tail, impl->Read(at, kBlobFileFooterSize));
    if (const auto footer = DecodeBlobFileFooter(tail); footer.ok()) {
      impl->blobs = footer->blobs;
      impl->end = at;
    }
  }
  return BlobStream(std::move(impl));
}

ColumnFamilyId BlobStream::family() const { return impl_->header.family; }
CompressionType BlobStream::compression() const { return impl_->header.compression; }
std::optional<uint64_t> BlobStream::blobs() const { return impl_->blobs; }
const Status& BlobStream::status() const { return impl_->status; }

bool BlobStream::Next(StoredBlob* blob) {
  if (!impl_->status.ok() || impl_->offset >= impl_->end) return false;
  impl_->status =
      impl_->ReadNext(blob).At(impl_->path.string() + "@" + std::to_string(impl_->offset));
  return impl_->status.ok();
}

Result<Value> BlobStream::ReadValue(const StoredBlob& blob) const {
  const std::optional<FileName> name = ParseFileName(impl_->path.filename().string());
  if (!name) return Status::InvalidArgument(impl_->path.string() + ": is not named as a blob file");
  std::string index(1, '\1');  // As an entry has it: blob_record.h.
  AppendVarint64(&index, name->number);
  AppendVarint64(&index, blob.offset + kBlobRecordHeaderSize + blob.key.size());
  AppendVarint64(&index, blob.value.size());
  index.push_back(static_cast<char>(impl_->header.compression));
  return impl_->values.Read(blob.key, index);
}

}  // namespace varve
