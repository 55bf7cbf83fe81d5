// SPDX-License-Identifier: Apache-2.0
// The functions of c.h about options that are plain structs, generated: rocksdb_HANDLE_create(),
// _destroy(), _set_NAME() and _get_NAME() for the member NAME of rocksdb_HANDLE_t.
#pragma once

#define VARVE_C_LIFE(Handle)                                                             \
  rocksdb_##Handle##_t* rocksdb_##Handle##_create() { return new rocksdb_##Handle##_t; } \
  void rocksdb_##Handle##_destroy(rocksdb_##Handle##_t* options) { delete options; }
#define VARVE_C_SETTER(Handle, name, Type)                                        \
  void rocksdb_##Handle##_set_##name(rocksdb_##Handle##_t* options, Type value) { \
    options->name = value;                                                        \
  }
#define VARVE_C_PAIR(Handle, name, Type) \
  VARVE_C_SETTER(Handle, name, Type)     \
  Type rocksdb_##Handle##_get_##name(rocksdb_##Handle##_t* options) { return options->name; }
// Accepted, and without effect.
#define VARVE_C_HINT(Handle, name, Type) \
  void rocksdb_##Handle##_set_##name(rocksdb_##Handle##_t* /*options*/, Type /*value*/) {}
