// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/ldb/text.h"
#include "cli/ldb/verbs.h"
#include "core/base/try.h"
#include "varve/sst_file_writer.h"

namespace varve::cli::ldb {
namespace {

// Writes a batch and says so.
Status Write(Call& call, WriteBatch batch, std::string_view what_failed) {
  const Status written = call.db().Write({}, std::move(batch));
  if (!written.ok()) return Failed(what_failed, written);
  call.Print("OK\n");
  return Status::Ok();
}

struct KeyAndValue {
  std::string key, value;
};

// Of "KEY ==> VALUE"; nullopt: that is none.
Result<std::optional<KeyAndValue>> ReadRecord(const Call& call, const std::string& line) {
  constexpr std::string_view kBetween = " ==> ";
  const size_t at = line.find(kBetween);
  if (at == std::string::npos) return std::optional<KeyAndValue>();
  ASSIGN_OR_RETURN(std::string key, call.KeyOf(line.substr(0, at)));
  ASSIGN_OR_RETURN(std::string value, call.ValueOf(line.substr(at + kBetween.size())));
  return std::optional<KeyAndValue>({std::move(key), std::move(value)});
}

// Passes the records on standard input to `take`, which `dump` has written. Returns how many lines
// are something else.
template <typename Take>
Result<uint64_t> ReadRecords(const Call& call, Take take) {
  uint64_t bad_lines = 0;
  std::string line;
  while (std::getline(std::cin, line)) {
    ASSIGN_OR_RETURN(const std::optional<KeyAndValue> record, ReadRecord(call, line));
    if (record) {
      RETURN_IF_ERROR(take(record->key, record->value));
    } else if (!line.starts_with("Keys in range:") && !line.starts_with("Created bg thread 0x")) {
      ++bad_lines;
    }
  }
  return bad_lines;
}

std::string Warning(uint64_t bad_lines) {
  return "Warning: " + std::to_string(bad_lines) + " bad lines ignored.";
}

}  // namespace

Status Put(Call& call) {
  const auto& words = call.line.arguments;
  if (words.size() != 2) return Failed("<key> and <value> must be specified for the put command");
  ASSIGN_OR_RETURN(const std::string key, call.KeyOf(words[0]));
  ASSIGN_OR_RETURN(const std::string value, call.ValueOf(words[1]));
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  WriteBatch batch;
  batch.Put(key, call.Stored(value), call.family());
  return Write(call, std::move(batch), "");
}

Status BatchPut(Call& call) {
  const auto& words = call.line.arguments;
  if (words.size() < 2) {
    return Failed("At least one <key> <value> pair must be specified batchput.");
  }
  if (words.size() % 2 != 0) {
    return Failed("Equal number of <key>s and <value>s must be specified for batchput.");
  }
  std::vector<KeyAndValue> records;
  for (size_t i = 0; i < words.size(); i += 2) {
    ASSIGN_OR_RETURN(std::string key, call.KeyOf(words[i]));
    ASSIGN_OR_RETURN(std::string value, call.ValueOf(words[i + 1]));
    records.push_back({std::move(key), std::move(value)});
  }
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  WriteBatch batch;
  for (const auto& [key, value] : records) batch.Put(key, call.Stored(value), call.family());
  return Write(call, std::move(batch), "Write failed: ");
}

Status Delete(Call& call) {
  if (call.line.arguments.size() != 1) {
    return Failed("KEY must be specified for the delete command");
  }
  ASSIGN_OR_RETURN(const std::string key, call.KeyOf(call.line.arguments[0]));
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  WriteBatch batch;
  batch.Delete(key, call.family());
  return Write(call, std::move(batch), "");
}

Status SingleDelete(Call& call) {
  if (call.line.arguments.size() != 1) {
    return Failed("KEY must be specified for the single delete command");
  }
  ASSIGN_OR_RETURN(const std::string key, call.KeyOf(call.line.arguments[0]));
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  WriteBatch batch;
  batch.SingleDelete(key, call.family());
  return Write(call, std::move(batch), "");
}

Status DeleteRange(Call& call) {
  const auto& words = call.line.arguments;
  if (words.size() != 2) {
    return Failed("begin and end keys must be specified for the delete command");
  }
  ASSIGN_OR_RETURN(const std::string begin, call.KeyOf(words[0]));
  ASSIGN_OR_RETURN(const std::string end, call.KeyOf(words[1]));
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  WriteBatch batch;
  batch.DeleteRange(begin, end, call.family());
  return Write(call, std::move(batch), "");
}

Status Load(Call& call) {
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  const bool without_log = call.line.Has("disable_wal");
  const WriteOptions writing{.durability = without_log ? Durability::kNone : Durability::kBuffered};
  const Result<uint64_t> bad_lines =
      ReadRecords(call, [&](const std::string& key, const std::string& value) {
        const Status put = call.db().Put(writing, key, value, call.family());
        return put.ok() ? put : Failed("Load failed: ", put);
      });
  if (!bad_lines.ok()) return bad_lines.status();
  if (*bad_lines > 0) call.Print(Warning(*bad_lines) + "\n");
  if (!call.line.Has("compact")) return Status::Ok();
  const Status compacted = call.db().CompactRange({}, std::nullopt, std::nullopt, call.family());
  return compacted.ok() ? compacted : Failed("Compaction failed: ", compacted);
}

Status WriteTable(Call& call) {
  if (call.line.arguments.size() != 1) return Failed("output SST file path must be specified");
  const std::string& path = call.line.arguments[0];
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  const Result<ColumnFamilyOptions> options = call.db().OptionsOf(call.family());
  if (!options.ok()) return Failed("failed to open SST file: ", options.status());
  Result<SstFileWriter> writer = SstFileWriter::Create(NativeEnvironment(), *options, path);
  if (!writer.ok()) return Failed("failed to open SST file: ", writer.status());
  const Result<uint64_t> bad_lines =
      ReadRecords(call, [&](const std::string& key, const std::string& value) {
        const Status put = writer->Put(key, value);
        return put.ok() ? put : Failed("failed to write record to file: ", put);
      });
  if (!bad_lines.ok()) return bad_lines.status();
  const Status finished = writer->Finish();
  if (!finished.ok()) return Failed("Failed to finish writing to file: ", finished);
  if (*bad_lines > 0) call.Say(Warning(*bad_lines));
  call.Say("external SST file written to " + path);
  return Status::Ok();
}

Status IngestTable(Call& call) {
  IngestOptions options;
  ASSIGN_OR_RETURN(options.move_files, call.line.FlagOrTruth("move_files", false));
  ASSIGN_OR_RETURN(options.allow_overlap, call.line.FlagOrTruth("allow_global_seqno", true));
  ASSIGN_OR_RETURN(const bool behind, call.line.FlagOrTruth("ingest_behind", false));
  ASSIGN_OR_RETURN(const bool writes_sequence, call.line.FlagOrTruth("write_global_seqno", true));
  if (!options.allow_overlap && writes_sequence) {
    return Failed(
        "ldb cannot write global_seqno to the ingested SST when global_seqno is not allowed");
  }
  if (call.line.arguments.size() != 1) return Failed("input SST path must be specified");
  if (behind) return NotImplemented("--ingest_behind");
  RETURN_IF_ERROR(call.Open(Access::kWrite));
  const Status ingested = call.db().Ingest(options, {call.line.arguments[0]}, call.family());
  if (!ingested.ok()) return Failed("failed to ingest external SST: ", ingested);
  call.Say("external SST files ingested");
  return Status::Ok();
}

}  // namespace varve::cli::ldb
