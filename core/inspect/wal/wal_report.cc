// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/wal/wal_report.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/hash/crc32c.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/log/log_record.h"
#include "core/format/log/two_phase.h"
#include "core/version/manifest_reader.h"
#include "core/wal/log_end.h"
#include "core/wal/log_reader.h"
#include "core/wal/wal_walk.h"

namespace varve {
namespace {

constexpr std::string_view kArchive = "archive";
constexpr size_t kDamageShownMax = 8;

std::string OperationName(const BatchRecord& record) {
  switch (record.kind) {
    case BatchRecordKind::kEntry:
      return std::string(record.write_time != 0 ? ValueTypeName(ValueType::kValuePreferredSeqno)
                                                : ValueTypeName(record.type));
    case BatchRecordKind::kLogData:
      return "log_data";
    case BatchRecordKind::kNoop:
      return "noop";
    case BatchRecordKind::kBeginPrepare:
      return "begin_prepare";
    case BatchRecordKind::kBeginPersistedPrepare:
      return "begin_persisted_prepare";
    case BatchRecordKind::kBeginUnprepare:
      return "begin_unprepare";
    case BatchRecordKind::kEndPrepare:
      return "end_prepare";
    case BatchRecordKind::kCommit:
      return "commit";
    case BatchRecordKind::kCommitWithTimestamp:
      return "commit_with_timestamp";
    case BatchRecordKind::kRollback:
      break;
  }
  return "rollback";
}

// The log's number in recyclable headers; 0 if the file does not begin with one.
FileNumber NumberInHeader(const RandomAccessFile& file) {
  std::array<char, kRecyclableLogHeaderSize> buffer;
  const auto head = file.Read(0, buffer.size(), buffer.data());
  if (!head.ok() || head->size() < buffer.size()) return 0;
  return IsRecyclable(DecodeLogRecordHeader(*head).type) ? RecyclableLogNumber(*head) : 0;
}

struct Liveness {
  WalFamilies families;
  uint64_t min_log_number = 0;
};

Result<Liveness> ReadLiveness(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(const RecoveredManifest manifest,
                   ReadManifest(fs, directory, InspectionOptions(), /*tables=*/nullptr));
  Liveness liveness;
  liveness.min_log_number = manifest.state.MinLogToReplay();
  for (const FamilyState& family : manifest.state.families.all()) {
    liveness.families[family.id] = {family.name, family.log_number};
  }
  return liveness;
}

Result<std::vector<WalSegment>> ListWals(FileSystem& fs, const std::string& directory) {
  std::vector<WalSegment> segments;
  const auto list = [&](const std::string& place, const std::string& prefix) -> Status {
    ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(place));
    for (const DirectoryEntry& entry : entries) {
      const std::optional<FileName> name = ParseFileName(entry.name);
      if (!name || name->kind != FileKind::kWal) continue;
      WalSegment& segment = segments.emplace_back();
      segment.number = name->number;
      segment.name = prefix + entry.name;
      segment.size = entry.size;
    }
    return Status::Ok();
  };
  RETURN_IF_ERROR(list(directory, ""));
  const std::string archive = JoinPath(directory, kArchive);
  if (fs.Exists(archive)) RETURN_IF_ERROR(list(archive, std::string(kArchive) + "/"));
  std::sort(segments.begin(), segments.end(), [](const WalSegment& a, const WalSegment& b) {
    return std::pair(a.number, a.name) < std::pair(b.number, b.name);
  });
  return segments;
}

Status ReadSegment(FileSystem& fs, const std::string& directory, const WalFamilies& families,
                   WalSegment* segment) {
  ASSIGN_OR_RETURN(WalStream stream, WalStream::Open(fs, JoinPath(directory, segment->name),
                                                     segment->number, families));
  segment->size = stream.file_size();
  WalRecord record;
  while (stream.Next(&record)) {
    if (!record.damage.empty()) {
      (record.unfinished ? segment->unfinished_bytes : segment->damaged_bytes) += record.size;
      if (segment->damage.size() < kDamageShownMax) {
        segment->damage.push_back(FileOffset(segment->name, record.offset) + ": " + record.damage);
      }
      continue;
    }
    segment->batches++;
    for (const WalOperation& operation : record.operations) {
      if (!operation.sequence) continue;
      segment->operations++;
      if (!segment->first_sequence) segment->first_sequence = operation.sequence;
      segment->last_sequence = operation.sequence;
    }
  }
  segment->recyclable = stream.recyclable();
  return stream.status();
}

}  // namespace

struct WalStream::Impl {
  // How many changes the prepared transactions of one log have, to number what is in a batch behind
  // their commits.
  class PreparedCounts {
   public:
    void BeginBatch() { within_ = false; }
    void Begin() {
      within_ = true;
      count_ = 0;
    }
    void End(std::string_view name) {
      within_ = false;
      if (name.size() > kTransactionNameSizeMax) return;  // Not valid.
      if (counts_.size() < kNamesMax || counts_.contains(name)) counts_[std::string(name)] = count_;
    }
    bool within() const { return within_; }
    void Add() { ++count_; }

