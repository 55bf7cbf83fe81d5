// SPDX-License-Identifier: Apache-2.0
// Makes inputs that are as much work for their size as an input of their kind can be, with
// checksums that are right: tables, and databases around a hostile MANIFEST, OPTIONS file, log or
// LOG.
//
// usage: cost_inputs KIND N PATH     (cost_inputs alone lists the kinds)
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/codec/compression.h"
#include "core/format/file_name.h"
#include "core/format/internal_key.h"
#include "core/format/log/log_record.h"
#include "core/format/manifest/version_edit.h"
#include "core/format/table/block_builder.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/footer.h"
#include "core/format/table/metaindex.h"
#include "core/format/table/table_properties.h"
#include "tests/append_block_trailer.h"

namespace varve {
namespace {

void Save(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    std::perror(path.c_str());
    std::exit(1);
  }
}

std::string Number(uint64_t i) {
  std::string text = std::to_string(i);
  return std::string(10 - text.size(), '0') + text;
}

// A table of format_version 5, block by block.
class RawTable {
 public:
  BlockHandle AddBlock(std::string_view payload, CompressionType codec = CompressionType::kNone) {
    const BlockHandle handle{bytes_.size(), payload.size()};
    std::string block(payload);
    AppendBlockTrailer(&block, codec, ChecksumType::kCrc32c, 0, handle.offset);
    bytes_ += block;
    return handle;
  }
  void Name(std::string name, BlockHandle handle) { metaindex_.emplace(std::move(name), handle); }
  TableProperties& properties() { return properties_; }
  BlockHandle AddProperties() {
    properties_.comparator = "leveldb.BytewiseComparator";
    return AddPropertiesBlock(EncodeTableProperties(properties_));
  }
  BlockHandle AddPropertiesBlock(std::string_view payload) {
    const BlockHandle handle = AddBlock(payload);
    Name(std::string(kMetaProperties), handle);
    return handle;
  }
  std::string Finish(BlockHandle index) {
    Footer footer;
    footer.format_version = 5;
    footer.metaindex = AddBlock(EncodeMetaindex(metaindex_));
    footer.index = index;
    footer.offset = bytes_.size();
    AppendFooter(&bytes_, footer);
    return std::move(bytes_);
  }
  uint64_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
  Metaindex metaindex_;
  TableProperties properties_;
};

std::string DataBlock(uint64_t first, uint64_t entries, const std::string& prefix,
                      std::string_view value, uint32_t restart_interval = 16) {
  BlockBuilder block({.restart_interval = restart_interval});
  for (uint64_t i = first; i < first + entries; ++i) {
    block.Add(InternalKey{prefix + Number(i), 1, ValueType::kValue}, value);
  }
  return std::string(block.Finish());
}

std::string IndexKey(const std::string& user_key) {
  return EncodeInternalKey({user_key, 0, ValueType::kValue});
}

// One block of n entries whose keys share 2,000 bytes with the one before, each followed by its
// equal: every second one is out of order.
std::string SharedKeys(uint64_t n) {
  RawTable table;
  BlockBuilder block({.restart_interval = 1u << 20});
  const std::string prefix(2000, 'k');
  for (uint64_t i = 0; i < n; ++i) {
    block.Add(EncodeInternalKey({prefix + Number(i / 2), 1, ValueType::kValue}), "");
  }
  const BlockHandle data = table.AddBlock(block.Finish());
  BlockBuilder index({.restart_interval = 1});
  index.AddIndex(IndexKey("l"), data);
  const BlockHandle at = table.AddBlock(index.Finish());
  table.AddProperties();
  return table.Finish(at);
}

// n entries of the index name one block of n entries.
std::string RepeatedBlock(uint64_t n) {
  RawTable table;
  const BlockHandle data = table.AddBlock(DataBlock(0, n, "k", ""));
  BlockBuilder index({.restart_interval = 1});
  for (uint64_t i = 0; i < n; ++i) index.AddIndex(IndexKey("l" + Number(i)), data);
  const BlockHandle at = table.AddBlock(index.Finish());
  table.AddProperties();
  return table.Finish(at);
}

// n entries of the top level name one partition, and n entries of that one block.
std::string RepeatedPartition(uint64_t n) {
  RawTable table;
  const BlockHandle data = table.AddBlock(DataBlock(0, 1, "k", ""));
  BlockBuilder partition({.restart_interval = 1}), top({.restart_interval = 1});
  for (uint64_t i = 0; i < n; ++i) partition.AddIndex(IndexKey("l" + Number(i)), data);
  const BlockHandle part = table.AddBlock(partition.Finish());
  for (uint64_t i = 0; i < n; ++i) top.AddIndex(IndexKey("m" + Number(i)), part);
  const BlockHandle at = table.AddBlock(top.Finish());
  table.properties().index_type = 2;
  table.properties().index_partitions = n;
  table.AddProperties();
  return table.Finish(at);
}

// The top level names a data block's worth of separators that share nearly all their bytes.
const std::string kSharedPrefix(2000, 's');
std::string SharedSeparator(uint64_t i) { return kSharedPrefix + Number(i); }

std::string SharedSeparators(uint64_t n) {
  RawTable table;
  BlockBuilder index({.restart_interval = 1u << 20});
  for (uint64_t i = 0; i < n; ++i) {
    const BlockHandle data = table.AddBlock(DataBlock(i, 1, kSharedPrefix, "", 1));
    index.AddIndex(IndexKey(SharedSeparator(i)), data);
  }
  const BlockHandle at = table.AddBlock(index.Finish());
  table.AddProperties();
  return table.Finish(at);
}

// n blocks of an entry each.
std::string ManyBlocks(uint64_t n) {
  RawTable table;
  BlockBuilder index({.restart_interval = 1});
  for (uint64_t i = 0; i < n; ++i) {
    index.AddIndex(IndexKey("k" + Number(i)), table.AddBlock(DataBlock(i, 1, "k", "v", 1)));
  }
  const BlockHandle at = table.AddBlock(index.Finish());
  table.properties().entries = n;
  table.properties().data_blocks = n;
  table.AddProperties();
  return table.Finish(at);
}

// A sound table of blocks of 64 KiB with n entries, which breaks off amid a block in its middle.
std::string CutTable(uint64_t n) {
  RawTable table;
  BlockBuilder index({.restart_interval = 1});
  constexpr uint64_t kEntriesABlock = 600;
  uint64_t random = 1;
  for (uint64_t i = 0; i < n; i += kEntriesABlock) {
    std::string value;
    for (int k = 0; k < 100; ++k) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      value.push_back(static_cast<char>(random >> 33));
    }
    index.AddIndex(IndexKey("k" + Number(i + kEntriesABlock)),
                   table.AddBlock(DataBlock(i, kEntriesABlock, "k", value)));
  }
  const BlockHandle at = table.AddBlock(index.Finish());
  table.AddProperties();
  std::string bytes = table.Finish(at);
  bytes.resize(bytes.size() / 2 + 32768);
  return bytes;
}

