// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/scan_reads.h"

#include <utility>

#include "core/base/try.h"
#include "core/table/read/table_reader.h"

namespace varve {
namespace {

class NotedFile : public RandomAccessFile {
 public:
  NotedFile(std::unique_ptr<RandomAccessFile> file, ScanReadsReport* report)
      : file_(std::move(file)), report_(*report) {}

  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    Result<std::string_view> bytes = file_->Read(offset, size, buffer);
    if (bytes.ok()) report_.reads.push_back({offset, bytes->size()});
    return bytes;
  }
  Result<uint64_t> Size() const override { return file_->Size(); }
  const std::string& path() const override { return file_->path(); }

 private:
  const std::unique_ptr<RandomAccessFile> file_;
  ScanReadsReport& report_;
};

}  // namespace

Result<ScanReadsReport> ReportScanReads(FileSystem& fs, const std::string& path,
                                        const ReadaheadPolicy& policy, uint64_t entries_max) {
  ScanReadsReport report;
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const auto table,
                   TableReader::Open(std::make_unique<NotedFile>(std::move(file), &report), {}));
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
