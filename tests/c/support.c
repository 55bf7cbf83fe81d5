// SPDX-License-Identifier: Apache-2.0
#include "steps.h"

Fixture Opened(const char* directory) {
  Fixture fixture = {rocksdb_options_create(), rocksdb_readoptions_create(),
                     rocksdb_writeoptions_create(), NULL, NULL};
  rocksdb_options_set_create_if_missing(fixture.options, 1);
  fixture.db = rocksdb_open(fixture.options, directory, &fixture.error);
  MustBeOk("open", fixture.error);
  return fixture;
}

void Reopen(Fixture* fixture, const char* directory) {
  rocksdb_close(fixture->db);
  fixture->db = rocksdb_open(fixture->options, directory, &fixture->error);
  MustBeOk("reopen", fixture->error);
}

void Closed(Fixture* fixture) {
  rocksdb_close(fixture->db);
  rocksdb_writeoptions_destroy(fixture->write);
  rocksdb_readoptions_destroy(fixture->read);
  rocksdb_options_destroy(fixture->options);
}

void Outcome(const char* what, char** error) {
  if (*error == NULL) {
    printf("%s: ok\n", what);
    return;
  }
  char* const colon = strchr(*error, ':');
  printf("%s: %.*s\n", what, (int)(colon == NULL ? strlen(*error) : (size_t)(colon - *error)),
         *error);
  rocksdb_free(*error);
  *error = NULL;
}

void MustBeOk(const char* what, char* error) {
  if (error == NULL) return;
  printf("%s failed: %s\n", what, error);
  exit(1);
}

void Put(Fixture* fixture, const char* key, const char* value) {
  rocksdb_put(fixture->db, fixture->write, key, strlen(key), value, strlen(value), &fixture->error);
  MustBeOk("put", fixture->error);
}

void PrintBytes(const char* bytes, size_t size) { printf("%.*s", (int)size, bytes); }

void PrintValue(Fixture* fixture, const char* key) {
  size_t size = 0;
  char* const value =
      rocksdb_get(fixture->db, fixture->read, key, strlen(key), &size, &fixture->error);
  MustBeOk("get", fixture->error);
  if (value == NULL) {
    printf("%s is absent\n", key);
    return;
  }
  printf("%s=", key);
  PrintBytes(value, size);
  printf("\n");
  rocksdb_free(value);
}

void PrintAnswer(const char* key, char* value, size_t size, char** error) {
  Outcome(key, error);
  if (value == NULL) return;
  printf("  =");
  PrintBytes(value, size);
  printf("\n");
  rocksdb_free(value);
}

void PrintForward(rocksdb_iterator_t* iterator) {
  for (; rocksdb_iter_valid(iterator); rocksdb_iter_next(iterator)) {
    size_t key_size = 0, value_size = 0;
    const char* const key = rocksdb_iter_key(iterator, &key_size);
    const char* const value = rocksdb_iter_value(iterator, &value_size);
    printf("  ");
    PrintBytes(key, key_size);
    printf("=");
    PrintBytes(value, value_size);
    printf("\n");
  }
  char* error = NULL;
  rocksdb_iter_get_error(iterator, &error);
  Outcome("  end", &error);
}

void PrintAll(Fixture* fixture) {
  rocksdb_iterator_t* const iterator = rocksdb_create_iterator(fixture->db, fixture->read);
  rocksdb_iter_seek_to_first(iterator);
  PrintForward(iterator);
  rocksdb_iter_destroy(iterator);
}
