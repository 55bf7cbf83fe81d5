// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "cli/ldb/file_text.h"
#include "cli/ldb/text.h"
#include "core/base/try.h"
#include "core/inspect/wal/wal_report.h"

namespace varve::cli::ldb {
namespace {

struct OperationWord {
  std::string_view type;  // WalOperation::type
  std::string_view word;
};
constexpr OperationWord kChanges[] = {
    {"put", "PUT"},
    {"merge", "MERGE"},
    {"delete", "DELETE"},
    {"single_delete", "SINGLE_DELETE"},
    {"range_delete", "DELETE_RANGE"},
    {"blob_index", "BLOB_INDEX"},
    {"wide_columns", "PUT_ENTITY"},
    {"put_with_time", "PUT"},
};
constexpr OperationWord kMarks[] = {
    {"noop", "NOOP "},
    {"begin_prepare", "BEGIN_PREPARE(false) "},
    {"begin_persisted_prepare", "BEGIN_PREPARE(false) "},
    {"begin_unprepare", "BEGIN_PREPARE(true) "},
};
constexpr OperationWord kNamed[] = {
    {"end_prepare", "END_PREPARE"},
    {"commit", "COMMIT"},
    {"commit_with_timestamp", "COMMIT_WITH_TIMESTAMP"},
    {"rollback", "ROLLBACK"},
};

template <size_t size>
std::string_view WordOf(const OperationWord (&words)[size], std::string_view type) {
  for (const OperationWord& row : words) {
    if (row.type == type) return row.word;
  }
  return {};
}

std::string OperationText(const WalOperation& operation, bool values) {
  if (const std::string_view mark = WordOf(kMarks, operation.type); !mark.empty()) {
    return std::string(mark);
  }
  if (const std::string_view word = WordOf(kNamed, operation.type); !word.empty()) {
    const std::string more =
        operation.type == "commit_with_timestamp" ? ", " + HexWord(operation.value) : "";
    return std::string(word) + "(" + HexWord(operation.key) + more + ") ";
  }
  const std::string_view word = WordOf(kChanges, operation.type);
  if (word.empty()) return "";  // log_data
  std::string text =
      std::string(word) + "(" + std::to_string(operation.family) + ") : " + HexWord(operation.key);
  const std::string value = HexWord(operation.value);
  if (operation.type == "range_delete") {
    text += " " + value;
  } else if (values && !operation.type.ends_with("delete")) {
    text += " : " + value;
  }
  return text + " ";
}

// Of "000012.log"; 0 if there is none.
FileNumber NumberIn(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  FileNumber number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && std::string_view(end) == ".log" ? number : 0;
}

}  // namespace

Status PrintWal(Call& call, const std::string& path, const WalForm& form) {
  Result<WalStream> log = WalStream::Open(call.file_system(), path, NumberIn(path), {});
  if (!log.ok()) return Failed("Failed to open WAL file ", log.status());
  if (form.header) {
    call.Print(std::string("Sequence,Count,ByteSize,Physical Offset,Key(s)") +
               (form.values ? " : value " : "") + "\n");
  }
  WalRecord record;
  while (log->Next(&record)) {
    if (!record.damage.empty()) {
      if (!record.unfinished) {
        call.Say("Corruption detected in log file Corruption: " + record.damage);
      }
      continue;
    }
    call.Print(std::to_string(record.sequence) + "," + std::to_string(record.count) + "," +
               std::to_string(record.batch_bytes) + "," + std::to_string(record.offset) + ",");
    for (const WalOperation& operation : record.operations) {
      call.Print(OperationText(operation, form.values));
    }
    call.Print("\n");
  }
  return log->status().ok() ? Status::Ok() : Failed("", log->status());
}

}  // namespace varve::cli::ldb
