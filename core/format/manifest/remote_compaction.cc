// SPDX-License-Identifier: Apache-2.0
#include "core/format/manifest/remote_compaction.h"

#include <algorithm>
#include <limits>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"

namespace varve {
namespace {

constexpr std::string_view kJobMagic = "VARVEJOB";
constexpr std::string_view kResultMagic = "VARVERES";
constexpr uint32_t kRemoteVersion = 1;
constexpr size_t kRemoteCrcAt = 12;
constexpr size_t kRemoteHeaderSize = 16;
constexpr size_t kJobIdMax = 100;
constexpr size_t kSessionSize = 20;
constexpr uint64_t kLevelMax = 63;

enum JobFlag : uint8_t {
  kBottommost = 1,
  kDeepest = 2,
  kFull = 4,
  kManual = 8,
  kHasPointIndex = 16,
  kParanoid = 32,
  kAllFlags = 63,
};

void AppendEdit(const VersionEdit& edit, std::string* out) {
  std::string bytes;
  EncodeVersionEdit(edit, &bytes);
  AppendLengthPrefixed(out, bytes);
}

std::string WithHeader(std::string_view magic, std::string_view body) {
  std::string file(magic);
  AppendFixed32(&file, kRemoteVersion);
  AppendFixed32(&file, Mask(ComputeCrc32c(body)).value);
  return file.append(body);
}

bool IsDigitOrLetter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Reads the fields one after the other; the first that is wrong is reported.
class RemoteFields {
 public:
  RemoteFields(std::string_view name, std::string_view file)
      : name_(name), file_(file), reader_({}) {}

  Status Open(std::string_view magic) {
    if (file_.size() < kRemoteHeaderSize) {
      return Status::Corruption(std::string(name_) + "@0: the file ends within its header of " +
                                std::to_string(kRemoteHeaderSize) + " bytes");
    }
    if (file_.substr(0, magic.size()) != magic) {
      return Status::Corruption(std::string(name_) + "@0: does not begin with " +
                                std::string(magic));
    }
    const uint32_t version = LoadFixed32(file_.data() + magic.size());
    if (version != kRemoteVersion) {
      return Status::NotSupported(std::string(name_) + "@8: version " + std::to_string(version) +
                                  ", this program knows " + std::to_string(kRemoteVersion));
    }
    const std::string_view body = file_.substr(kRemoteHeaderSize);
    const uint32_t stored = LoadFixed32(file_.data() + kRemoteCrcAt);
    const uint32_t computed = Mask(ComputeCrc32c(body)).value;
    if (stored != computed) {
      return Status::Corruption(std::string(name_) + "@12: checksum is " + Hex(computed, 8) +
                                ", file says " + Hex(stored, 8));
    }
    reader_ = ByteReader(body);
    return Status::Ok();
  }

  uint64_t Number(std::string_view field, uint64_t max = std::numeric_limits<uint64_t>::max()) {
    uint64_t value = 0;
    const uint64_t at = reader_.offset();
    if (!reader_.ReadVarint64(&value)) {
      Fail(at, std::string(field) + " does not fit into the file");
    } else if (value > max) {
      Fail(at, std::string(field) + " is " + std::to_string(value) + ", at most " +
                   std::to_string(max) + " is possible");
    }
    return failure_.ok() ? value : 0;
  }
  std::string Bytes(std::string_view field) {
    std::string_view bytes;
    const uint64_t at = reader_.offset();
    if (!reader_.ReadLengthPrefixed(&bytes)) {
      Fail(at, std::string(field) + " does not fit into the file");
    }
    return std::string(failure_.ok() ? bytes : std::string_view());
  }
  // Of items that take at least a byte each: no more than there are bytes.
  uint64_t Count(std::string_view field) { return Number(field, reader_.rest().size()); }
  VersionEdit Edit() {
    const uint64_t at = reader_.offset();
    const std::string record = Bytes("the version edit");
    if (!failure_.ok()) return {};
    Result<VersionEdit> edit = DecodeVersionEdit(record);
    if (edit.ok()) return *std::move(edit);
    Fail(at, std::string(edit.status().message()));
    return {};
  }
  void Check(bool right, std::string_view why) {
    if (!right) Fail(reader_.offset(), std::string(why));
  }
  // The first failure. Nothing may follow the last field.
  Status End() {
    Check(!reader_.ok() || reader_.empty(), "bytes follow the last field");
    return failure_;
  }
  bool ok() const { return failure_.ok(); }