// n bytes in which every place looks like the beginning of a block, every other one like an end.
std::string Pattern(uint64_t n) {
  std::string bytes;
  while (bytes.size() < n) bytes.append("\x04\x7f\x05\x10\x04\x05\x7f\x04", 8);
  return bytes;
}

std::string Zeros(uint64_t n) { return std::string(n, '\0'); }

std::string ManyProperties(uint64_t n) {
  RawTable table;
  BlockBuilder index({.restart_interval = 1});
  index.AddIndex(IndexKey("l"), table.AddBlock(DataBlock(0, 10, "k", "v")));
  const BlockHandle at = table.AddBlock(index.Finish());
  BlockBuilder properties({.restart_interval = 1});
  for (uint64_t i = 0; i < n; ++i) properties.Add("a" + Number(i), "value");
  properties.Add("rocksdb.comparator", "leveldb.BytewiseComparator");
  table.AddPropertiesBlock(properties.Finish());
  return table.Finish(at);
}

std::string ManyMetaBlocks(uint64_t n) {
  RawTable table;
  BlockBuilder index({.restart_interval = 1});
  index.AddIndex(IndexKey("l"), table.AddBlock(DataBlock(0, 10, "k", "v")));
  const BlockHandle at = table.AddBlock(index.Finish());
  const BlockHandle meta = table.AddBlock("meta");
  for (uint64_t i = 0; i < n; ++i) table.Name("m" + Number(i), meta);
  table.AddProperties();
  return table.Finish(at);
}