    // Nullopt: it is not known.
    std::optional<uint64_t> Take(std::string_view name) {
      const auto found = counts_.find(name);
      if (found == counts_.end()) return std::nullopt;
      const uint64_t count = found->second;
      counts_.erase(found);
      return count;
    }

   private:
    static constexpr size_t kNamesMax = 100'000;  // A crafted log may have any number.

    std::map<std::string, uint64_t, std::less<>> counts_;
    uint64_t count_ = 0;  // Of the one that is being read.
    bool within_ = false;
  };

  Impl(std::unique_ptr<RandomAccessFile> the_file, uint64_t size, FileNumber the_number,
       WalFamilies the_families)
      : file(std::move(the_file)),
        file_size(size),
        number(the_number),
        families(std::move(the_families)),
        log(*file, size, number) {}

  bool TakeBadPlace(LogReader::Event event, WalRecord* record);
  Status TakeBatch(WalRecord* record);
  void TakeMark(const BatchRecord& mark, std::optional<Sequence>* next);
  bool TakeRecord(WalRecord* record);

  std::unique_ptr<RandomAccessFile> file;
  uint64_t file_size;
  FileNumber number;
  WalFamilies families;
  LogReader log;
  PreparedCounts prepared;
  uint64_t data_behind = 0;  // For FindDataBehind().
  bool in_old = false;       // Within records of another log, followed by records of this one.
  bool ended = false;
  Status status;
};

// False: there is nothing to report, see `ended` and `status`.
bool WalStream::Impl::TakeBadPlace(LogReader::Event event, WalRecord* record) {
  const bool old = event == LogReader::Event::kOld;
  if (old && std::exchange(in_old, true)) return false;  // The first of them was reported for all.
  const auto behind = FindDataBehind(*file, file_size, number, log, event, &data_behind);
  if (!behind.ok()) status = behind.status();
  ended = !behind.ok() || !*behind || event == LogReader::Event::kTruncated;
  if (!behind.ok() || (old && !*behind)) return false;
  record->damage = log.reason();
  if (*behind) record->damage += "; " + **behind;
  record->unfinished = !*behind;
  record->size = *behind ? log.dropped_bytes() : file_size - record->offset;
  return true;
}

// `next`: the sequence of the next change behind the mark.
void WalStream::Impl::TakeMark(const BatchRecord& mark, std::optional<Sequence>* next) {
  switch (mark.kind) {
    case BatchRecordKind::kBeginPrepare:
      return prepared.Begin();
    case BatchRecordKind::kEndPrepare:
      return prepared.End(mark.key);
    case BatchRecordKind::kRollback:
      prepared.Take(mark.key);
      return;
    case BatchRecordKind::kCommit: {
      const std::optional<uint64_t> changes = prepared.Take(mark.key);
      if (*next && changes) {
        **next += *changes;
      } else {
        next->reset();
      }
      return;
    }
    default:
      return;
  }
}

// Decodes the record's batch. Corruption if it is invalid.
Status WalStream::Impl::TakeBatch(WalRecord* record) {
  std::array<char, kLogHeaderSize> buffer;
  ASSIGN_OR_RETURN(const std::string_view header,
                   file->Read(record->offset, buffer.size(), buffer.data()));
  if (header.size() == kLogHeaderSize) {
    record->stored_crc = DecodeLogRecordHeader(header).crc.value;
  }
  record->size = log.end_offset() - record->offset;
  const std::string_view payload = log.record();
  record->payload_crc32c = ComputeCrc32c(payload).value;
  record->batch_bytes = payload.size();
  BatchReader batch(payload);
  record->sequence = batch.header().sequence;
  record->count = batch.header().count;
  std::optional<Sequence> next = record->sequence;
  prepared.BeginBatch();
  BatchRecord in;
  while (batch.Next(&in)) {
    WalOperation& out = record->operations.emplace_back();
    out.type = OperationName(in);
    out.family = in.family;
    const auto family = families.find(in.family);
    if (family != families.end()) out.family_name = family->second.name;
    out.key = in.key;
    out.value = in.value;
    if (in.kind != BatchRecordKind::kEntry) {
      TakeMark(in, &next);
      continue;
    }
    if (prepared.within()) {
      prepared.Add();
      continue;
    }
    if (!next) continue;
    out.sequence = (*next)++;
    if (families.empty()) continue;
    out.live = family != families.end() && number >= family->second.log_number;
  }
  RETURN_IF_ERROR(batch.status());
  if (record->sequence + record->count > kMaxSequence) {
    return Status::Corruption("sequence out of range");
  }
  const Status replayable = CheckReplayable(payload);
  if (replayable.code() == Code::kCorruption) return replayable;  // Others can be shown.
  return CheckNumbered(batch.header());
}

// An invalid batch is damage. False: it cannot be read.
bool WalStream::Impl::TakeRecord(WalRecord* record) {
  const Status taken = TakeBatch(record);
  if (taken.ok()) return true;
  if (taken.code() != Code::kCorruption) {
    status = taken;
    ended = true;
    return false;
  }
  record->operations.clear();
  record->damage = "no batch: " + std::string(taken.message());
  return true;
}

