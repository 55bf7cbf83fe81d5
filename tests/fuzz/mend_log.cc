// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mend_log.h"

#include <cstring>
#include <memory>
#include <random>
#include <utility>

#include "core/format/log/log_record.h"
#include "core/fs/memory_fs.h"
#include "core/wal/log_reader.h"
#include "core/wal/log_writer.h"

namespace varve::fuzz {

void MendLog(std::string* log) {
  for (size_t at = 0; at + kLogHeaderSize <= log->size();) {
    const LogRecordHeader header = DecodeLogRecordHeader(std::string_view(*log).substr(at));
    const size_t size = header.size() + header.length;
    const size_t left = kLogBlockSize - at % kLogBlockSize;
    if (header.type == 0 || size > left || at + size > log->size()) {
      at += left;
      continue;
    }
    const uint32_t crc = ComputeLogRecordCrc({log->data() + at, size}).value;
    std::memcpy(log->data() + at, &crc, sizeof(crc));
    at += size;
    const size_t rest = kLogBlockSize - at % kLogBlockSize;
    if (rest < kLogHeaderSize) at += rest;
  }
}

std::vector<std::string> RecordsOf(std::string_view log) {
  const auto fs = NewMemoryFileSystem();
  WriteFile(*fs, "log", log);
  const auto file = fs->OpenForRead("log", /*direct=*/false);
  MustBeOk(file.status(), "log");
  std::vector<std::string> records;
  LogReader reader(**file, log.size(), 0);
  for (LogReader::Event event = reader.Next();; event = reader.Next()) {
    if (event == LogReader::Event::kRecord) {
      records.emplace_back(reader.record());
    } else if (event != LogReader::Event::kBad && event != LogReader::Event::kOld) {
      return records;
    }
  }
}

std::string LogOf(const std::vector<std::string>& records) {
  const auto fs = NewMemoryFileSystem();
  auto file = fs->Create("log", /*direct=*/false);
  MustBeOk(file.status(), "log");
  LogWriter writer(*std::move(file));
  for (const std::string& record : records) MustBeOk(writer.Append(record), "log");
  MustBeOk(writer.Close(), "log");
  return ReadFile(*fs, "log");
}

void ChangeLog(std::string* log, size_t size_max, uint32_t seed, const AnyChange& any) {
  std::minstd_rand random(seed);
  std::vector<std::string> records = RecordsOf(*log);
  if (records.empty() || random() % 3 == 0) {
    ChangeAll(log, size_max, any);
    return MendLog(log);
  }
  const size_t chosen = random() % records.size();
  switch (random() % 8) {
    case 0:
      records.erase(records.begin() + static_cast<ptrdiff_t>(chosen));
      break;
    case 1:
      records.insert(records.begin() + static_cast<ptrdiff_t>(random() % records.size()),
                     std::string(records[chosen]));
      break;
    case 2:
      std::swap(records[chosen], records[random() % records.size()]);
      break;
    default:
      ChangeAll(&records[chosen], records[chosen].size() + 64, any);
  }
  *log = LogOf(records);
}

void MustTile(FileSystem& fs, const std::string& path, LogKind kind) {
  const auto layout = LogLayout::Open(fs, path, kind);
  MustBeOk(layout.status(), path);
  std::string again;
  while (true) {
    const auto part = (*layout)->Next();
    MustBeOk(part.status(), path);
    if (!*part) break;
    Must((*part)->offset == again.size(), "the parts of a log tile it");
    EncodeLayout(**part, &again);
  }
  Must(again == ReadFile(fs, path), "the layout of a log has all bytes");
}

}  // namespace varve::fuzz