// One entry with a value of 1,000 n bytes, which take about n as they are stored.
std::string ExpandingBlock(uint64_t n) {
  RawTable table;
  BlockBuilder index({.restart_interval = 1});
  const std::string block = DataBlock(0, 1, "k", std::string(1000 * n, '\0'));
  auto compressor = Compressor::Create(CompressionType::kZlib, 9, "");
  std::string raw_size, stored;
  AppendVarint64(&raw_size, block.size());
  CHECK(compressor.ok() && (*compressor)->Compress(block, &stored));
  index.AddIndex(IndexKey("l"), table.AddBlock(raw_size + stored, CompressionType::kZlib));
  const BlockHandle at = table.AddBlock(index.Finish());
  table.properties().entries = 1;
  table.properties().data_blocks = 1;
  table.AddProperties();
  return table.Finish(at);
}

// Of n range deletions, each inside the one before.
std::string BeginOf(uint64_t i) { return "a" + Number(i); }
std::string EndOf(uint64_t i, uint64_t n) { return "z" + Number(n - i); }

std::string NestedRangeDeletions(uint64_t n) {
  RawTable table;
  BlockBuilder deletions({.restart_interval = 1}), index({.restart_interval = 1});
  for (uint64_t i = 0; i < n; ++i) {
    deletions.Add(EncodeInternalKey({BeginOf(i), i + 1, ValueType::kRangeDeletion}), EndOf(i, n));
  }
  index.AddIndex(IndexKey("l"), table.AddBlock(DataBlock(0, 10, "k", "v")));
  table.Name(std::string(kMetaRangeDeletions), table.AddBlock(deletions.Finish()));
  const BlockHandle at = table.AddBlock(index.Finish());
  table.AddProperties();
  return table.Finish(at);
}

// A database: a MANIFEST of these edits, and what else is given.
class RawDatabase {
 public:
  explicit RawDatabase(std::string path) : path_(std::move(path)) {
    std::filesystem::create_directories(path_);
    Save(path_ + "/CURRENT", "MANIFEST-000005\n");
    Save(path_ + "/IDENTITY", "cost");
    VersionEdit base;
    base.comparator = "leveldb.BytewiseComparator";
    base.log_number = 4;
    base.prev_log_number = 0;
    base.next_file_number = uint64_t{1} << 30;
    base.last_sequence = uint64_t{1} << 40;
    Add(base);
  }
  void Add(const VersionEdit& edit) {
    std::string record;
    EncodeVersionEdit(edit, &record);
    AppendRecord(record, &manifest_);
  }
  static void AppendRecord(std::string_view record, std::string* log) {
    LogRecordType type = LogRecordType::kFirst;
    for (bool last = false; !last;) {
      uint64_t room = kLogBlockSize - log->size() % kLogBlockSize;
      if (room < kLogHeaderSize) {
        log->append(room, '\0');
        room = kLogBlockSize;
      }
      const std::string_view part = record.substr(0, room - kLogHeaderSize);
      record.remove_prefix(part.size());
      last = record.empty();
      const bool first = type == LogRecordType::kFirst;
      if (last) type = first ? LogRecordType::kFull : LogRecordType::kLast;
      AppendLogRecord(log, type, part);
      type = LogRecordType::kMiddle;
    }
  }
  void AddFile(const std::string& name, std::string_view bytes) { Save(path_ + "/" + name, bytes); }
  ~RawDatabase() { Save(path_ + "/MANIFEST-000005", manifest_); }

 private:
  const std::string path_;
  std::string manifest_;
};

VersionEdit::NewFile NewFile(int level, uint64_t i) {
  VersionEdit::NewFile added{.level = level, .file = {}};
  added.file.number = 100 + i;
  added.file.size = 1000;
  added.file.smallest = EncodeInternalKey({"k" + Number(2 * i), i + 1, ValueType::kValue});
  added.file.largest = EncodeInternalKey({"k" + Number(2 * i + 1), i + 1, ValueType::kValue});
  added.file.smallest_sequence = added.file.largest_sequence = i + 1;
  return added;
}

