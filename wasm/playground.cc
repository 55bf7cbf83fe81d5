// SPDX-License-Identifier: Apache-2.0
#include "wasm/playground.h"

#include "core/base/options/grades.h"
#include "core/base/try.h"
#include "core/engine/open/open_graded.h"
#include "varve/option_table.h"
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

Status Playground::Apply(WriteBatch batch) {
  TheExecutor().HoldCompactions(true);
  Status written = db_->Write({.no_slowdown = true}, std::move(batch));
  TheExecutor().HoldCompactions(false);
  return written;
}

bool Playground::Step() { return TheExecutor().RunOneWhileWaiting(); }

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
