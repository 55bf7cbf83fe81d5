// SPDX-License-Identifier: Apache-2.0
// What `varve load` reads: tsv, csv, jsonl, dump, nul, Arrow's streams and tables, plain or
// compressed; the first byte says as which. Records that were read, written as a dump, are read
// again. Also the parts of keys.
#include <sys/mman.h>
#include <unistd.h>

#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/input/dump_format.h"
#include "cli/input/input_reader.h"
#include "cli/output/console.h"
#include "core/arrow/part.h"
#include "core/base/hash/content_digest.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

using cli::InputFormat;

constexpr InputFormat kFormats[] = {InputFormat::kAuto,  InputFormat::kTsv,  InputFormat::kCsv,
                                    InputFormat::kJsonl, InputFormat::kDump, InputFormat::kNul,
                                    InputFormat::kTable, InputFormat::kArrow};
// Of what a compressed input may become.
constexpr uint64_t kRecordsMax = 2000;

// A file that has a path and no place.
class MemoryFile {
 public:
  MemoryFile() : fd_(memfd_create("fuzz", MFD_CLOEXEC)) { Must(fd_ >= 0, "a file in memory"); }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }
  void Write(std::string_view bytes) {
    Must(write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "written");
  }

 private:
  const int fd_;
};

struct Record {
  std::string family, key, value;

  bool operator==(const Record&) const = default;
};

// False: it could not be read to its end, or a record was rejected.
bool Read(const std::string& path, const cli::InputOptions& options, std::vector<Record>* records) {
  auto reader = cli::InputReader::Open(path, options);
  if (!reader.ok()) return false;
  bool whole = true;
  cli::InputRecord record;
  while (records->size() < kRecordsMax) {
    switch ((*reader)->Next(&record)) {
      case cli::InputReader::Event::kRecord:
        records->push_back(
            {std::string(record.family), std::string(record.key), std::string(record.value)});
        break;
      case cli::InputReader::Event::kRejected:
        Must(!(*reader)->reason().empty(), "a rejected record has a reason");
        static_cast<void>((*reader)->raw());
        whole = false;
        break;
      case cli::InputReader::Event::kFamily:
        break;
      case cli::InputReader::Event::kEnd:
        return whole;
      case cli::InputReader::Event::kFailed:
        Must(!(*reader)->status().ok(), "what failed says why");
        return false;
    }
  }
  return false;
}

void WriteAgain(const std::vector<Record>& records) {
  MemoryFile file;
  {
    cli::StatusLine status(/*shown=*/false);
    cli::Sink out(file.fd(), {}, &status);
    ContentDigest digest;
    out.WriteData(std::string(cli::kDumpMagic) + "\n");
    const std::string* family = nullptr;
    for (const Record& record : records) {
      if (family == nullptr || *family != record.family) {
        out.WriteData(cli::DumpFamily(record.family, "leveldb.BytewiseComparator"));
      }
      family = &record.family;
      cli::WriteDumpRecord(out, record.key, record.value);
      digest.Add(record.family, record.key, record.value);
    }
    out.WriteData(cli::DumpTrailer(digest));
    MustBeOk(out.Finish(), "a dump");
  }
  std::vector<Record> again;
  cli::InputOptions options;
  options.format = InputFormat::kDump;
  Must(Read(file.path(), options, &again), "a dump that was written is read");
  Must(again == records, "records are dumped as they were read");
}

// Keys that fit a schema are what their parts make again.
void SplitAndJoin(std::string_view key) {
  arrow::ParseParts(key).status().Ignore("any bytes");
  for (const std::string_view schema :
       {"a:u8,b:u16be,c:i32be,d:u64le", "a:i64be,b:str0,c:bytes", "a:bytes0,b:fixed(3),c:str",
        "a:f32le,b:i16le,c:f64le", "a:tuple.int,b:tuple.str,c:tuple.bytes",
        "a:tuple.uint,b:tuple.f32,c:tuple.bool", "a:tuple.f64,b:tuple.uuid,c:bytes"}) {
    const Result<std::vector<arrow::Part>> parts = arrow::ParseParts(schema);
    MustBeOk(parts.status(), "a schema");
    arrow::PartReader reader(*parts);
    if (reader.Split(key)) continue;
    std::string joined;
    for (size_t i = 0; i < parts->size(); ++i) {
      MustBeOk(arrow::AppendPart((*parts)[i], reader.cells()[i], &joined), "a part that was read");
    }
    Must(joined == key, "the parts of a key make the same key");
  }
}

void Run(std::string_view bytes) {
  SplitAndJoin(bytes);
  Input in(bytes);
  cli::InputOptions options;
  options.format = kFormats[in.Number(std::size(kFormats))];
  MemoryFile file;
  file.Write(in.rest());
  std::vector<Record> records;
  Read(file.path(), options, &records);
  WriteAgain(records);
}

}  // namespace

const Target load = {"load", Run};

}  // namespace varve::fuzz
