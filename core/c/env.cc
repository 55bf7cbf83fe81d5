// SPDX-License-Identifier: Apache-2.0
// Environments. Numbers of threads are hints: the engine's pool has as many as the machine.
#include <algorithm>

#include "core/c/error.h"
#include "core/c/open.h"
#include "core/fs/memory_fs.h"

using Env = rocksdb_env_t;

namespace {

// RocksDB keeps only what is not negative.
void Set(int value, int* field) { *field = std::max(value, 0); }

}  // namespace

extern "C" {

Env* rocksdb_create_default_env() { return new Env; }

// Its databases are gone with it.
Env* rocksdb_create_mem_env() {
  auto env = std::make_unique<Env>();
  env->memory = varve::NewMemoryFileSystem();
  env->env.file_system = env->memory.get();
  return env.release();
}

void rocksdb_env_destroy(Env* env) { delete env; }

void rocksdb_env_set_background_threads(Env* env, int n) { Set(n, &env->background_threads); }
int rocksdb_env_get_background_threads(Env* env) { return env->background_threads; }
void rocksdb_env_set_high_priority_background_threads(Env* env, int n) {
  Set(n, &env->high_priority_threads);
}
int rocksdb_env_get_high_priority_background_threads(Env* env) {
  return env->high_priority_threads;
}
void rocksdb_env_set_low_priority_background_threads(Env* env, int n) {
  Set(n, &env->low_priority_threads);
}
int rocksdb_env_get_low_priority_background_threads(Env* env) { return env->low_priority_threads; }
void rocksdb_env_set_bottom_priority_background_threads(Env* env, int n) {
  Set(n, &env->bottom_priority_threads);
}
int rocksdb_env_get_bottom_priority_background_threads(Env* env) {
  return env->bottom_priority_threads;
}
void rocksdb_env_join_all_threads(Env* /*env*/) {}
void rocksdb_env_lower_thread_pool_io_priority(Env* /*env*/) {}
void rocksdb_env_lower_high_priority_thread_pool_io_priority(Env* /*env*/) {}
void rocksdb_env_lower_thread_pool_cpu_priority(Env* /*env*/) {}
void rocksdb_env_lower_high_priority_thread_pool_cpu_priority(Env* /*env*/) {}

void rocksdb_create_dir_if_missing(Env* env, const char* path, char** errptr) {
  varve::c::SaveError(errptr, varve::c::FileSystemOf(env->env).CreateDirectory(path));
}

rocksdb_envoptions_t* rocksdb_envoptions_create() { return new rocksdb_envoptions_t; }
void rocksdb_envoptions_destroy(rocksdb_envoptions_t* options) { delete options; }

}  // extern "C"