 private:
  void Fail(uint64_t at, const std::string& why) {
    if (!failure_.ok()) return;
    failure_ = Status::Corruption(std::string(name_) + "@" +
                                  std::to_string(kRemoteHeaderSize + at) + ": " + why);
  }

  const std::string_view name_, file_;
  ByteReader reader_;
  Status failure_;
};

bool IsSession(std::string_view session) {
  return session.size() == kSessionSize && std::all_of(session.begin(), session.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
         });
}

}  // namespace

bool IsRemoteJobId(std::string_view id) {
  return !id.empty() && id.size() <= kJobIdMax && id.front() != '-' &&
         std::all_of(id.begin(), id.end(), [](char c) { return IsDigitOrLetter(c) || c == '-'; });
}

MaskedCrc CrcOfRemoteJob(std::string_view file) {
  CHECK(file.size() >= kRemoteHeaderSize);
  return {LoadFixed32(file.data() + kRemoteCrcAt)};
}

std::string EncodeRemoteJob(const RemoteJob& job) {
  std::string body;
  AppendLengthPrefixed(&body, job.id);
  AppendLengthPrefixed(&body, job.directory);
  AppendVarint64(&body, job.paths.size());
  for (const std::string& path : job.paths) AppendLengthPrefixed(&body, path);
  AppendLengthPrefixed(&body, job.db_id);
  AppendVarint64(&body, job.family);
  AppendLengthPrefixed(&body, job.family_name);
  AppendLengthPrefixed(&body, job.comparator);
  AppendLengthPrefixed(&body, job.merge_operator);
  AppendLengthPrefixed(&body, job.compaction_filter);
  AppendVarint64(&body, static_cast<uint64_t>(job.input_level));
  AppendVarint64(&body, static_cast<uint64_t>(job.output_level));
  unsigned flags = 0;
  if (job.bottommost) flags |= kBottommost;
  if (job.deepest) flags |= kDeepest;
  if (job.full) flags |= kFull;
  if (job.manual) flags |= kManual;
  if (job.point_index) flags |= kHasPointIndex;
  if (job.paranoid) flags |= kParanoid;
  AppendVarint64(&body, flags);
  AppendVarint64(&body, static_cast<uint64_t>(job.compression));
  AppendVarint64(&body, static_cast<uint64_t>(job.point_index_kind));
  AppendVarint64(&body, job.target_file_size);
  AppendVarint64(&body, job.readahead_size);
  AppendVarint64(&body, job.subcompactions);
  AppendVarint64(&body, job.last_sequence);
  AppendVarint64(&body, job.snapshots.size());
  for (const Sequence snapshot : job.snapshots) AppendVarint64(&body, snapshot);
  AppendLengthPrefixed(&body, job.full_history_ts_low);
  AppendVarint64(&body, job.options.size());
  for (const auto& [name, value] : job.options) {
    AppendLengthPrefixed(&body, name);
    AppendLengthPrefixed(&body, value);
  }
  AppendEdit(job.files, &body);
  return WithHeader(kJobMagic, body);
}

