// SPDX-License-Identifier: Apache-2.0
// Options from text: from a string, and from the OPTIONS file of a database.
#include <vector>

#include "core/base/try.h"
#include "core/c/error.h"
#include "core/c/option_handles.h"
#include "core/version/kept_options_files.h"
#include "varve/environment.h"

using varve::c::CopyText;

namespace varve::c {
namespace {

// Names that c.h has no functions for change nothing.
Status SetAll(const OptionsSection& section, rocksdb_options_t* options) {
  for (const auto& [name, value] : section.values) {
    const Status set = SetByName(name, value, options);
    if (!set.ok() && set.code() != Code::kNotFound) return set;
  }
  return Status::Ok();
}

Status SetTable(const OptionsFile& file, const std::string& family, rocksdb_options_t* options) {
  const OptionsSection* const section = file.Find(kTableSection, family);
  if (section == nullptr) return Status::Ok();
  std::string members;
  for (const auto& [name, value] : section->values) {
    members.append(name).append("=").append(value).append(";");
  }
  return SetByName("block_based_table_factory", "{" + members + "}", options);
}

struct LoadedOptions {
  std::unique_ptr<rocksdb_options_t> database = std::make_unique<rocksdb_options_t>();
  std::vector<std::string> names;
  std::vector<std::unique_ptr<rocksdb_options_t>> families;
};

Result<LoadedOptions> Load(FileSystem& fs, const std::string& path, rocksdb_cache_t* /*cache*/) {
  const KeptOptionsFiles files = ReadKeptOptionsFiles(fs, path);
  if (files.name.empty()) {
    RETURN_IF_ERROR(files.failure);
    return Status::NotFound("No options files found in the DB directory.");
  }
  LoadedOptions loaded;
  for (const OptionsSection& section : files.newest.sections) {
    if (section.kind == kDatabaseSection) RETURN_IF_ERROR(SetAll(section, loaded.database.get()));
    if (section.kind != kFamilySection) continue;
    loaded.names.push_back(section.family);
    auto& family = loaded.families.emplace_back(std::make_unique<rocksdb_options_t>());
    RETURN_IF_ERROR(SetAll(section, family.get()));
    RETURN_IF_ERROR(SetTable(files.newest, section.family, family.get()));
  }
  return loaded;
}

}  // namespace
}  // namespace varve::c

extern "C" {

void rocksdb_get_options_from_string(const rocksdb_options_t* base_options, const char* text,
                                     rocksdb_options_t* new_options, char** errptr) {
  rocksdb_options_t changed = *base_options;
  varve::Status status = varve::c::SetManyByName(text, &changed);
  if (status.code() == varve::Code::kNotFound) {
    status = varve::Status::InvalidArgument(std::string(status.message()));
  }
  *new_options = varve::c::SaveError(errptr, status) ? *base_options : changed;
}

void rocksdb_load_latest_options(const char* path, rocksdb_env_t* env,
                                 bool /*ignore_unknown_options*/, rocksdb_cache_t* cache,
                                 rocksdb_options_t** db_options, size_t* num_column_families,
                                 char*** column_family_names,
                                 rocksdb_options_t*** column_family_options, char** errptr) {
  varve::FileSystem* fs = env == nullptr ? nullptr : env->env.file_system;
  if (fs == nullptr) fs = varve::NativeEnvironment().file_system;
  auto loaded = varve::c::Load(*fs, path, cache);
  if (varve::c::SaveError(errptr, loaded.status())) {
    *db_options = nullptr;
    *num_column_families = 0;
    *column_family_names = nullptr;
    *column_family_options = nullptr;
    return;
  }
  const size_t count = loaded->names.size();
  *db_options = loaded->database.release();
  *num_column_families = count;
  *column_family_names = static_cast<char**>(malloc(count * sizeof(char*)));
  *column_family_options =
      static_cast<rocksdb_options_t**>(malloc(count * sizeof(rocksdb_options_t*)));
  for (size_t i = 0; i < count; ++i) {
    (*column_family_names)[i] = CopyText(loaded->names[i]);
    (*column_family_options)[i] = loaded->families[i].release();
  }
}

void rocksdb_load_latest_options_destroy(rocksdb_options_t* db_options, char** names,
                                         rocksdb_options_t** families, size_t count) {
  delete db_options;
  for (size_t i = 0; i < count; ++i) {
    if (names != nullptr) free(names[i]);
    if (families != nullptr) delete families[i];
  }
  free(names);
  free(families);
}

}  // extern "C"
