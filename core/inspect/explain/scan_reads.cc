// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/scan_reads.h"

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "core/base/try.h"
#include "core/table/read/table_reader.h"

namespace varve {
namespace {

constexpr size_t kSector = 512;
constexpr size_t kStreamBytes = 1 << 20;  // Of a buffer.
constexpr size_t kHeadroom = 256 << 10;   // A block that spans two buffers is joined there.

// Records the reads of a file. Reads of its streams are performed when they are started.
class NotedFile : public RandomAccessFile {
 public:
  NotedFile(std::unique_ptr<RandomAccessFile> file, bool direct, ScanReadsReport* report)
      : file_(std::move(file)), direct_(direct), report_(*report) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    Result<std::string_view> bytes = file_->Read(offset, size, buffer);
    if (bytes.ok()) report_.reads.push_back({offset, bytes->size()});
    return bytes;
  }
  std::unique_ptr<ReadStream> NewReadStream() const override {
    return direct_ ? std::make_unique<Stream>(*this) : nullptr;
  }
  Result<uint64_t> Size() const override { return file_->Size(); }
  size_t alignment() const override { return direct_ ? kSector : 1; }
  const std::string& path() const override { return file_->path(); }

 private:
  class Stream : public ReadStream {
   public:
    explicit Stream(const NotedFile& file) : file_(file) {
      for (Buffer& buffer : buffers_) buffer.memory.resize(kHeadroom + kStreamBytes);
    }
    size_t capacity() const override { return kStreamBytes; }
    size_t headroom() const override { return kHeadroom; }
    void Start(int buffer, uint64_t offset, size_t size) override {
      Buffer& into = buffers_[buffer];
      into.read = file_.report_.reads.size();
      into.at = file_.report_.entries;
      into.bytes = file_.Read(offset, size, data(buffer));
      // A file may return bytes of its own.
      if (into.bytes.ok() && into.bytes->data() != data(buffer)) {
        std::memcpy(data(buffer), into.bytes->data(), into.bytes->size());
        into.bytes = std::string_view(data(buffer), into.bytes->size());
      }
    }
    Result<std::string_view> Wait(int buffer) override {
      Buffer& from = buffers_[buffer];
      std::vector<ScanReadsReport::FileRead>& reads = file_.report_.reads;
      if (from.read < reads.size()) reads[from.read].ahead = from.at < file_.report_.entries;
      from.read = SIZE_MAX;  // Only the first wait counts.
      return from.bytes;
    }
    char* data(int buffer) override { return buffers_[buffer].memory.data() + kHeadroom; }

   private:
    struct Buffer {
      std::vector<char> memory;
      Result<std::string_view> bytes = std::string_view();
      size_t read = SIZE_MAX;  // Of the report's; SIZE_MAX: none that was not waited for.
      uint64_t at = 0;         // Entries that had been stepped over when it was started.
    };
    const NotedFile& file_;
    std::array<Buffer, 2> buffers_;
  };

  const std::unique_ptr<RandomAccessFile> file_;
  const bool direct_;
  ScanReadsReport& report_;
};

}  // namespace

Result<ScanReadsReport> ReportScanReads(FileSystem& fs, const std::string& path,
                                        const ReadaheadPolicy& policy, uint64_t entries_max) {
  ScanReadsReport report;
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  const bool direct = policy.mode == ScanReadahead::kAdaptive;
  ASSIGN_OR_RETURN(
      const auto table,
      TableReader::Open(std::make_unique<NotedFile>(std::move(file), direct, &report), {}));
  report.reads.clear();
  const auto iterator = table->NewIterator({.fill_cache = false, .readahead = policy});
  for (iterator->SeekToFirst(); iterator->Valid() && report.entries < entries_max;
       iterator->Next()) {
    ++report.entries;
  }
  RETURN_IF_ERROR(iterator->status());
  return report;
}

}  // namespace varve