void Families(uint64_t n, const std::string& path) {
  RawDatabase db(path);
  for (uint64_t i = 1; i <= n; ++i) {
    VersionEdit edit;
    edit.family = static_cast<ColumnFamilyId>(i);
    edit.add_family = "f" + std::to_string(i);
    edit.comparator = "leveldb.BytewiseComparator";
    db.Add(edit);
  }
  // An older OPTIONS file speaks of none of them.
  db.AddFile("OPTIONS-000007", "[Version]\n[DBOptions]\n[CFOptions \"default\"]\n");
}

void FilesOf(int level, uint64_t n, const std::string& path) {
  RawDatabase db(path);
  VersionEdit edit;
  for (uint64_t i = 0; i < n; ++i) edit.new_files.push_back(NewFile(level, i));
  db.Add(edit);
}

// n sound tables of an entry each, all in the deepest level.
void Tables(uint64_t n, const std::string& path) {
  RawDatabase db(path);
  VersionEdit edit;
  for (uint64_t i = 0; i < n; ++i) {
    const std::string key = "k" + Number(i);
    RawTable table;
    BlockBuilder index({.restart_interval = 1});
    index.AddIndex(IndexKey(key), table.AddBlock(DataBlock(i, 1, "k", "v", 1)));
    const BlockHandle at = table.AddBlock(index.Finish());
    table.properties().entries = 1;
    table.properties().data_blocks = 1;
    table.AddProperties();
    const std::string bytes = table.Finish(at);
    VersionEdit::NewFile& added = edit.new_files.emplace_back();
    added.level = 6;
    added.file.number = 100 + i;
    added.file.size = bytes.size();
    added.file.smallest = EncodeInternalKey({key, 1, ValueType::kValue});
    added.file.largest = added.file.smallest;
    added.file.smallest_sequence = added.file.largest_sequence = 1;
    db.AddFile(TableFileName(added.file.number), bytes);
  }
  db.Add(edit);
}

// One file added and deleted, n times.
void Edits(uint64_t n, const std::string& path) {
  RawDatabase db(path);
  for (uint64_t i = 0; i < n; ++i) {
    VersionEdit edit;
    if (i > 0) edit.deleted_files.push_back({0, 100 + i - 1});
    edit.new_files.push_back(NewFile(0, i));
    db.Add(edit);
  }
}

// An atomic group of n edits.
void Group(uint64_t n, const std::string& path) {
  RawDatabase db(path);
  for (uint64_t i = 0; i < n; ++i) {
    VersionEdit edit;
    edit.atomic_group_remaining = static_cast<uint32_t>(n - 1 - i);
    edit.new_files.push_back(NewFile(1, i));
    db.Add(edit);
  }
}

void OptionsOfOneSection(uint64_t n, const std::string& path) {
  std::string text = "[Version]\n[DBOptions]\n";
  for (uint64_t i = 0; i < n; ++i) text += "a" + std::to_string(i) + "=1\n";
  RawDatabase(path).AddFile("OPTIONS-000007", text + "[CFOptions \"default\"]\n");
}

void OptionsOfFamilies(uint64_t n, const std::string& path) {
  std::string text = "[DBOptions]\n[CFOptions \"default\"]\n";
  for (uint64_t i = 0; i < n; ++i) {
    const std::string name = "\"f" + std::to_string(i) + "\"]\n";
    text += "[CFOptions " + name + "[TableOptions/BlockBasedTable " + name;
  }
  RawDatabase(path).AddFile("OPTIONS-000007", text);
}

void NestedOptions(uint64_t n, const std::string& path) {
  std::string value(n, '{');
  value.append(n, '}');
  RawDatabase(path).AddFile("OPTIONS-000007",
                            "[DBOptions]\n[CFOptions \"default\"]\n  "
                            "compaction_options_universal=" +
                                value + "\n");
}

