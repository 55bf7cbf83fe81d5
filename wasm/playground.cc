// SPDX-License-Identifier: Apache-2.0
#include "wasm/playground.h"

#include <algorithm>

#include "core/base/options/grades.h"
#include "core/base/try.h"
#include "core/engine/open/open_graded.h"
#include "core/repair/database_repair.h"
#include "varve/option_table.h"
#include "varve/sst_file_writer.h"
#include "varve/write_batch.h"
#include "wasm/environment.h"

namespace varve::wasm {
namespace {

// NAME=VALUE lines: options, and grades.
Status SetAll(const std::string& lines, Options* options, Grades* grades) {
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string line = lines.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    const GradeRow* const grade = FindGrade(line.substr(0, equals));
    if (grade != nullptr && equals != std::string::npos) {
      RETURN_IF_ERROR(
          grade->set(grades, std::string_view(line).substr(equals + 1)).At(grade->name));
      continue;
    }
    const OptionRow* row = FindOption(line.substr(0, equals));
    if (row == nullptr || equals == std::string::npos) {
      return Status::InvalidArgument(line + ": there is no such option");
    }
    RETURN_IF_ERROR(row->set(options, std::string_view(line).substr(equals + 1)));
  }
  return ValidateOptions(*options);
}

}  // namespace

Result<std::unique_ptr<Playground>> Playground::Open(const Environment& environment,
                                                     const std::string& path,
                                                     const std::string& lines) {
  Options options;
  options.env = environment;
  options.create_if_missing = true;
  options.block_cache_bytes = 8 << 20;
  Grades grades;
  RETURN_IF_ERROR(SetAll(lines, &options, &grades));
  ASSIGN_OR_RETURN(std::unique_ptr<DB> db, OpenGraded(options, grades, path));
  return std::unique_ptr<Playground>(new Playground(path, std::move(db), *environment.clock));
}

Result<ColumnFamilyId> Playground::FamilyOf(std::string_view name) const {
  if (const auto id = db_->FindFamily(name)) return *id;
  return Status::InvalidArgument(std::string(name) + ": there is no such column family");
}

Status Playground::Write(const Change& change) {
  ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyOf(change.family));
  WriteBatch batch;
  if (change.kind == "put") {
    batch.Put(change.key, change.value, family);
  } else if (change.kind == "delete") {
    batch.Delete(change.key, family);
  } else if (change.kind == "single_delete") {
    batch.SingleDelete(change.key, family);
  } else if (change.kind == "merge") {
    batch.Merge(change.key, change.value, family);
  } else if (change.kind == "range_delete") {
    batch.DeleteRange(change.key, change.value, family);
  } else {
    return Status::InvalidArgument(std::string(change.kind) + ": there is no such change");
  }
  TheExecutor().HoldCompactions(true);
  Status written = db_->Write({.no_slowdown = true}, std::move(batch));
  TheExecutor().HoldCompactions(false);
  return written;
}

Status Playground::CreateFamily(const std::string& name) {
  ASSIGN_OR_RETURN(const ColumnFamilyOptions options, db_->OptionsOf());
  return db_->CreateColumnFamily(name, options).status();
}

Status Playground::Ingest(
    std::string_view family,
    const std::vector<std::pair<std::string_view, std::string_view>>& records) {
  ASSIGN_OR_RETURN(const ColumnFamilyId id, FamilyOf(family));
  ASSIGN_OR_RETURN(const ColumnFamilyOptions options, db_->OptionsOf(id));
  const std::string table = path_ + ".ingested.sst";  // Not one of the database yet.
  ASSIGN_OR_RETURN(SstFileWriter writer,
                   SstFileWriter::Create(NativeEnvironment(), options, table));
  for (const auto& [key, value] : records) RETURN_IF_ERROR(writer.Put(key, value));
  RETURN_IF_ERROR(writer.Finish());
  return db_->Ingest({.move_files = true}, {table}, id);
}

Sequence Playground::TakeSnapshot() {
  Snapshot taken = db_->GetSnapshot();
  const Sequence sequence = taken.sequence();
  snapshots_.emplace(sequence, std::move(taken));
  return sequence;
}

bool Playground::Step() { return TheExecutor().RunOneWhileWaiting(); }

void Playground::ReleaseSnapshot(Sequence sequence) {
  const auto it = snapshots_.find(sequence);
  if (it != snapshots_.end()) snapshots_.erase(it);
}

Status Playground::Close() {
  snapshots_.clear();
  return db_->Close();
}

Status FilesGiven::Add(const Environment& environment, const std::string& path,
                       const std::string& name, uint64_t offset, std::string_view bytes) {
  if (offset == 0) {
    RETURN_IF_ERROR(Close());
    FileSystem& fs = *environment.file_system;
    if (!fs.Exists(path)) RETURN_IF_ERROR(fs.CreateDirectory(path));
    ASSIGN_OR_RETURN(file_, fs.Create(path + "/" + name, false));
    name_ = name;
  } else if (file_ == nullptr || name != name_ || offset != file_->size()) {
    return Status::InvalidArgument(name + "@" + std::to_string(offset) +
                                   ": this is not where the last piece ended");
  }
  return file_->Append(bytes);
}

Status FilesGiven::Close() {
  if (file_ == nullptr) return Status::Ok();
  const std::unique_ptr<WritableFile> file = std::move(file_);
  RETURN_IF_ERROR(file->Sync());
  return file->Close();
}

Result<std::string> ReadPlaygroundFile(const Environment& environment, const std::string& path,
                                       uint64_t offset, uint32_t size) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RandomAccessFile> file,
                   environment.file_system->OpenForRead(path, false));
  ASSIGN_OR_RETURN(const uint64_t whole, file->Size());
  std::string bytes(std::min<uint64_t>(size, whole - std::min(whole, offset)), '\0');
  ASSIGN_OR_RETURN(const std::string_view read, file->Read(offset, bytes.size(), bytes.data()));
  // What the file owns lies elsewhere.
  if (read.data() != bytes.data()) return std::string(read);
  bytes.resize(read.size());
  return bytes;
}

Result<std::string> RepairPlayground(const Environment& environment, const std::string& path,
                                     const std::string& destination) {
  ASSIGN_OR_RETURN(const RepairReport report, RepairDatabase(environment, path, destination, {}));
  size_t whole = 0, salvaged = 0, lost = 0;
  for (const RepairTable& table : report.tables) {
    whole += table.fate == RepairTable::Fate::kKept ? 1 : 0;
    salvaged += table.fate == RepairTable::Fate::kSalvaged ? 1 : 0;
    lost += table.fate == RepairTable::Fate::kLost ? 1 : 0;
  }
  return "tables: " + std::to_string(whole) + " whole, " + std::to_string(salvaged) +
         " salvaged, " + std::to_string(lost) + " lost; " + std::to_string(report.entries) +
         " entries in them";
}

Status RemovePlayground(const Environment& environment, const std::string& path) {
  FileSystem& fs = *environment.file_system;
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(path));
  for (const DirectoryEntry& entry : entries) {
    const std::string below = path + "/" + entry.name;
    RETURN_IF_ERROR(entry.is_directory ? RemovePlayground(environment, below) : fs.Remove(below));
  }
  return fs.RemoveDirectory(path);
}

}  // namespace varve::wasm
