// SPDX-License-Identifier: Apache-2.0
// Makes the first inputs of all targets from the fixtures: files as they are, and what is in them;
// and from a few words.
// tests/fuzz/README.md says how a corpus is made of them.
//
//   fuzz_seeds FIXTURES OUT        writes OUT/<target>/<name>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/value/blob_record.h"
#include "core/inspect/table/table_layout.h"
#include "tests/fuzz/bundle.h"
#include "tests/fuzz/mend_log.h"
#include "tests/fuzz/target.h"
#include "varve/environment.h"

namespace varve::fuzz {
namespace {

constexpr uint64_t kFileSizeMax = 12 << 10;
constexpr size_t kBlocksOfTable = 3;

FileSystem& Disk() { return *NativeEnvironment().file_system; }

class Seeds {
 public:
  explicit Seeds(std::string out) : out_(std::move(out)) {}

  void Add(const std::string& target, const std::string& name, std::string_view bytes) {
    const std::string folder = out_ + "/" + target;
    MustBeOk(Disk().CreateDirectory(folder), folder);
    WriteFile(Disk(), folder + "/" + name, bytes);
  }

 private:
  const std::string out_;
};

// The first byte of an input of the target index_block.
char FormOf(const BlockContents& contents) {
  const bool user_keys = contents.keys == BlockContents::Keys::kUserKeys;
  return static_cast<char>(user_keys | contents.index.delta_encoded << 1 |
                           contents.index.has_first_key << 2);
}

void AddBlock(Seeds* seeds, const std::string& name, const TableLayout& layout,
              const TablePart& part) {
  const auto block = layout.Decoded(part);
  if (!block.ok()) return;
  const std::string bytes((*block)->bytes());
  switch (part.kind) {
    case TablePartKind::kData:
    case TablePartKind::kRangeDeletions:
      seeds->Add("engine", name, bytes.substr(0, 600));
      seeds->Add("table_build", name, bytes.substr(0, 600));
      seeds->Add("codec", name, bytes.substr(0, 600));
      seeds->Add("values", name, bytes.substr(bytes.size() / 2, 40));
      return seeds->Add("block", name, bytes);
    case TablePartKind::kIndex:
    case TablePartKind::kIndexPartition:
    case TablePartKind::kFilterIndex:
      return seeds->Add("index_block", name, FormOf(*layout.ContentsOf(part.kind)) + bytes);
    case TablePartKind::kFilter:
    case TablePartKind::kFilterPartition:
    case TablePartKind::kPerBlockFilter:
      return seeds->Add("filter", name, bytes);
    case TablePartKind::kPointIndex:
    case TablePartKind::kProperties:
    case TablePartKind::kMetaindex:
      return seeds->Add("table_meta", name, bytes);
    default:
      return;
  }
}

void AddTable(Seeds* seeds, const std::string& path, const std::string& name) {
  const std::string bytes = ReadFile(Disk(), path);
  if (bytes.size() <= kFileSizeMax) seeds->Add("table", name, bytes);
  if (bytes.size() >= 53) seeds->Add("table_meta", name, bytes.substr(bytes.size() - 53));
  const auto layout = TableLayout::Open(Disk(), path);
  if (!layout.ok() || !(*layout)->is_implemented()) return;
  size_t data = 0;
  for (const TablePart& part : (*layout)->parts()) {
    if (!part.is_block() || part.size > kFileSizeMax) continue;
    if (part.kind == TablePartKind::kData && ++data > kBlocksOfTable) continue;
    AddBlock(seeds, name + "@" + std::to_string(part.offset), **layout, part);
  }
}

void AddLog(Seeds* seeds, const char* target, const std::string& name, std::string_view bytes) {
  seeds->Add(target, name, bytes.substr(0, kFileSizeMax));
  if (std::string_view(target) != "wal") return;
  size_t number = 0;
  for (const std::string& record : RecordsOf(bytes)) {
    if (number < kBlocksOfTable && record.size() < kFileSizeMax) {
      seeds->Add("batch", name + "@" + std::to_string(number++), record);
    }
  }
}

void AddBlob(Seeds* seeds, const std::string& name, const std::string& bytes) {
  if (bytes.size() < kBlobFileHeaderSize + kBlobFileFooterSize) return;
  seeds->Add("values", name + "-header", bytes.substr(0, kBlobFileHeaderSize));
  seeds->Add("values", name + "-record", bytes.substr(kBlobFileHeaderSize, 200));
  seeds->Add("values", name + "-footer", bytes.substr(bytes.size() - kBlobFileFooterSize));
}

// All files of a directory, unless they are large.
void AddDatabase(Seeds* seeds, const std::string& directory, const std::string& name,
                 const std::vector<DirectoryEntry>& entries) {
  Bundle bundle;
  for (const DirectoryEntry& entry : entries) {
    if (entry.is_directory || entry.name == "LOG" || entry.name.starts_with("LOG.")) continue;
    // They say little that one of them does not.
    if (entry.name.starts_with("OPTIONS-") && entry.size > 500) continue;
    bundle.emplace_back(entry.name, ReadFile(Disk(), directory + "/" + entry.name));
  }
  const std::string input = Pack(bundle);
  if (input.size() <= kFileSizeMax) seeds->Add("database", name, input);
  if (bundle.size() < 4) seeds->Add("slots", name, input);
}

// A file of a database, by its name.
void AddFile(Seeds* seeds, const std::string& path, const std::string& file,
             const std::string& name) {
  const auto parsed = ParseFileName(file);
  if (!parsed) return;
  switch (parsed->kind) {
    case FileKind::kTable:
    case FileKind::kTableLdb:
      return AddTable(seeds, path, name);
    case FileKind::kWal:
      return AddLog(seeds, "wal", name, ReadFile(Disk(), path));
    case FileKind::kManifest:
      return AddLog(seeds, "manifest", name, ReadFile(Disk(), path));
    case FileKind::kBlob:
      return AddBlob(seeds, name, ReadFile(Disk(), path));
    case FileKind::kCurrent:
      return seeds->Add("values", name, ReadFile(Disk(), path));
    case FileKind::kOptions:
      return seeds->Add("options_file", name, ReadFile(Disk(), path));
    default:
      return;
  }
}

// `name`: what leads to the directory, for the names of inputs.
void AddTree(Seeds* seeds, const std::string& directory, const std::string& name) {
  const auto entries = Disk().List(directory);
  MustBeOk(entries.status(), directory);
  if (Disk().Exists(directory + "/CURRENT")) AddDatabase(seeds, directory, name, *entries);
  for (const DirectoryEntry& entry : *entries) {
    const std::string path = directory + "/" + entry.name;
    const std::string below = name.empty() ? entry.name : name + "-" + entry.name;
    if (entry.is_directory) {
      AddTree(seeds, path, below);
    } else if (name == "sst" && !entry.name.ends_with(".json")) {
      AddTable(seeds, path, below);
    } else {
      AddFile(seeds, path, entry.name, below);
    }
  }
}

#define VARVE_EVENT "2026/11/21-01:09:18.786379 24334 EVENT_LOG_v1 "

// What people and programs write, by target.
constexpr std::pair<const char*, std::string_view> kWritten[] = {
    {"event_log", VARVE_EVENT
     "{\"time_micros\": 1795223358786379, \"job\": 2, \"event\": \"flush_started\"}\n" VARVE_EVENT
     "{\"time_micros\": 1795223358789000, \"cf_name\": \"default\", \"job\": 2, "
     "\"event\": \"table_file_creation\", \"file_number\": 9, \"file_size\": 1052}\n" VARVE_EVENT
     "{\"time_micros\": 1795223358790000, \"job\": 2, \"event\": "
     "\"flush_finished\", \"output_compression\": \"NoCompression\", \"lsm_state\": [1, 0]}\n"},
    {"event_log", VARVE_EVENT
     "{\"time_micros\": 1795223358791000, \"job\": 3, \"event\": "
     "\"compaction_started\", \"compaction_reason\": \"ManualCompaction\", "
     "\"files_L0\": [9, 7], \"files_L6\": [3], \"input_data_size\": 4000}\n" VARVE_EVENT
     "{\"time_micros\": 1795223358792000, \"cf_name\": \"default\", \"job\": 3, "
     "\"event\": \"table_file_creation\", \"file_number\": 11, \"file_size\": 900}\n" VARVE_EVENT
     "{\"time_micros\": 1795223358793000, \"job\": 3, \"event\": "
     "\"compaction_finished\", \"output_level\": 6, \"num_output_files\": 1}\n" VARVE_EVENT
     "{\"time_micros\": 1795223358794000, \"job\": 4, \"event\": \"trivial_move\", "
     "\"destination_level\": 1, \"files\": 1, \"total_files_size\": 900}\n"},
    {"event_log", "{\"a\": \"b\\\"c\", \"n\": [1, {\"x\": null}], \"t\": true}"},
    {"event_log", "[19, 17, \"x\"]"},
    {"load", "\x01key\tvalue\nk\\x00\tv\\n\n"},
    {"load", "\x02key,value,cf\na,\"b\"\"c\",default\n"},
    {"load", "\x03{\"key\":\"a\",\"value\":\"b\",\"value_encoding\":\"hex\"}\n"},
    {"load", "\x04#varve-dump 1\n#cf\tdefault\tleveldb.BytewiseComparator\na\tb\n"},
    {"values", "esc:k\\x00\\n"},
    {"values", "b64:azE="},
    {"values", "u64be:42"},
    {"values", "64KiB"},
    {"values", "rocksdb.CappedPrefix.4"},
    {"values", "MANIFEST-000005\n"},
    {"options_file", "{write_rate=1;max_dict_bytes=16384;}"},
    {"options_file", "kZSTD:kLZ4Compression"},
    {"options_file", "64M"},
    {"wasm_calls", "\x03\x10write_buffer_size=65536"},
    {"wasm_calls",
     "\x01\x01\x09"
     "1/records"
     "\x00"},
    {"request", "GET / HTTP/1.1\r\nHost: 127.0.0.1:8420\r\n\r\n"},
};

// Requests of all resources are made of these.
constexpr std::string_view kResources[] = {
    "",
    "/targets",
    "/targets/t1",
    "/targets/t1/files",
    "/targets/t1/files/9",
    "/targets/t1/files/9/blocks",
    "/targets/t1/files/9/entries?page_size=3",
    "/targets/t1/files/9/layout",
    "/targets/t1/files/9/filter?key=key1003",
    "/targets/t1/files/9/properties",
    "/targets/t1/files/9/bytes",
    "/targets/t1/cfs",
    "/targets/t1/cfs/default/get?key=hex:6b31",
    "/targets/t1/cfs/default/scan?from=a&limit=3",
    "/targets/t1/cfs/users/explain?key=key1010",
    "/targets/t1/cfs/default/versions?key=key1001",
    "/targets/t1/lsm",
    "/targets/t1/manifest",
    "/targets/t1/manifest/edits",
    "/targets/t1/wal",
    "/targets/t1/options",
    "/targets/t1/history",
    "/targets/t1/events",
    "/targets/t1/jobs",
    "/targets/t1/stats",
    "/targets/t2/blocks",
    "/targets/t2/entries",
    "/openapi.json",
    "/schemas",
};

// A line of command_lines.txt is a command, its words separated by blanks.
void AddCommandLines(Seeds* seeds, const std::string& path) {
  std::string lines = ReadFile(Disk(), path);
  std::replace(lines.begin(), lines.end(), ' ', '\0');
  int number = 0;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = lines.find('\n', at);
    seeds->Add("command_line", std::to_string(number++), lines.substr(at, end - at));
    at = end + 1;
  }
}

void AddWritten(Seeds* seeds) {
  int number = 0;
  for (const auto& [target, text] : kWritten) {
    std::string input(text);
    seeds->Add(target, "written-" + std::to_string(number++), input);
  }
  constexpr std::string_view kHead =
      " HTTP/1.1\r\nHost: 127.0.0.1:8420\r\nAuthorization: Bearer token\r\n";
  for (const std::string_view resource : kResources) {
    const std::string get = "GET /api/v1" + std::string(resource) + std::string(kHead);
    seeds->Add("request", "get-" + std::to_string(number), get + "\r\n");
    seeds->Add("request", "lines-" + std::to_string(number++),
               get + "Accept: application/jsonl\r\nRange: bytes=0-9\r\n\r\n");
  }
  for (const std::string_view kind : {"verify", "digest", "salvage", "diff", "compact"}) {
    const std::string body = "{\"kind\":\"" + std::string(kind) + "\"}";
    seeds->Add("request", "job-" + std::string(kind),
               "POST /api/v1/targets/t1/jobs" + std::string(kHead) +
                   "Content-Type: application/json\r\nContent-Length: " +
                   std::to_string(body.size()) + "\r\n\r\n" + body);
  }
}

void Main(const std::string& fixtures, const std::string& out) {
  MustBeOk(Disk().CreateDirectory(out), out);
  Seeds seeds(out);
  AddTree(&seeds, fixtures, "");
  AddWritten(&seeds);
  AddCommandLines(&seeds, fixtures + "/../fuzz/command_lines.txt");
}

}  // namespace
}  // namespace varve::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fuzz_seeds FIXTURES OUT\n");
    return 2;
  }
  varve::fuzz::Main(argv[1], argv[2]);
}