std::string Batch(Sequence sequence, uint32_t count, std::string_view records) {
  std::string batch;
  AppendFixed64(&batch, sequence);
  AppendFixed32(&batch, count);
  return batch.append(records);
}

std::string PutRecord(std::string_view key, std::string_view value) {
  std::string record(1, '\x01');
  AppendLengthPrefixed(&record, key);
  AppendLengthPrefixed(&record, value);
  return record;
}

std::string RangeDeletionRecord(std::string_view begin, std::string_view end) {
  std::string record(1, '\x0f');
  AppendLengthPrefixed(&record, begin);
  AppendLengthPrefixed(&record, end);
  return record;
}

constexpr Sequence kFirstLogged = (uint64_t{1} << 40) + 1;

// A database of one table, with n sequence numbers.
void DatabaseOf(const std::string& table, uint64_t n, const InternalKey& smallest,
                const InternalKey& largest, const std::string& path) {
  RawDatabase db(path);
  VersionEdit edit;
  VersionEdit::NewFile added = NewFile(6, 0);
  added.file.size = table.size();
  added.file.smallest = EncodeInternalKey(smallest);
  added.file.largest = EncodeInternalKey(largest);
  added.file.smallest_sequence = 1;
  added.file.largest_sequence = n;
  edit.new_files.push_back(added);
  db.Add(edit);
  db.AddFile(TableFileName(100), table);
}

void DatabaseOfRangeDeletions(uint64_t n, const std::string& path) {
  const std::string begin = BeginOf(0), end = EndOf(0, n);
  DatabaseOf(NestedRangeDeletions(n), n, {begin, 1, ValueType::kRangeDeletion},
             {end, kMaxSequence, ValueType::kRangeDeletion}, path);
}

void DatabaseOfSeparators(uint64_t n, const std::string& path) {
  const std::string smallest = SharedSeparator(0), largest = SharedSeparator(n - 1);
  DatabaseOf(SharedSeparators(n), n, {smallest, 1, ValueType::kValue},
             {largest, 1, ValueType::kValue}, path);
}

// n tables of a level, each with a key and a range deletion that covers it.
void TablesOfRangeDeletions(uint64_t n, const std::string& path) {
  RawDatabase db(path);
  VersionEdit edit;
  for (uint64_t i = 0; i < n; ++i) {
    const std::string begin = "k" + Number(i), end = "k" + Number(i + 1);
    RawTable table;
    BlockBuilder deletions({.restart_interval = 1}), index({.restart_interval = 1});
    deletions.Add(EncodeInternalKey({begin, n + i + 1, ValueType::kRangeDeletion}), end);
    index.AddIndex(IndexKey(begin), table.AddBlock(DataBlock(i, 1, "k", "v")));
    table.Name(std::string(kMetaRangeDeletions), table.AddBlock(deletions.Finish()));
    const BlockHandle at = table.AddBlock(index.Finish());
    table.AddProperties();
    const std::string bytes = table.Finish(at);
    VersionEdit::NewFile added = NewFile(1, i);
    added.file.size = bytes.size();
    added.file.smallest = EncodeInternalKey({begin, n + i + 1, ValueType::kRangeDeletion});
    added.file.largest = EncodeInternalKey({end, kMaxSequence, ValueType::kRangeDeletion});
    added.file.smallest_sequence = 1;
    added.file.largest_sequence = n + i + 1;
    edit.new_files.push_back(added);
    db.AddFile(TableFileName(100 + i), bytes);
  }
  db.Add(edit);
}

void LogOfRangeDeletions(uint64_t n, const std::string& path) {
  std::string log;
  for (uint64_t i = 0; i < n; ++i) {
    const std::string record = RangeDeletionRecord(BeginOf(i), EndOf(i, n));
    RawDatabase::AppendRecord(Batch(kFirstLogged + i, 1, record), &log);
  }
  RawDatabase(path).AddFile(WalFileName(4), log);
}

// A record of each of n families.
void LogOfFamilies(uint64_t n, const std::string& path) {
  Families(n, path);
  std::string log;
  for (uint64_t i = 0; i < n; ++i) {
    std::string record(1, '\x05');
    AppendVarint32(&record, static_cast<uint32_t>(i + 1));
    AppendLengthPrefixed(&record, "k");
    AppendLengthPrefixed(&record, "v");
    RawDatabase::AppendRecord(Batch(kFirstLogged + i, 1, record), &log);
  }
  Save(path + "/" + WalFileName(4), log);
}

