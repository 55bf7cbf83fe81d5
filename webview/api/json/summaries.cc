// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/summaries.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "webview/api/schema/schema.h"

namespace varve::api {

Json TargetSummaryJson(const Target& target) {
  return {{"id", target.id()},
          {"name", target.name()},
          {"kind", std::string(TargetKindName(target.kind()))},
          {"live", target.live() != nullptr}};
}

Json TargetSummarySchema() {
  return Object("TargetSummary", {{"id", Text()},
                                  {"name", Text()},
                                  {"kind", OneOf({"db", "sst", "manifest", "wal", "unknown"})},
                                  {"live", Boolean()}});
}

Json BoundJson(const BoundReport& bound) {
  return {
      {"key", BytesJson(bound.key)}, {"seq", std::to_string(bound.sequence)}, {"type", bound.type}};
}

Json HandleJson(const HandleReport& handle) {
  return {{"offset", handle.offset}, {"size", handle.size}};
}

Json HandleSchema() { return Object("BlockHandle", {{"offset", Number()}, {"size", Number()}}); }

Json FamilySummaryJson(const FamilyReport& family) {
  Json levels = Json::array();
  for (const LevelReport& level : family.levels) {
    levels.push_back({{"level", level.level},
                      {"files", level.files.size()},
                      {"bytes", level.bytes},
                      {"score", level.score}});
  }
  return {{"cf", family.name},
          {"cf_id", family.id},
          {"name", BytesJson(family.name)},
          {"comparator", family.comparator},
          {"comparator_known", family.comparator_known},
          {"files", family.files},
          {"bytes", family.bytes},
          {"blob_files", family.blob_files},
          {"log_number", std::to_string(family.log_number)},
          {"levels", std::move(levels)}};
}

Json FamilySummarySchema() {
  return Object("FamilySummary", {{"cf", Text()},
                                  {"cf_id", Number()},
                                  {"name", BytesRef()},
                                  {"comparator", Text()},
                                  {"comparator_known", Boolean()},
                                  {"files", Number()},
                                  {"bytes", Number()},
                                  {"blob_files", Number()},
                                  {"log_number", U64()},
                                  {"levels", ArrayOf(Object({{"level", Number()},
                                                             {"files", Number()},
                                                             {"bytes", Number()},
                                                             {"score", Fraction()}}))}});
}

Json FileSummaryJson(const FileReport& file, const FamilyReport& family) {
  Json json = {{"id", std::to_string(file.number)},
               {"name", file.name},
               {"cf", family.name},
               {"cf_id", family.id},
               {"level", file.level},
               {"size", file.size},
               {"smallest", BoundJson(file.smallest)},
               {"largest", BoundJson(file.largest)},
               {"smallest_seq", std::to_string(file.smallest_sequence)},
               {"largest_seq", std::to_string(file.largest_sequence)},
               {"epoch", std::to_string(file.epoch)},
               {"creation_time_unix_s", file.creation_time},
               {"oldest_ancestor_time_unix_s", file.oldest_ancestor_time},
               {"unique_id", file.unique_id},
               {"path_id", file.path_id},
               {"marked_for_compaction", file.marked_for_compaction},
               {"present", file.present},
               {"added_by_edit", std::to_string(file.added_by)}};
  if (file.overlap) {
    json["overlap"] = {{"level", file.overlap->level},
                       {"files", file.overlap->files},
                       {"bytes", file.overlap->bytes}};
  }
  if (file.contents) {
    json["entries"] = file.contents->entries;
    json["deletions"] = file.contents->deletions;
    json["range_deletions"] = file.contents->range_deletions;
    json["merges"] = file.contents->merges;
    json["raw_key_bytes"] = file.contents->raw_key_bytes;
    json["raw_value_bytes"] = file.contents->raw_value_bytes;
  }
  return json;
}

Json FileSummarySchema() {
  return Object(
      "FileSummary",
      {{"id", U64()},
       {"name", Text()},
       {"cf", Text()},
       {"cf_id", Number()},
       {"level", Number()},
       {"size", Number()},
       {"smallest", BoundRef()},
       {"largest", BoundRef()},
       {"smallest_seq", U64()},
       {"largest_seq", U64()},
       {"epoch", U64()},
       {"creation_time_unix_s", Number()},
       {"oldest_ancestor_time_unix_s", Number()},
       {"unique_id", Text()},
       {"path_id", Number()},
       {"marked_for_compaction", Boolean()},
       {"present", Boolean()},
       {"added_by_edit", U64()},
       {"overlap", Object({{"level", Number()}, {"files", Number()}, {"bytes", Number()}}),
        kOptional},
       {"entries", Number(), kOptional},
       {"deletions", Number(), kOptional},
       {"range_deletions", Number(), kOptional},
       {"merges", Number(), kOptional},
       {"raw_key_bytes", Number(), kOptional},
       {"raw_value_bytes", Number(), kOptional}});
}

std::string FileIdentity(const TableReport& report) {
  if (!report.unique_id.empty()) return report.unique_id;
  std::string facts = std::to_string(report.size);
  for (const uint64_t fact : {report.index.offset, report.index.size, report.metaindex.offset,
                              report.entries, report.raw_key_bytes, report.raw_value_bytes}) {
    facts += "." + std::to_string(fact);
  }
  if (report.smallest) facts += report.smallest->key;
  if (report.largest) facts += report.largest->key;
  return Hex(Xxh3_64(facts), 16);
}

Json EntryJson(const StoredEntry& entry, const BytesStyle& style, const std::string& href,
               bool keys_only) {
  Json json = {{"key", BytesJson(entry.key, style, href)},
               {"seq", std::to_string(entry.sequence)},
               {"type", std::string(entry.type)}};
  if (!keys_only) json["value"] = BytesJson(entry.value, style, href);
  return json;
}

Json EntrySchema() {
  return Object(
      "Entry",
      {{"key", BytesRef()}, {"seq", U64()}, {"type", Text()}, {"value", BytesRef(), kOptional}});
}

}  // namespace varve::api
