// SPDX-License-Identifier: Apache-2.0
// The changes of a database since a sequence number, as its logs have them. Logs are deleted once
// nothing in memory needs them, so old changes are gone after a flush: no log is archived. Prepared
// transactions are found where they are committed, as plain changes.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/live_files.h"
#include "core/c/open.h"
#include "core/format/file_name.h"
#include "core/format/log/write_batch_format.h"
#include "core/wal/log_reader.h"
#include "core/wal/wal_walk.h"

struct rocksdb_wal_readoptions_t;

namespace varve::c {

// One log, as far as it was written when it was opened.
class OpenLog {
 public:
  static Result<std::unique_ptr<OpenLog>> Open(FileSystem& fs, const std::string& directory,
                                               uint64_t number) {
    ASSIGN_OR_RETURN(WalFile wal, OpenWal(fs, directory, number));
    return std::unique_ptr<OpenLog>(new OpenLog(std::move(wal)));
  }

  uint64_t number() const { return wal_.number; }
  uint64_t size() const { return wal_.size; }
  LogReader& reader() { return reader_; }

 private:
  explicit OpenLog(WalFile wal)
      : wal_(std::move(wal)), reader_(*wal_.file, wal_.size, wal_.number) {}

  const WalFile wal_;
  LogReader reader_;
};

namespace {

// The oldest first.
Result<std::vector<uint64_t>> NumbersOfLogs(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> logs, LogsIn(fs, directory));
  std::vector<uint64_t> numbers;
  for (const DirectoryEntry& log : logs) numbers.push_back(ParseFileName(log.name)->number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace
}  // namespace varve::c

struct rocksdb_wal_iterator_t {
  rocksdb_wal_iterator_t(rocksdb_t* database, varve::FileSystem& files) : db(database), fs(files) {}

  void SeekTo(varve::Sequence since);
  void Next() { Advance(/*contiguous=*/true); }

  rocksdb_t* const db;
  varve::FileSystem& fs;
  bool valid = false;
  varve::Status status = {};
  std::string batch = {};  // With its sequence number.
  varve::BatchHeader header = {};

 private:
  // With `contiguous`, a batch that does not follow the last one is an error.
  void Advance(bool contiguous);
  varve::Sequence Last() const { return header.sequence + header.count - 1; }
  varve::Result<bool> Read();
  varve::Result<bool> OpenNext();
  varve::Result<bool> Reopen();
  varve::Status OpenLast(varve::Sequence since);

  // Makes `batch` and `header` those of a record of the log; false if it changes nothing.
  varve::Result<bool> Take(std::string_view record);

