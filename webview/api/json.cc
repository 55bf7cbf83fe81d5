// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json.h"

#include "core/base/text.h"

namespace varve::api {
namespace {

// The length of the UTF-8 sequence that `bytes` starts with; 0 if it is not one (overlong forms,
// surrogates and values past U+10FFFF included).
size_t Utf8Length(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t lead = at(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0) != 0x80) return 0;
  }
  if ((lead == 0xE0 && at(1) < 0xA0) || (lead == 0xED && at(1) > 0x9F)) return 0;
  if ((lead == 0xF0 && at(1) < 0x90) || (lead == 0xF4 && at(1) > 0x8F)) return 0;
  return length;
}

bool IsPlainText(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto lead = static_cast<uint8_t>(bytes[0]);
    const size_t length = Utf8Length(bytes);
    if (length == 0 || lead < 0x20 || lead == 0x7F) return false;
    // U+0080..U+009F are control characters too.
    if (lead == 0xC2 && static_cast<uint8_t>(bytes[1]) < 0xA0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

Json HandleJson(const HandleReport& handle) {
  return {{"offset", handle.offset}, {"size", handle.size}};
}

Json BoundJson(const BoundReport& bound) {
  return {
      {"key", BytesJson(bound.key)}, {"seq", std::to_string(bound.sequence)}, {"type", bound.type}};
}

Json FileSummaryJson(const FileReport& file) {
  return {{"id", std::to_string(file.number)},
          {"name", file.name},
          {"level", file.level},
          {"size", file.size},
          {"smallest", BoundJson(file.smallest)},
          {"largest", BoundJson(file.largest)},
          {"smallest_seq", std::to_string(file.smallest_sequence)},
          {"largest_seq", std::to_string(file.largest_sequence)},
          {"epoch", std::to_string(file.epoch)},
          {"creation_time_unix_s", file.creation_time}};
}

Json FamilyJson(const FamilyReport& family) {
  Json levels = Json::array();
  for (const LevelReport& level : family.levels) {
    Json files = Json::array();
    for (const FileReport& file : level.files) files.push_back(FileSummaryJson(file));
    levels.push_back({{"level", level.level},
                      {"bytes", level.bytes},
                      {"file_count", level.files.size()},
                      {"files", std::move(files)}});
  }
  return {{"id", family.id},
          {"name", family.name},
          {"comparator", family.comparator},
          {"comparator_known", family.comparator_known},
          {"files", family.files},
          {"bytes", family.bytes},
          {"blob_files", family.blob_files},
          {"log_number", std::to_string(family.log_number)},
          {"levels", std::move(levels)}};
}

std::string_view SeverityName(Finding::Severity severity) {
  switch (severity) {
    case Finding::Severity::kWarning:
      return "warning";
    case Finding::Severity::kNotChecked:
      return "not_checked";
    case Finding::Severity::kError:
      break;
  }
  return "error";
}

Json FindingJson(const Finding& finding) {
  Json json = {{"severity", std::string(SeverityName(finding.severity))},
               {"layer", finding.layer},
               {"file", finding.file},
               {"what", finding.what}};
  if (finding.offset) json["offset"] = *finding.offset;
  if (finding.key_from || finding.key_to) {
    Json range = Json::object();
    if (finding.key_from) range["from"] = BytesJson(*finding.key_from);
    if (finding.key_to) range["to"] = BytesJson(*finding.key_to);
    json["lost_range"] = std::move(range);
  }
  return json;
}

struct ProblemKind {
  std::string_view code;
  std::string_view title;
  int http;
  bool retryable;
};

ProblemKind KindOf(Code code) {
  switch (code) {
    case Code::kCorruption:
      return {"corruption", "Stored bytes are damaged", 422, false};
    case Code::kNotFound:
      return {"target_not_found", "There is nothing of that name", 404, false};
    case Code::kIoError:
      return {"io_error", "The system refused", 500, true};
    case Code::kNoSpace:
      return {"insufficient_storage", "No space left", 507, true};
    case Code::kInvalidArgument:
      return {"bad_request", "The request does not make sense", 400, false};
    case Code::kNotSupported:
      return {"unsupported_feature", "A feature that is not implemented", 501, false};
    case Code::kBusy:
      return {"locked", "In use", 409, true};
    case Code::kOk:
    case Code::kShutdown:
      break;
  }
  return {"internal", "A bug", 500, false};
}

}  // namespace

Json BytesJson(std::string_view bytes) {
  Json json = {{"hex", HexBytes(bytes)}};
  if (IsPlainText(bytes)) json["text"] = std::string(bytes);
  json["len"] = bytes.size();
  return json;
}

Json RecordJson(std::optional<std::string_view> family, std::string_view key,
                std::optional<std::string_view> value) {
  Json json = Json::object();
  if (family) json["cf"] = std::string(*family);
  json["key"] = BytesJson(key);
  if (value) json["value"] = BytesJson(*value);
  return json;
}

Json EntryJson(const StoredEntry& entry) {
  return {{"key", BytesJson(entry.key)},
          {"seq", std::to_string(entry.sequence)},
          {"type", std::string(entry.type)},
          {"value", BytesJson(entry.value)}};
}

Json EndOfStreamJson(uint64_t count, bool complete) {
  return {{"end", true}, {"count", count}, {"complete", complete}};
}

Json DatabaseJson(const LsmReport& report) {
  Json families = Json::array();
  for (const FamilyReport& family : report.families) families.push_back(FamilyJson(family));
  Json wals = Json::array();
  for (const WalFileReport& wal : report.wals) {
    wals.push_back({{"id", std::to_string(wal.number)}, {"size", wal.size}, {"live", wal.live}});
  }
  return {{"schema", "varve.db/1"},
          {"as_of",
           {{"edit", std::to_string(report.manifest_edits)},
            {"seq", std::to_string(report.last_sequence)},
            {"live", false}}},
          {"exact", true},
          {"db",
           {{"path", report.path},
            {"kind", report.leveldb ? "leveldb" : "rocksdb"},
            {"id", report.db_id},
            {"manifest", report.manifest},
            {"manifest_bytes", report.manifest_bytes},
            {"next_file_number", std::to_string(report.next_file_number)},
            {"cfs", std::move(families)},
            {"wals", std::move(wals)},
            {"orphans", report.orphans},
            {"missing", report.missing}}}};
}

Json FileJson(const TableReport& report) {
  Json metaindex = Json::object();
  for (const auto& [name, handle] : report.metaindex_entries) metaindex[name] = HandleJson(handle);
  Json properties = Json::array();
  for (const TableReport::Property& property : report.properties) {
    properties.push_back(
        {{"name", property.name}, {"raw", BytesJson(property.raw)}, {"decoded", property.text}});
  }
  Json file = {{"name", report.path},
               {"size", report.size},
               {"table_type", report.table_type},
               {"format_version", report.format_version},
               {"leveldb", report.leveldb},
               {"checksum", report.checksum},
               {"base_context_checksum", Hex(report.base_context_checksum)},
               {"comparator", report.comparator},
               {"codec", report.codec},
               {"entries", report.entries},
               {"deletions", report.deletions},
               {"range_deletions", report.range_deletions},
               {"merges", report.merges},
               {"data_blocks", report.data_blocks},
               {"raw_key_bytes", report.raw_key_bytes},
               {"raw_value_bytes", report.raw_value_bytes},
               {"data_bytes", report.data_bytes},
               {"unique_id", report.unique_id}};
  if (report.smallest) file["smallest"] = BoundJson(*report.smallest);
  if (report.largest) file["largest"] = BoundJson(*report.largest);
  if (report.global_seqno) file["global_seqno"] = std::to_string(*report.global_seqno);
  file["index"] = {{"kind", report.index_kind},
                   {"partitions", report.index_partitions},
                   {"bytes", report.index_bytes},
                   {"user_keys", report.index_keys_are_user_keys},
                   {"delta_values", report.index_values_are_deltas},
                   {"handle", HandleJson(report.index)}};
  file["filter"] = {{"kind", report.filter_kind},
                    {"partitioned", report.filter_partitioned},
                    {"bytes", report.filter_bytes}};
  file["metaindex"] = {{"handle", HandleJson(report.metaindex)}, {"entries", std::move(metaindex)}};
  file["properties"] = std::move(properties);
  file["warnings"] = report.warnings;
  return {{"schema", "varve.file/1"}, {"exact", true}, {"file", std::move(file)}};
}

Json VerifyJson(const VerifyReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(FindingJson(finding));
  return {{"schema", "varve.verify/1"},
          {"clean", report.clean()},
          {"files", report.files},
          {"blocks", report.blocks},
          {"bytes", report.bytes},
          {"entries", report.entries},
          {"wal_records", report.wal_records},
          {"findings", std::move(findings)}};
}

Json ProblemJson(const Status& status, int exit_code) {
  const ProblemKind kind = KindOf(status.code());
  return {{"type", "/problems/" + std::string(kind.code)},
          {"title", std::string(kind.title)},
          {"status", kind.http},
          {"code", std::string(kind.code)},
          {"exit_code", exit_code},
          {"detail", std::string(status.message())},
          {"retryable", kind.retryable}};
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace varve::api
