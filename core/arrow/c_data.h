// SPDX-License-Identifier: Apache-2.0
// The structures of Arrow's C data and C stream interfaces, as Arrow publishes them to be copied:
// https://arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html. Their layout
// never changes. The guards are those of Arrow, so that this may be included beside other copies.
#pragma once

#include <cstdint>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);  // Null: it was released, or moved away.
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

}  // extern "C"

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

extern "C" {

struct ArrowArrayStream {
  // 0, or a code of errno. Whoever called releases what is in `out`.
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  // Behind the last array, out->release is null.
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  // Of the last call; valid until the next one.
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

#endif  // ARROW_C_STREAM_INTERFACE