// All of one family, and many beside it that have none.
void LogBesideFamilies(uint64_t n, const std::string& path) {
  constexpr uint64_t kRecordsPerFamily = 20;
  Families(n, path);
  std::string log;
  for (uint64_t i = 0; i < kRecordsPerFamily * n; ++i) {
    RawDatabase::AppendRecord(Batch(kFirstLogged + i, 1, PutRecord("k", "v")), &log);
  }
  Save(path + "/" + WalFileName(4), log);
}

void LogOfRecords(uint64_t n, const std::string& path) {
  std::string log;
  for (uint64_t i = 0; i < n; ++i) {
    RawDatabase::AppendRecord(Batch(kFirstLogged + i, 1, PutRecord("k", "v")), &log);
  }
  RawDatabase(path).AddFile(WalFileName(4), log);
}

void LogOfOneBatch(uint64_t n, const std::string& path) {
  std::string records, log;
  for (uint64_t i = 0; i < n; ++i) records += PutRecord("k" + Number(i), "v");
  RawDatabase::AppendRecord(Batch(kFirstLogged, static_cast<uint32_t>(n), records), &log);
  RawDatabase(path).AddFile(WalFileName(4), log);
}

// A batch whose only value has n KiB.
void LogOfOneValue(uint64_t n, const std::string& path) {
  std::string log;
  const std::string records = PutRecord("k", std::string(static_cast<size_t>(n) << 10, 'v'));
  RawDatabase::AppendRecord(Batch(kFirstLogged, 1, records), &log);
  RawDatabase(path).AddFile(WalFileName(4), log);
}

// n records that are no batch, in a log of good checksums.
void LogOfGarbage(uint64_t n, const std::string& path) {
  std::string log;
  for (uint64_t i = 0; i < n; ++i) RawDatabase::AppendRecord("?", &log);
  RawDatabase(path).AddFile(WalFileName(4), log);
}

void EventLog(uint64_t n, const std::string& path) {
  std::string text;
  for (uint64_t i = 0; i < n; ++i) {
    text += "2026/01/01-00:00:00.000000 1 EVENT_LOG_v1 {\"time_micros\": " + std::to_string(i) +
            ", \"job\": " + std::to_string(i) + ", \"event\": \"flush_started\"}\n";
  }
  RawDatabase(path).AddFile("LOG", text);
}

// One event with n members, the last of which is nested n deep.
void WideEvent(uint64_t n, const std::string& path) {
  std::string text = "2026/01/01-00:00:00.000000 1 EVENT_LOG_v1 {\"event\": \"flush_started\"";
  for (uint64_t i = 0; i < n; ++i) text += ", \"m" + std::to_string(i) + "\": 1";
  text += ", \"deep\": " + std::string(n, '[') + std::string(n, ']') + "}\n";
  RawDatabase(path).AddFile("LOG", text);
}

std::string Rows(uint64_t n, std::string_view separator) {
  std::string text;
  for (uint64_t i = 0; i < n; ++i) text.append(Number(i)).append(separator).append("value\n");
  return text;
}

std::string CsvRows(uint64_t n) { return "key,value\n" + Rows(n, ","); }
std::string TsvRows(uint64_t n) { return Rows(n, "\t"); }

// A quoted cell of n lines.
std::string LongCell(uint64_t n) {
  std::string text = "key,value\nk,\"";
  for (uint64_t i = 0; i < n; ++i) text += "\"\"x\n";
  return text + "\"\n";
}

// n lines, each of which begins a quoted cell where the one before ends one; the last stays open.
std::string OpenQuote(uint64_t n) {
  std::string text = "key,value\n";
  for (uint64_t i = 0; i < n; ++i) text += Number(i) + ",\"v\n";
  return text + "k,\"";
}

std::string WideRow(uint64_t n) {
  std::string head = "key,value", row = "k,v";
  for (uint64_t i = 0; i < n; ++i) {
    head += ",c" + std::to_string(i);
    row += ",1";
  }
  return head + "\n" + row + "\n";
}

