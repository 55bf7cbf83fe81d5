// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cstdio>
#include <map>

#include "cli/ldb/file_text.h"
#include "cli/ldb/text.h"
#include "cli/ldb/unique_id.h"
#include "core/base/try.h"

namespace varve::cli::ldb {
namespace {

class Properties {
 public:
  explicit Properties(const TableReport& table) {
    for (const TableReport::Property& property : table.properties) {
      byname_[property.name] = &property;
    }
  }

  uint64_t Number(std::string_view name) const {
    uint64_t number = 0;
    if (const auto* property = Find(name)) {
      const std::string& text = property->text;
      std::from_chars(text.data(), text.data() + text.size(), number);
    }
    return number;
  }
  std::string Text(std::string_view name) const {
    const auto* const property = Find(name);
    return property == nullptr ? "" : property->raw;
  }

 private:
  const TableReport::Property* Find(std::string_view name) const {
    const auto found = byname_.find(name);
    return found == byname_.end() ? nullptr : found->second;
  }

  std::map<std::string_view, const TableReport::Property*> byname_;
};

std::string OrNone(std::string text) { return text.empty() ? "N/A" : text; }

std::string Average(uint64_t sum, uint64_t count) {
  return std::to_string(count == 0 ? 0.0
                                   : 1.0 * static_cast<double>(sum) / static_cast<double>(count));
}

// A line of each property, as TableProperties::ToString() has them.
std::string PropertiesText(const TableReport& table) {
  constexpr uint64_t kUnknownFamily = 0x7FFFFFFF;
  const Properties of(table);
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    text.append(name).append("=").append(value).append("\n");
  };
  const auto number = [&](std::string_view name, std::string_view property) {
    add(name, std::to_string(of.Number("rocksdb." + std::string(property))));
  };
  const auto name_of = [&](std::string_view name, std::string_view property) {
    add(name, OrNone(of.Text("rocksdb." + std::string(property))));
  };
  const auto bytes = [&](std::string_view name, std::string_view property) {
    add(name, of.Text("rocksdb." + std::string(property)));
  };
  const uint64_t entries = of.Number("rocksdb.num.entries");
  const uint64_t index = of.Number("rocksdb.index.size"), data = of.Number("rocksdb.data.size");
  const uint64_t filter = of.Number("rocksdb.filter.size");
  number("# data blocks", "num.data.blocks");
  number("# entries", "num.entries");
  number("# deletions", "deleted.keys");
  number("# merge operands", "merge.operands");
  number("# range deletions", "num.range-deletions");
  number("raw key size", "raw.key.size");
  add("raw average key size", Average(of.Number("rocksdb.raw.key.size"), entries));
  number("raw value size", "raw.value.size");
  add("raw average value size", Average(of.Number("rocksdb.raw.value.size"), entries));
  number("data block size", "data.size");
  add("index block size (user-key? " + std::to_string(of.Number("rocksdb.index.key.is.user.key")) +
          ", delta-value? " + std::to_string(of.Number("rocksdb.index.value.is.delta.encoded")) +
          ")",
      std::to_string(index));
  if (of.Number("rocksdb.index.partitions") != 0) {
    number("# index partitions", "index.partitions");
    number("top-level index size", "top-level.index.size");
  }
  number("filter block size", "filter.size");
  number("# entries for filter", "num.filter_entries");
  add("(estimated) table size", std::to_string(data + index + filter));
  name_of("filter policy name", "filter.policy");
  name_of("prefix extractor name", "prefix.extractor.name");
  const uint64_t family = of.Number("rocksdb.column.family.id");
  add("column family ID", family == kUnknownFamily ? "N/A" : std::to_string(family));
  name_of("column family name", "column.family.name");
  name_of("comparator name", "comparator");
  name_of("merge operator name", "merge.operator");
  name_of("property collectors names", "property.collectors");
  name_of("SST file compression algo", "compression");
  name_of("SST file compression options", "compression_options");
  number("creation time", "creation.time");
  number("time stamp of earliest key", "oldest.key.time");
  number("file creation time", "file.creation.time");
  number("slow compression estimated data size", "sample_for_compression.slow.data.size");
  number("fast compression estimated data size", "sample_for_compression.fast.data.size");
  bytes("DB identity", "creating.db.identity");
  bytes("DB session identity", "creating.session.identity");
  bytes("DB host id", "creating.host.identity");
  number("original file number", "original.file.number");
  add("unique ID", PublicUniqueId(table.unique_id));
  add("Sequence number to time mapping", "");
  return text;
}

Status PrintEntries(Call& call, const std::string& path, bool hex, bool with_range) {
  EntryRange range;
  if (with_range) {
    ASSIGN_OR_RETURN(range.from, call.KeyOption("from"));
    ASSIGN_OR_RETURN(range.to, call.KeyOption("to"));
  }
  ASSIGN_OR_RETURN(EntryStream entries, EntryStream::OpenTable(call.file_system(), path, range));
  call.Print("Sst file format: block-based\n");
  StoredEntry entry;
  while (entries.Next(&entry)) {
    if (entry.type == "range_delete") continue;
    const std::string key = KeyText(entry.key, entry.sequence, entry.type, hex);
    call.Print(std::string(AsCString(key)) + " => " +
               std::string(AsCString(StoredValueText(call, entry, hex))) + "\n");
  }
  return entries.status();
}

}  // namespace

void PrintTable(Call& call, const std::string& path, bool hex, bool with_range) {
  if (path.size() <= 4 || !path.ends_with(".sst")) {
    call.Print("Invalid sst file name.\n");
    return;
  }
  call.Print("Process " + path + "\n");
  const Status printed = PrintEntries(call, path, hex, with_range);
  const auto table = printed.ok() ? ReportTable(call.file_system(), path) : printed;
  if (!table.ok()) {
    call.Say("Error in reading SST file " + path + InRocksDbWords(table.status()));
    return;
  }
  call.Print("\nTable Properties:\n" + PropertiesText(*table) + "\n");
}

}  // namespace varve::cli::ldb