Result<RemoteJob> DecodeRemoteJob(std::string_view name, std::string_view file) {
  RemoteFields fields(name, file);
  RETURN_IF_ERROR(fields.Open(kJobMagic));
  RemoteJob job;
  job.id = fields.Bytes("the id");
  fields.Check(IsRemoteJobId(job.id), "the id is not of letters, digits and '-'");
  job.directory = fields.Bytes("the directory");
  fields.Check(!job.directory.empty(), "the directory is empty");
  for (uint64_t left = fields.Count("the number of paths"); left > 0 && fields.ok(); --left) {
    job.paths.push_back(fields.Bytes("a path"));
  }
  job.db_id = fields.Bytes("the id of the database");
  job.family = static_cast<ColumnFamilyId>(
      fields.Number("the id of the family", std::numeric_limits<ColumnFamilyId>::max()));
  job.family_name = fields.Bytes("the name of the family");
  job.comparator = fields.Bytes("the comparator");
  job.merge_operator = fields.Bytes("the merge operator");
  job.compaction_filter = fields.Bytes("the compaction filter");
  job.input_level = static_cast<int>(fields.Number("the input level", kLevelMax));
  job.output_level = static_cast<int>(fields.Number("the output level", kLevelMax));
  fields.Check(job.input_level <= job.output_level, "the output level is above the input level");
  const uint64_t flags = fields.Number("the flags", kAllFlags);
  job.bottommost = (flags & kBottommost) != 0;
  job.deepest = (flags & kDeepest) != 0;
  job.full = (flags & kFull) != 0;
  job.manual = (flags & kManual) != 0;
  job.point_index = (flags & kHasPointIndex) != 0;
  job.paranoid = (flags & kParanoid) != 0;
  job.compression = static_cast<CompressionType>(
      fields.Number("the compression", static_cast<uint64_t>(CompressionType::kZstd)));
  job.point_index_kind = static_cast<PointIndexKind>(
      fields.Number("the point index", static_cast<uint64_t>(PointIndexKind::kAny)));
  job.target_file_size = fields.Number("the target file size");
  fields.Check(job.target_file_size > 0, "the size of tables is 0");
  job.readahead_size = fields.Number("the readahead", uint64_t{1} << 30);
  job.subcompactions = static_cast<uint32_t>(fields.Number("the subcompactions", 256));
  job.last_sequence = fields.Number("the last sequence", kMaxSequence);
  for (uint64_t left = fields.Count("the number of snapshots"); left > 0 && fields.ok(); --left) {
    const Sequence snapshot = fields.Number("a snapshot", kMaxSequence);
    fields.Check(job.snapshots.empty() || job.snapshots.back() < snapshot,
                 "the snapshots do not ascend");
    job.snapshots.push_back(snapshot);
  }
  job.full_history_ts_low = fields.Bytes("full_history_ts_low");
  for (uint64_t left = fields.Count("the number of options"); left > 0 && fields.ok(); --left) {
    std::string option = fields.Bytes("the name of an option");
    job.options.emplace_back(std::move(option), fields.Bytes("the value of an option"));
  }
  job.files = fields.Edit();
  RETURN_IF_ERROR(fields.End());
  return job;
}

std::string EncodeRemoteResult(const RemoteResult& result) {
  std::string body;
  AppendLengthPrefixed(&body, result.job_id);
  AppendVarint64(&body, result.job_crc.value);
  AppendLengthPrefixed(&body, result.worker);
  AppendLengthPrefixed(&body, result.session);
  AppendVarint64(&body, static_cast<uint64_t>(result.code));
  AppendLengthPrefixed(&body, result.message);
  AppendVarint64(&body, result.entries_read);
  AppendVarint64(&body, result.bytes_read);
  AppendVarint64(&body, result.micros);
  AppendVarint64(&body, result.entries.size());
  for (const uint64_t entries : result.entries) AppendVarint64(&body, entries);
  AppendEdit(result.edit, &body);
  return WithHeader(kResultMagic, body);
}

Result<RemoteResult> DecodeRemoteResult(std::string_view name, std::string_view file) {
  RemoteFields fields(name, file);
  RETURN_IF_ERROR(fields.Open(kResultMagic));
  RemoteResult result;
  result.job_id = fields.Bytes("the id of the job");
  result.job_crc = {static_cast<uint32_t>(
      fields.Number("the checksum of the job", std::numeric_limits<uint32_t>::max()))};
  result.worker = fields.Bytes("the worker");
  result.session = fields.Bytes("the session");
  fields.Check(IsSession(result.session), "the session is not of 20 digits and capital letters");
  result.code = static_cast<Code>(
      fields.Number("the code of the outcome", static_cast<uint64_t>(Code::kShutdown)));
  result.message = fields.Bytes("the message");
  result.entries_read = fields.Number("the entries read");
  result.bytes_read = fields.Number("the bytes read");
  result.micros = fields.Number("the duration");
  for (uint64_t left = fields.Count("the number of outputs"); left > 0 && fields.ok(); --left) {
    result.entries.push_back(fields.Number("the entries of an output"));
  }
  result.edit = fields.Edit();
  fields.Check(result.entries.size() == result.edit.new_files.size(),
               "there is not one number of entries for each output");
  RETURN_IF_ERROR(fields.End());
  return result;
}

}  // namespace varve
