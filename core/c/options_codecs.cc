// SPDX-License-Identifier: Apache-2.0
// Which codec compresses what, and how.
#include "core/c/option_handles.h"

extern "C" {

void rocksdb_options_set_compression_per_level(rocksdb_options_t* options, const int* levels,
                                               size_t num_levels) {
  options->compression_per_level.assign(levels, levels + num_levels);
}

void rocksdb_options_set_min_level_to_compress(rocksdb_options_t* options, int level) {
  if (level < 0) return;
  options->compression_per_level.assign(static_cast<size_t>(options->values.num_levels),
                                        options->values.compression);
  for (int i = 0; i < level && i < options->values.num_levels; ++i) {
    options->compression_per_level[static_cast<size_t>(i)] = 0;
  }
}

// Window and strategy are zlib's own; the engine has them fixed.
void rocksdb_options_set_compression_options(rocksdb_options_t* options, int /*window_bits*/,
                                             int level, int /*strategy*/, int max_dict_bytes) {
  options->compression_options.level = level;
  options->compression_options.max_dict_bytes = max_dict_bytes;
}

void rocksdb_options_set_bottommost_compression_options(rocksdb_options_t* options,
                                                        int /*window_bits*/, int level,
                                                        int /*strategy*/, int max_dict_bytes,
                                                        unsigned char enabled) {
  varve::c::CodecOptions& codec = options->bottommost_compression_options;
  codec.level = level;
  codec.max_dict_bytes = max_dict_bytes;
  codec.enabled = enabled != 0;
}

void rocksdb_options_set_bottommost_compression_options_zstd_max_train_bytes(
    rocksdb_options_t* options, int zstd_max_train_bytes, unsigned char enabled) {
  options->bottommost_compression_options.zstd_max_train_bytes = zstd_max_train_bytes;
  options->bottommost_compression_options.enabled = enabled != 0;
}

void rocksdb_options_set_bottommost_compression_options_use_zstd_dict_trainer(
    rocksdb_options_t* options, unsigned char use_zstd_dict_trainer, unsigned char enabled) {
  options->bottommost_compression_options.use_zstd_dict_trainer = use_zstd_dict_trainer != 0;
  options->bottommost_compression_options.enabled = enabled != 0;
}

unsigned char rocksdb_options_get_bottommost_compression_options_use_zstd_dict_trainer(
    rocksdb_options_t* options) {
  return options->bottommost_compression_options.use_zstd_dict_trainer;
}

// A hint: how much is buffered while a dictionary is made.
void rocksdb_options_set_bottommost_compression_options_max_dict_buffer_bytes(
    rocksdb_options_t* options, uint64_t /*bytes*/, unsigned char enabled) {
  options->bottommost_compression_options.enabled = enabled != 0;
}

}  // extern "C"
