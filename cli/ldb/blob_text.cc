// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "cli/ldb/file_text.h"
#include "cli/ldb/text.h"
#include "core/base/try.h"
#include "core/inspect/table/blob_report.h"

namespace varve::cli::ldb {
namespace {

// "Snappy", of an entry; "kSnappyCompression", of a file.
std::string CompressionName(CompressionType type, bool of_file) {
  switch (type) {
    case CompressionType::kNone:
      return of_file ? "kNoCompression" : "NoCompression";
    case CompressionType::kSnappy:
      return of_file ? "kSnappyCompression" : "Snappy";
    case CompressionType::kZlib:
      return of_file ? "kZlibCompression" : "Zlib";
    case CompressionType::kBzip2:
      return of_file ? "kBZip2Compression" : "BZip2";
    case CompressionType::kLz4:
      return of_file ? "kLZ4Compression" : "LZ4";
    case CompressionType::kLz4hc:
      return of_file ? "kLZ4HCCompression" : "LZ4HC";
    case CompressionType::kXpress:
      return of_file ? "kXpressCompression" : "Xpress";
    case CompressionType::kZstd:
      return of_file ? "kZSTD" : "ZSTD";
  }
  return "Unrecongnized compression type (" + std::to_string(static_cast<int>(type)) + ")";
}

std::string Shown(std::string_view bytes, bool hex) {
  return (hex ? Hex(bytes) : std::string(AsCString(bytes))) + "\n";
}

struct BlobTotals {
  uint64_t records = 0, key_bytes = 0, blob_bytes = 0, raw_bytes = 0;
};

Status PrintBlob(Call& call, const BlobStream& stream, const StoredBlob& blob, bool key_hex,
                 bool value_hex, BlobTotals* totals) {
  // Of values that are not compressed, ldb prints nothing as the decompressed one.
  std::string raw;
  if (stream.compression() != CompressionType::kNone) {
    ASSIGN_OR_RETURN(const Value value, stream.ReadValue(blob));
    raw = value.view();
  }
  char offset[17];
  std::snprintf(offset, sizeof(offset), "%llx", static_cast<unsigned long long>(blob.offset));
  call.Print("Read record with offset 0x" + std::string(offset) + " (" +
             std::to_string(blob.offset) + "):\n  key size   : " + std::to_string(blob.key.size()) +
             "\n  value size : " + std::to_string(blob.value.size()) +
             "\n  expiration : 0\n  key        : " + Shown(blob.key, key_hex));
  call.Print(call.line.Has("dump_uncompressed_blobs")
                 ? "  raw blob   : " + Shown(raw, value_hex)
                 : "  blob       : " + Shown(blob.value, value_hex));
  ++totals->records;
  totals->key_bytes += blob.key.size();
  totals->blob_bytes += blob.value.size();
  totals->raw_bytes += raw.size();
  return Status::Ok();
}

Status PrintBlobs(Call& call, const std::string& path, bool key_hex, bool value_hex) {
  ASSIGN_OR_RETURN(BlobStream stream, BlobStream::Open(call.file_system(), path));
  const bool compressed = stream.compression() != CompressionType::kNone;
  call.Print("Blob log header:\n  Version          : 1\n  Column Family ID : " +
             std::to_string(stream.family()) + "\n  Compression      : " +
             CompressionName(stream.compression(), true) + "\n  Expiration range : nil\n");
  call.Print(stream.blobs() ? "Blob log footer:\n  Blob count       : " +
                                  std::to_string(*stream.blobs()) + "\n  Expiration Range : nil\n"
                            : "No blob log footer.\n");
  BlobTotals totals;
  StoredBlob blob;
  Status printed;
  while (printed.ok() && stream.Next(&blob)) {
    printed = PrintBlob(call, stream, blob, key_hex, value_hex, &totals);
  }
  call.Print("Summary:\n  total records: " + std::to_string(totals.records) +
             "\n  total key size: " + std::to_string(totals.key_bytes) +
             "\n  total blob size: " + std::to_string(totals.blob_bytes) + "\n");
  if (compressed) {
    call.Print("  total raw blob size: " + std::to_string(totals.raw_bytes) + "\n");
  }
  return printed.ok() ? stream.status() : printed;
}

}  // namespace

void PrintBlobFile(Call& call, const std::string& path, bool key_hex, bool value_hex) {
  const Status printed = PrintBlobs(call, path, key_hex, value_hex);
  if (!printed.ok()) call.Say("Failed: " + InRocksDbWords(printed));
}

std::string StoredValueText(const Call& call, const StoredEntry& entry, bool hex) {
  if (entry.type != "blob_index" || !call.line.Has("decode_blob_index")) {
    return hex ? Hex(entry.value) : std::string(entry.value);
  }
  const Result<BlobReference> at = ReportBlobIndex(entry.key, entry.value);
  if (!at.ok()) return "error decoding blob index: " + InRocksDbWords(at.status());
  return "[blob ref] file:" + std::to_string(at->file) + " offset:" + std::to_string(at->offset) +
         " size:" + std::to_string(at->size) +
         " compression: " + CompressionName(at->compression, false);
}

}  // namespace varve::cli::ldb
