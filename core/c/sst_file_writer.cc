// SPDX-License-Identifier: Apache-2.0
// Tables made outside of a database.
#include "varve/sst_file_writer.h"

#include "core/base/try.h"
#include "core/c/callbacks.h"
#include "core/c/error.h"
#include "core/c/handles.h"

using varve::Status;
using varve::c::SaveError;
using varve::c::View;

struct rocksdb_sstfilewriter_t {
  rocksdb_options_t options;
  std::optional<varve::SstFileWriter> writer = {};

  Status Open(const std::string& path) {
    options.wal_dir.clear();  // Tables have no log.
    varve::Options unused;    // Says what is refused.
    RETURN_IF_ERROR(varve::c::ToEngine(options, "", &unused));
    ASSIGN_OR_RETURN(const auto family, varve::c::FamilyToEngine(options));
    auto created = varve::SstFileWriter::Create(options.env, family, path);
    if (!created.ok()) return varve::c::IoErrorIfMissing(created.status());
    writer = *std::move(created);
    return Status::Ok();
  }

  // Calls a function of the writer, if there is one.
  template <typename Change>
  void Apply(char** errptr, Change change) {
    SaveError(errptr, writer ? change(*writer) : Status::InvalidArgument("File is not opened"));
  }
};

using Writer = rocksdb_sstfilewriter_t;

extern "C" {

Writer* rocksdb_sstfilewriter_create(const rocksdb_envoptions_t* /*env*/,
                                     const rocksdb_options_t* options) {
  return new Writer{*options};
}

Writer* rocksdb_sstfilewriter_create_with_comparator(const rocksdb_envoptions_t* /*env*/,
                                                     const rocksdb_options_t* options,
                                                     const rocksdb_comparator_t* comparator) {
  Writer* const writer = new Writer{*options};
  writer->options.comparator = comparator;
  return writer;
}

void rocksdb_sstfilewriter_destroy(Writer* writer) { delete writer; }

void rocksdb_sstfilewriter_open(Writer* writer, const char* path, char** errptr) {
  SaveError(errptr, writer->Open(path));
}

void rocksdb_sstfilewriter_add(Writer* writer, const char* key, size_t key_size, const char* value,
                               size_t value_size, char** errptr) {
  writer->Apply(errptr, [&](varve::SstFileWriter& to) {
    return to.Put(View(key, key_size), View(value, value_size));
  });
}

void rocksdb_sstfilewriter_put(Writer* writer, const char* key, size_t key_size, const char* value,
                               size_t value_size, char** errptr) {
  rocksdb_sstfilewriter_add(writer, key, key_size, value, value_size, errptr);
}

void rocksdb_sstfilewriter_merge(Writer* writer, const char* key, size_t key_size,
                                 const char* operand, size_t operand_size, char** errptr) {
  writer->Apply(errptr, [&](varve::SstFileWriter& to) {
    return to.Merge(View(key, key_size), View(operand, operand_size));
  });
}

void rocksdb_sstfilewriter_put_with_ts(Writer* writer, const char* key, size_t key_size,
                                       const char* timestamp, size_t timestamp_size,
                                       const char* value, size_t value_size, char** errptr) {
  writer->Apply(errptr, [&](varve::SstFileWriter& to) {
    return to.PutAt(View(key, key_size), View(timestamp, timestamp_size), View(value, value_size));
  });
}

void rocksdb_sstfilewriter_delete_with_ts(Writer* writer, const char* key, size_t key_size,
                                          const char* timestamp, size_t timestamp_size,
                                          char** errptr) {
  writer->Apply(errptr, [&](varve::SstFileWriter& to) {
    return to.DeleteAt(View(key, key_size), View(timestamp, timestamp_size));
  });
}

void rocksdb_sstfilewriter_delete(Writer* writer, const char* key, size_t key_size, char** errptr) {
  writer->Apply(errptr, [&](varve::SstFileWriter& to) { return to.Delete(View(key, key_size)); });
}

void rocksdb_sstfilewriter_delete_range(Writer* writer, const char* begin, size_t begin_size,
                                        const char* end, size_t end_size, char** errptr) {
  writer->Apply(errptr, [&](varve::SstFileWriter& to) {
    return to.DeleteRange(View(begin, begin_size), View(end, end_size));
  });
}

void rocksdb_sstfilewriter_finish(Writer* writer, char** errptr) {
  writer->Apply(errptr, [&](varve::SstFileWriter& to) { return to.Finish(); });
}

void rocksdb_sstfilewriter_file_size(Writer* writer, uint64_t* size) {
  *size = writer->writer ? writer->writer->file_size() : 0;
}

}  // extern "C"
