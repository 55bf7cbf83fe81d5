// SPDX-License-Identifier: Apache-2.0
#include "steps.h"

static void Seek(rocksdb_iterator_t* iterator, const char* key) {
  printf("from %s\n", key);
  rocksdb_iter_seek(iterator, key, strlen(key));
}

static void PrintPosition(rocksdb_iterator_t* iterator) {
  size_t size = 0;
  if (!rocksdb_iter_valid(iterator)) {
    printf("not valid\n");
    return;
  }
  const char* const key = rocksdb_iter_key(iterator, &size);
  PrintBytes(key, size);
  printf("\n");
}

static void Fill(Fixture* f) {
  static const char* const kKeys[] = {"aa1", "aa2", "ab1", "ab2", "ba1", "bb1", "bb2", "ca1"};
  for (size_t i = 0; i < sizeof(kKeys) / sizeof(kKeys[0]); ++i) Put(f, kKeys[i], kKeys[i] + 1);
}

void IteratorsStep(const char* directory) {
  Fixture f = Opened(directory);
  Fill(&f);
  rocksdb_iterator_t* iterator = rocksdb_create_iterator(f.db, f.read);
  PrintPosition(iterator);
  Seek(iterator, "ab");
  PrintForward(iterator);
  rocksdb_iter_seek_to_last(iterator);
  PrintPosition(iterator);
  rocksdb_iter_prev(iterator);
  PrintPosition(iterator);
  rocksdb_iter_seek_for_prev(iterator, "ab9", 3);
  PrintPosition(iterator);
  Seek(iterator, "zz");
  PrintPosition(iterator);
  rocksdb_iter_destroy(iterator);
  char lower[] = "ab", upper[] = "bb2";
  rocksdb_readoptions_set_iterate_lower_bound(f.read, lower, 2);
  rocksdb_readoptions_set_iterate_upper_bound(f.read, upper, 3);
  rocksdb_readoptions_set_readahead_size(f.read, 1 << 16);
  PrintAll(&f);
  iterator = rocksdb_create_iterator(f.db, f.read);
  rocksdb_iter_seek_to_last(iterator);
  PrintPosition(iterator);
  Seek(iterator, "a");
  PrintPosition(iterator);
  rocksdb_iter_prev(iterator);
  PrintPosition(iterator);
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_set_iterate_lower_bound(f.read, NULL, 0);
  rocksdb_readoptions_set_iterate_upper_bound(f.read, NULL, 0);
  PrintAll(&f);
  Closed(&f);
}

void PrefixStep(const char* directory) {
  Fixture f = Opened(directory);
  rocksdb_options_set_prefix_extractor(f.options, rocksdb_slicetransform_create_fixed_prefix(2));
  Reopen(&f, directory);
  Fill(&f);
  rocksdb_readoptions_set_prefix_same_as_start(f.read, 1);
  rocksdb_iterator_t* const iterator = rocksdb_create_iterator(f.db, f.read);
  Seek(iterator, "aa");
  PrintForward(iterator);
  Seek(iterator, "bb");
  PrintForward(iterator);
  Seek(iterator, "ab2");
  PrintForward(iterator);
  Seek(iterator, "ac");
  PrintForward(iterator);
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_set_prefix_same_as_start(f.read, 0);
  rocksdb_readoptions_set_total_order_seek(f.read, 1);
  PrintAll(&f);
  Closed(&f);
}

void TailingStep(const char* directory) {
  Fixture f = Opened(directory);
  Put(&f, "a", "1");
  rocksdb_iterator_t* const fixed = rocksdb_create_iterator(f.db, f.read);
  rocksdb_readoptions_set_tailing(f.read, 1);
  rocksdb_iterator_t* const tailing = rocksdb_create_iterator(f.db, f.read);
  Put(&f, "b", "2");
  rocksdb_iter_seek_to_first(fixed);
  PrintForward(fixed);
  rocksdb_iter_seek_to_first(tailing);
  PrintForward(tailing);
  rocksdb_iter_seek(tailing, "b", 1);
  Put(&f, "c", "3");
  PrintForward(tailing);  // It sees what is written while it is read.
  rocksdb_iter_destroy(tailing);
  rocksdb_iter_destroy(fixed);
  Closed(&f);
}