WalStream::WalStream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WalStream::WalStream(WalStream&&) noexcept = default;
WalStream& WalStream::operator=(WalStream&&) noexcept = default;
WalStream::~WalStream() = default;

Result<WalStream> WalStream::Open(FileSystem& fs, const std::string& path, FileNumber number,
                                  WalFamilies families) {
  ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, fs.OpenForRead(path, /*direct=*/false));
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  if (number == 0) number = NumberInHeader(*file);
  return WalStream(std::make_unique<Impl>(std::move(file), size, number, std::move(families)));
}

bool WalStream::Next(WalRecord* record) {
  Impl& impl = *impl_;
  while (!impl.ended) {
    *record = {};
    const LogReader::Event event = impl.log.Next();
    impl.in_old &= event == LogReader::Event::kOld;
    record->offset = impl.log.record_offset();
    switch (event) {
      case LogReader::Event::kRecord:
        if (impl.TakeRecord(record)) return true;
        break;
      case LogReader::Event::kBad:
      case LogReader::Event::kTruncated:
      case LogReader::Event::kOld:
        if (impl.TakeBadPlace(event, record)) return true;
        break;
      case LogReader::Event::kEnd:
        impl.ended = true;
        break;
      case LogReader::Event::kIoError:
        impl.status = impl.log.status();
        impl.ended = true;
        break;
    }
  }
  return false;
}

const Status& WalStream::status() const { return impl_->status; }
uint64_t WalStream::file_size() const { return impl_->file_size; }
bool WalStream::recyclable() const { return impl_->log.saw_recyclable(); }

Result<WalReport> ReportWals(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(Liveness liveness, ReadLiveness(fs, directory));
  WalReport report;
  report.min_log_number = liveness.min_log_number;
  report.families = std::move(liveness.families);
  ASSIGN_OR_RETURN(report.segments, ListWals(fs, directory));
  const auto unread = [](const WalSegment& segment) {  // Flushed meanwhile.
    return segment.failure.code() == Code::kNotFound;
  };
  for (WalSegment& segment : report.segments) {
    segment.live = segment.number >= report.min_log_number && !segment.name.starts_with(kArchive);
    segment.failure = ReadSegment(fs, directory, report.families, &segment);
    if (!segment.failure.ok()) segment.damage.emplace_back(segment.failure.message());
  }
  std::erase_if(report.segments, unread);
  return report;
}

Status FailureOf(const WalReport& report) {
  for (const WalSegment& segment : report.segments) RETURN_IF_ERROR(segment.failure);
  return Status::Ok();
}

namespace {

// The log of that number, or the only one if no number is given.
Result<WalSegment> ChooseWal(const std::string& target, const std::vector<WalSegment>& segments,
                             std::optional<FileNumber> number) {
  if (!number && segments.empty()) return Status::NotFound(target + " has no logs");
  if (!number && segments.size() > 1) {
    std::string numbers;
    for (const WalSegment& segment : segments) {
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(segment.number);
    }
    return Status::InvalidArgument(target + " has several logs; add the number of one: " + numbers);
  }
  if (!number) return segments.front();
  const auto found = std::find_if(segments.begin(), segments.end(),
                                  [&](const WalSegment& s) { return s.number == *number; });
  if (found != segments.end()) return *found;
  return Status::NotFound(JoinPath(target, WalFileName(*number)) + ": there is no such log");
}

}  // namespace

Result<WalPlace> FindWal(FileSystem& fs, const std::string& target,
                         std::optional<FileNumber> number) {
  WalPlace place;
  std::string directory = target;
  if (fs.Exists(JoinPath(target, kCurrentFileName))) {
    ASSIGN_OR_RETURN(const std::vector<WalSegment> segments, ListWals(fs, target));
    ASSIGN_OR_RETURN(const WalSegment segment, ChooseWal(target, segments, number));
    place.path = JoinPath(target, segment.name);
    place.number = segment.number;
  } else {
    const size_t slash = target.rfind('/');
    directory = slash == std::string::npos ? "." : target.substr(0, slash);
    const std::optional<FileName> name =
        ParseFileName(slash == std::string::npos ? target : target.substr(slash + 1));
    place.path = target;
    if (name && name->kind == FileKind::kWal) place.number = name->number;
    if (!fs.Exists(target)) return Status::NotFound(target + ": no such file or directory");
  }
  // A log can be read without a MANIFEST, except for the families' names.
  if (auto liveness = ReadLiveness(fs, directory); liveness.ok()) {
    place.families = std::move(liveness->families);
  }
  return place;
}

Status CheckWal(FileSystem& fs, const WalPlace& place) {
  ASSIGN_OR_RETURN(WalStream stream, WalStream::Open(fs, place.path, place.number, place.families));
  WalRecord record;
  while (stream.Next(&record)) {
    if (record.damage.empty() || record.unfinished) continue;
    return Status::Corruption(record.damage).At(FileOffset(place.path, record.offset));
  }
  return stream.status();
}

}  // namespace varve