  std::unique_ptr<varve::c::OpenLog> log_ = {};
  varve::PreparedSections prepared_ = {};
  bool started_ = false;  // `header` is that of a batch that was read.
};

using varve::Result;
using varve::Status;
using varve::c::OpenLog;

// The last log that begins at or before `since`, or else the oldest one.
Status rocksdb_wal_iterator_t::OpenLast(varve::Sequence since) {
  ASSIGN_OR_RETURN(std::vector<uint64_t> numbers, varve::c::NumbersOfLogs(fs, db->path));
  // What is committed behind `since` may be prepared anywhere.
  const bool two_phase = db->transactions != nullptr;
  while (numbers.size() > 1 && !two_phase) {
    ASSIGN_OR_RETURN(const varve::WalFile wal, varve::OpenWal(fs, db->path, numbers.back()));
    const std::optional<varve::Sequence> first = varve::FirstSequence(wal);
    if (first && *first <= since) break;
    numbers.pop_back();
  }
  if (numbers.empty()) return Status::Ok();
  const uint64_t begin = two_phase ? numbers.front() : numbers.back();
  ASSIGN_OR_RETURN(log_, OpenLog::Open(fs, db->path, begin));
  return Status::Ok();
}

void rocksdb_wal_iterator_t::SeekTo(varve::Sequence since) {
  status = OpenLast(since);
  if (!status.ok() || log_ == nullptr) return;
  do {
    Advance(/*contiguous=*/false);  // Ingested tables used numbers that no batch has.
  } while (valid && Last() < since);
}

// False: there is no later one.
Result<bool> rocksdb_wal_iterator_t::OpenNext() {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> numbers, varve::c::NumbersOfLogs(fs, db->path));
  const auto next = std::upper_bound(numbers.begin(), numbers.end(), log_->number());
  if (next == numbers.end()) return false;
  ASSIGN_OR_RETURN(log_, OpenLog::Open(fs, db->path, *next));
  return true;
}

// The same log, behind what was read; false: it has not grown.
Result<bool> rocksdb_wal_iterator_t::Reopen() {
  const uint64_t position = log_->reader().end_offset();
  ASSIGN_OR_RETURN(std::unique_ptr<OpenLog> grown, OpenLog::Open(fs, db->path, log_->number()));
  if (grown->size() <= log_->size()) return false;
  log_ = std::move(grown);
  using Event = varve::LogReader::Event;
  while (log_->reader().end_offset() < position) {
    const Event event = log_->reader().Next();
    if (event == Event::kEnd || event == Event::kTruncated || event == Event::kIoError) break;
  }
  return true;
}

Result<bool> rocksdb_wal_iterator_t::Take(std::string_view record) {
  varve::BatchMarks marks;
  RETURN_IF_ERROR(varve::CheckReplayable(record, &marks));
  batch.assign(marks.two_phase ? prepared_.Resolve(log_->number(), record) : record);
  ASSIGN_OR_RETURN(header, varve::ReadBatchHeader(batch));
  return header.count > 0 || !marks.two_phase;
}

// The next batch of the logs; false at their end.
Result<bool> rocksdb_wal_iterator_t::Read() {
  using Event = varve::LogReader::Event;
  while (true) {
    switch (log_->reader().Next()) {
      case Event::kRecord: {
        ASSIGN_OR_RETURN(const bool changes, Take(log_->reader().record()));
        if (changes) return true;
        break;
      }
      case Event::kOld:
        break;
      case Event::kBad:
        return Status::Corruption(log_->reader().reason());
      case Event::kIoError:
        return log_->reader().status();
      case Event::kEnd:
      case Event::kTruncated: {
        ASSIGN_OR_RETURN(bool more, Reopen());
        if (!more) {
          ASSIGN_OR_RETURN(more, OpenNext());
        }
        if (!more) return false;
        break;
      }
    }
  }
}

void rocksdb_wal_iterator_t::Advance(bool contiguous) {
  valid = false;
  if (!status.ok() || log_ == nullptr) return;
  const varve::Sequence newest = db->db->GetSnapshot().sequence();
  if (started_ && Last() >= newest) return;  // Later batches are being written.
  const varve::Sequence expected = started_ ? Last() + 1 : 0;
  const Result<bool> read = Read();
  status = read.status();
  if (!read.ok() || !*read) return;
  if (contiguous && started_ && header.sequence != expected) {
    status = Status::NotFound("Gap in sequence numbers");
    return;
  }
  started_ = true;
  valid = true;
}

extern "C" {

rocksdb_wal_iterator_t* rocksdb_get_updates_since(rocksdb_t* db, uint64_t sequence,
                                                  const rocksdb_wal_readoptions_t* /*options*/,
                                                  char** errptr) {
  if (sequence > db->db->GetSnapshot().sequence()) {
    varve::c::SaveError(errptr, Status::NotFound("Requested sequence not yet written in the db"));
    return nullptr;
  }
  auto* const iterator = new rocksdb_wal_iterator_t(db, *db->file_system);
  iterator->SeekTo(sequence);
  return iterator;
}

void rocksdb_wal_iter_destroy(const rocksdb_wal_iterator_t* iterator) { delete iterator; }
unsigned char rocksdb_wal_iter_valid(const rocksdb_wal_iterator_t* iterator) {
  return iterator->valid;
}
void rocksdb_wal_iter_next(rocksdb_wal_iterator_t* iterator) { iterator->Next(); }
void rocksdb_wal_iter_status(const rocksdb_wal_iterator_t* iterator, char** errptr) {
  varve::c::SaveError(errptr, iterator->status);
}
rocksdb_writebatch_t* rocksdb_wal_iter_get_batch(const rocksdb_wal_iterator_t* iterator,
                                                 uint64_t* sequence) {
  if (sequence != nullptr) *sequence = iterator->header.sequence;
  return new rocksdb_writebatch_t{varve::WriteBatch(iterator->batch)};
}

}  // extern "C"