std::string NestedJson(uint64_t n) {
  return "{\"key\":\"k\",\"value\":" + std::string(n, '[') + std::string(n, ']') + "}\n";
}

std::string WideJson(uint64_t n) {
  std::string text = "{\"key\":\"k\",\"value\":\"v\"";
  for (uint64_t i = 0; i < n; ++i) text += ",\"m" + std::to_string(i) + "\":1";
  return text + "}\n";
}

// Of a database with n families besides the default one, and no records. Their names are as long as
// it takes for a file to be as large as an open family, and its options, allow for.
std::string DumpOfFamilies(uint64_t n) {
  std::string text = "#varve-dump 1\n#cf\tdefault\tleveldb.BytewiseComparator\n";
  for (uint64_t i = 1; i <= n; ++i) {
    text += "#cf\tf" + Number(i) + std::string(80, 'f') + "\tleveldb.BytewiseComparator\n";
  }
  return text + "#end count=0 xxh3=0000000000000000\n";
}

using Make = std::function<void(uint64_t n, const std::string& path)>;

Make File(std::string (*make)(uint64_t)) {
  return [make](uint64_t n, const std::string& path) { Save(path, make(n)); };
}

const std::map<std::string, Make>& Kinds() {
  static const std::map<std::string, Make> kinds = {
      {"cut.sst", File(CutTable)},
      {"expanding_block.sst", File(ExpandingBlock)},
      {"many_blocks.sst", File(ManyBlocks)},
      {"many_meta_blocks.sst", File(ManyMetaBlocks)},
      {"many_properties.sst", File(ManyProperties)},
      {"nested_range_deletions.sst", File(NestedRangeDeletions)},
      {"pattern.sst", File(Pattern)},
      {"repeated_block.sst", File(RepeatedBlock)},
      {"repeated_partition.sst", File(RepeatedPartition)},
      {"shared_keys.sst", File(SharedKeys)},
      {"shared_separators.sst", File(SharedSeparators)},
      {"zeros.sst", File(Zeros)},
      {"long_cell.csv", File(LongCell)},
      {"nested.jsonl", File(NestedJson)},
      {"open_quote.csv", File(OpenQuote)},
      {"rows.csv", File(CsvRows)},
      {"rows.tsv", File(TsvRows)},
      {"families.dump", File(DumpOfFamilies)},
      {"wide.jsonl", File(WideJson)},
      {"wide_row.csv", File(WideRow)},
      {"edits", Edits},
      {"event_log", EventLog},
      {"families", Families},
      {"group", Group},
      {"level_0", [](uint64_t n, const std::string& path) { FilesOf(0, n, path); }},
      {"level_1", [](uint64_t n, const std::string& path) { FilesOf(1, n, path); }},
      {"log_beside_families", LogBesideFamilies},
      {"log_of_families", LogOfFamilies},
      {"log_of_garbage", LogOfGarbage},
      {"log_of_one_batch", LogOfOneBatch},
      {"log_of_one_value", LogOfOneValue},
      {"log_of_range_deletions", LogOfRangeDeletions},
      {"log_of_records", LogOfRecords},
      {"nested_range_deletions", DatabaseOfRangeDeletions},
      {"shared_separators", DatabaseOfSeparators},
      {"tables_of_range_deletions", TablesOfRangeDeletions},
      {"options_nested", NestedOptions},
      {"options_of_families", OptionsOfFamilies},
      {"options_of_one_section", OptionsOfOneSection},
      {"tables", Tables},
      {"wide_event", WideEvent},
  };
  return kinds;
}

}  // namespace
}  // namespace varve

int main(int argc, char** argv) {
  const auto& kinds = varve::Kinds();
  const auto kind = argc == 4 ? kinds.find(argv[1]) : kinds.end();
  if (kind == kinds.end()) {
    std::fprintf(stderr, "usage: cost_inputs KIND N PATH, KIND one of\n");
    for (const auto& [name, make] : kinds) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  kind->second(std::strtoull(argv[2], nullptr, 10), argv[3]);
  return 0;
}
