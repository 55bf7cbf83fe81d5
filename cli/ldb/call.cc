// SPDX-License-Identifier: Apache-2.0
#include "cli/ldb/call.h"

#include <algorithm>
#include <iostream>
#include <vector>

#include "cli/database.h"
#include "cli/ldb/text.h"
#include "cli/output/plain_text.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/options/option_value.h"
#include "core/base/try.h"

namespace varve::cli::ldb {
namespace {

constexpr size_t kStampSize = sizeof(uint32_t);
constexpr int kStampMin = 1368146402;  // RocksDB's: there was no time to live before.

struct NumberOption {
  std::string_view name;
  std::string_view engine;  // Empty: a hint, which changes no answer.
  bool may_be_zero = false;
  int at_least = 0;  // RocksDB raises smaller ones to this.
};
constexpr NumberOption kNumbers[] = {
    {"block_size", "block_size"},
    {"compression_max_dict_bytes", "compression_opts.max_dict_bytes", true},
    {"write_buffer_size", "write_buffer_size", false, 64 << 10},
    {"file_size", "target_file_size_base"},
    {"fix_prefix_len", ""},
    {"db_write_buffer_size", "", true},
    {"min_blob_size", "min_blob_size", true},
    {"blob_file_size", "blob_file_size"},
    {"blob_compaction_readahead_size", ""},
    {"blob_file_starting_level", "blob_file_starting_level", true},
};

Status AddNumbers(const CommandLine& line, std::vector<std::string>* words) {
  for (const NumberOption& option : kNumbers) {
    ASSIGN_OR_RETURN(const std::optional<int> number, line.Number(option.name));
    if (!number) continue;
    if (*number < 0 || (*number == 0 && !option.may_be_zero)) {
      return Failed(std::string(option.name) + " must be " + (option.may_be_zero ? ">=" : ">") +
                    " 0.");
    }
    if (option.engine.empty()) continue;
    words->push_back(std::string(option.engine) + "=" +
                     std::to_string(std::max(*number, option.at_least)));
  }
  return Status::Ok();
}

Status AddCompression(const CommandLine& line, std::string_view option, std::string_view engine,
                      std::vector<std::string>* words) {
  const std::optional<std::string> name = line.Value(option);
  if (!name) return Status::Ok();
  constexpr std::string_view kNames[] = {"no",  "snappy", "zlib",   "bzip2",
                                         "lz4", "lz4hc",  "xpress", "zstd"};
  if (std::find(std::begin(kNames), std::end(kNames), *name) == std::end(kNames)) {
    return Failed("Unknown compression algorithm: " + *name);
  }
  words->push_back(std::string(engine) + "=" + (*name == "no" ? "none" : *name));
  return Status::Ok();
}

Status AddBlobs(const CommandLine& line, std::vector<std::string>* words) {
  for (const char* flag : {"enable_blob_files", "enable_blob_garbage_collection"}) {
    if (line.Has(flag)) words->push_back(std::string(flag) + "=true");
  }
  for (const char* name :
       {"blob_garbage_collection_age_cutoff", "blob_garbage_collection_force_threshold"}) {
    const std::optional<std::string> text = line.Value(name);
    if (!text) continue;
    const Result<double> share = ParseReal(*text, 0, 1);
    if (!share.ok()) return Failed(std::string(name) + " must be >= 0 and <= 1.");
    words->push_back(std::string(name) + "=" + FormatReal(*share));
  }
  return AddCompression(line, "blob_compression_type", "blob_compression_type", words);
}

}  // namespace

Status Call::Begin() {
  path = line.Value("db").value_or("");
  ASSIGN_OR_RETURN(const bool hex, line.FlagOrTruth("hex", false));
  ASSIGN_OR_RETURN(key_hex, line.FlagOrTruth("key_hex", hex));
  ASSIGN_OR_RETURN(value_hex, line.FlagOrTruth("value_hex", hex));
  RETURN_IF_ERROR(line.Truth("try_load_options", true).status());
  ttl = line.Has("ttl");
  for (const std::string_view name : {"env_uri", "fs_uri"}) {
    const std::optional<std::string> uri = line.Value(name);
    if (uri && *uri != "posix" && *uri != "file://") {
      return NotImplemented("--" + std::string(name) + "=" + *uri);
    }
  }
  return Status::Ok();
}

Result<Options> Call::EngineOptions(bool creates) const {
  EngineFlags flags;
  RETURN_IF_ERROR(AddNumbers(line, &flags.options));
  RETURN_IF_ERROR(AddCompression(line, "compression_type", "compression", &flags.options));
  RETURN_IF_ERROR(AddBlobs(line, &flags.options));
  ASSIGN_OR_RETURN(const std::optional<int> bits, line.Number("bloom_bits"));
  if (bits && *bits <= 0) return Failed("bloom_bits must be > 0.");
  if (bits) flags.options.push_back("filter_policy=bloomfilter:" + std::to_string(*bits));
  ASSIGN_OR_RETURN(const bool compacts, line.Truth("auto_compaction", true));
  if (line.Value("auto_compaction")) {
    flags.options.push_back(std::string("disable_auto_compactions=") +
                            (compacts ? "false" : "true"));
  }
  // As RocksDB 7.8 makes a database; `reduce_levels` needs data on the first levels.
  if (creates) flags.options.push_back("level_compaction_dynamic_level_bytes=false");
  Result<Options> options = MakeOptions(flags);
  if (!options.ok()) return Failed("", options.status());
  options->create_if_missing = creates;
  return options;
}

Status Call::Open(Access access) {
  ASSIGN_OR_RETURN(const bool may_create, line.FlagOrTruth("create_if_missing", false));
  ASSIGN_OR_RETURN(const Options options, EngineOptions(may_create && IsNew(path)));
  const bool reads = access == Access::kRead || line.Value("secondary_path");
  RecoveryReport report;
  auto opened = reads ? DB::OpenReadOnly(options, path, &report) : DB::Open(options, path, &report);
  if (!opened.ok() && opened.status().code() == Code::kNotFound && !reads) {
    return Failed("Invalid argument: " + path +
                  "/CURRENT: does not exist (create_if_missing is false)");
  }
  if (!opened.ok()) return Failed("", opened.status());
  db_ = *std::move(opened);
  for (const RecoveryLoss& loss : report.losses) {
    if (loss.damage) {
      Say("Warning: " + loss.file + "@" + std::to_string(loss.offset) + ": " + loss.reason +
          "; what is behind it is left out");
    }
  }
  const std::string name = line.Value("column_family").value_or("default");
  const std::optional<ColumnFamilyId> found = db_->FindFamily(name);
  if (!found) return Failed("Non-existing column family " + name);
  family_ = *found;
  return Status::Ok();
}

Status Call::Close() {
  if (db_ == nullptr) return Status::Ok();
  const Status closed = db_->Close();
  db_.reset();
  return closed.ok() ? closed : Failed("", closed);
}

Result<std::string> Call::KeyOf(const std::string& word) const {
  if (!key_hex) return word;
  return FromHexWord(word);
}

Result<std::string> Call::ValueOf(const std::string& word) const {
  if (!value_hex) return word;
  return FromHexWord(word);
}

Result<std::optional<std::string>> Call::KeyOption(std::string_view name) const {
  const std::optional<std::string> word = line.Value(name);
  if (!word) return std::optional<std::string>();
  ASSIGN_OR_RETURN(std::string key, KeyOf(*word));
  return std::optional<std::string>(std::move(key));
}

std::string Call::ShownKey(std::string_view key) const {
  return key_hex ? HexWord(key) : std::string(key);
}

std::string Call::ShownValue(std::string_view value) const {
  return value_hex ? HexWord(value) : std::string(value);
}

std::string Call::Stored(std::string value) const {
  if (!ttl) return value;
  constexpr uint64_t kMicrosPerSecond = 1000000;
  AppendFixed32(&value,
                static_cast<uint32_t>(NativeEnvironment().clock->UnixMicros() / kMicrosPerSecond));
  return value;
}

Result<Call::Unstamped> Call::Unstamp(std::string_view stored) {
  if (stored.size() < kStampSize) {
    return Failed("Corruption: Error: value's length less than timestamp's\n");
  }
  const std::string_view stamp = stored.substr(stored.size() - kStampSize);
  const auto seconds = static_cast<int>(LoadFixed32(stamp.data()));
  if (seconds < kStampMin) {
    return Failed("Corruption: Error: Timestamp < ttl feature release time!\n");
  }
  return Unstamped{stored.substr(0, stored.size() - kStampSize), seconds};
}

void Call::Say(std::string_view text) { std::cerr << PlainText(std::string(text) + "\n"); }

}  // namespace varve::cli::ldb
