// SPDX-License-Identifier: Apache-2.0
// A comparator, and a merge operator whose results have an allocator of their own.
#include <stdint.h>

#include "steps.h"

static int destroyed = 0;
static void Destroy(void* state) { destroyed += *(int*)state; }

static int CompareBackwards(void* state, const char* a, size_t a_size, const char* b,
                            size_t b_size) {
  (void)state;
  const size_t size = a_size < b_size ? a_size : b_size;
  const int order = memcmp(a, b, size);
  if (order != 0) return order < 0 ? 1 : -1;
  return a_size < b_size ? 1 : a_size > b_size ? -1 : 0;
}
static const char* ComparatorName(void* state) {
  (void)state;
  return "test.Backwards";
}

static int alive = 0;
static char* NewResult(size_t size) {
  ++alive;
  return malloc(size);
}
static void DeleteResult(void* state, const char* value, size_t size) {
  (void)state;
  (void)size;
  if (value == NULL) return;
  --alive;
  free((void*)(uintptr_t)value);
}

// Joins operands with '+'; an operand "!" cannot be merged.
static char* Join(const char* base, size_t base_size, const char* const* operands,
                  const size_t* sizes, int count, unsigned char* success, size_t* size) {
  size_t room = base_size + 1;
  for (int i = 0; i < count; ++i) {
    if (sizes[i] == 1 && operands[i][0] == '!') {
      *success = 0;
      *size = 0;
      return NULL;
    }
    room += sizes[i] + 1;
  }
  char* const result = NewResult(room);
  size_t at = 0;
  if (base != NULL) {
    memcpy(result, base, base_size);
    at = base_size;
  }
  for (int i = 0; i < count; ++i) {
    if (base != NULL || i > 0) result[at++] = '+';
    memcpy(result + at, operands[i], sizes[i]);
    at += sizes[i];
  }
  *success = 1;
  *size = at;
  return result;
}
static char* FullMerge(void* state, const char* key, size_t key_size, const char* base,
                       size_t base_size, const char* const* operands, const size_t* sizes,
                       int count, unsigned char* success, size_t* size) {
  (void)state;
  (void)key;
  (void)key_size;
  return Join(base, base_size, operands, sizes, count, success, size);
}
static char* PartialMerge(void* state, const char* key, size_t key_size,
                          const char* const* operands, const size_t* sizes, int count,
                          unsigned char* success, size_t* size) {
  (void)state;
  (void)key;
  (void)key_size;
  return Join(NULL, 0, operands, sizes, count, success, size);
}
static const char* MergeName(void* state) {
  (void)state;
  return "test.Join";
}

static void Merge(Fixture* f, const char* key, const char* operand) {
  rocksdb_merge(f->db, f->write, key, strlen(key), operand, strlen(operand), &f->error);
  MustBeOk("merge", f->error);
}

void CallbacksStep(const char* directory) {
  static int one = 1, hundred = 100;
  rocksdb_comparator_t* const comparator =
      rocksdb_comparator_create(&one, Destroy, CompareBackwards, ComparatorName);
  Fixture f = {rocksdb_options_create(), rocksdb_readoptions_create(),
               rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(f.options, 1);
  rocksdb_options_set_comparator(f.options, comparator);
  rocksdb_options_set_merge_operator(
      f.options, rocksdb_mergeoperator_create(&hundred, Destroy, FullMerge, PartialMerge,
                                              DeleteResult, MergeName));
  f.db = rocksdb_open(f.options, directory, &f.error);
  MustBeOk("open", f.error);
  Put(&f, "a", "1");
  Put(&f, "b", "2");
  Merge(&f, "b", "x");
  Merge(&f, "b", "y");
  Merge(&f, "c", "alone");
  PrintAll(&f);
  Reopen(&f, directory);
  Merge(&f, "b", "z");
  rocksdb_compact_range(f.db, NULL, 0, NULL, 0);
  PrintAll(&f);
  Merge(&f, "d", "!");
  size_t size = 7;
  char* const value = rocksdb_get(f.db, f.read, "d", 1, &size, &f.error);
  printf("%s, %d\n", value == NULL ? "null" : "bytes", (int)size);
  Outcome("a merge that fails", &f.error);
  rocksdb_close(f.db);
  printf("results alive: %d, destroyed: %d\n", alive, destroyed);
  rocksdb_options_t* const bytewise = rocksdb_options_create();
  f.db = rocksdb_open(bytewise, directory, &f.error);
  printf("another comparator: %s\n", f.db == NULL ? "null" : "open");
  printf("%s\n", f.error);  // In RocksDB's words.
  Outcome("open", &f.error);
  rocksdb_options_destroy(bytewise);
  rocksdb_options_t* const copy = rocksdb_options_create_copy(f.options);
  rocksdb_options_destroy(f.options);
  printf("destroyed while a copy has it: %d\n", destroyed);
  f.options = copy;
  f.db = rocksdb_open(f.options, directory, &f.error);
  MustBeOk("open with the copy", f.error);
  PrintValue(&f, "b");
  Closed(&f);
  rocksdb_comparator_destroy(comparator);
  printf("destroyed: %d\n", destroyed);
}
