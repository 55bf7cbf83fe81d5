// SPDX-License-Identifier: Apache-2.0
// Transactions of both kinds.
#include <pthread.h>

#include "steps.h"

typedef rocksdb_transaction_t Txn;

// Both kinds of database, of which one is open.
typedef struct {
  Fixture f;  // Its database is not used.
  rocksdb_transactiondb_options_t* db_options;
  rocksdb_transaction_options_t* options;
  rocksdb_transactiondb_t* db;
  rocksdb_optimistictransaction_options_t* optimistic_options;
  rocksdb_optimistictransactiondb_t* optimistic_db;
} Space;

static Space OpenedSpace(const char* directory, int optimistic) {
  Space s = {{rocksdb_options_create(), rocksdb_readoptions_create(), rocksdb_writeoptions_create(),
              NULL, NULL},
             rocksdb_transactiondb_options_create(),
             rocksdb_transaction_options_create(),
             NULL,
             rocksdb_optimistictransaction_options_create(),
             NULL};
  rocksdb_options_set_create_if_missing(s.f.options, 1);
  rocksdb_options_set_uint64add_merge_operator(s.f.options);
  rocksdb_transaction_options_set_lock_timeout(s.options, 20);
  rocksdb_transactiondb_options_set_default_lock_timeout(s.db_options, 20);
  if (optimistic) {
    s.optimistic_db = rocksdb_optimistictransactiondb_open(s.f.options, directory, &s.f.error);
  } else {
    s.db = rocksdb_transactiondb_open(s.f.options, s.db_options, directory, &s.f.error);
  }
  MustBeOk("open", s.f.error);
  return s;
}

static void ClosedSpace(Space* s) {
  if (s->db != NULL) rocksdb_transactiondb_close(s->db);
  if (s->optimistic_db != NULL) rocksdb_optimistictransactiondb_close(s->optimistic_db);
  rocksdb_transactiondb_options_destroy(s->db_options);
  rocksdb_transaction_options_destroy(s->options);
  rocksdb_optimistictransaction_options_destroy(s->optimistic_options);
  rocksdb_writeoptions_destroy(s->f.write);
  rocksdb_readoptions_destroy(s->f.read);
  rocksdb_options_destroy(s->f.options);
}

static Txn* Begin(Space* s, Txn* old) {
  if (s->db != NULL) return rocksdb_transaction_begin(s->db, s->f.write, s->options, old);
  return rocksdb_optimistictransaction_begin(s->optimistic_db, s->f.write, s->optimistic_options,
                                             old);
}

static void TxnPut(Space* s, Txn* txn, const char* key, const char* value) {
  rocksdb_transaction_put(txn, key, strlen(key), value, strlen(value), &s->f.error);
  Outcome("put", &s->f.error);
}

static void PrintBytesOr(char* value, size_t size) {
  if (value == NULL) {
    printf("absent\n");
    return;
  }
  PrintBytes(value, size);
  printf("\n");
  rocksdb_free(value);
}

static void TxnPrint(Space* s, Txn* txn, const char* key) {
  size_t size = 0;
  char* const value = rocksdb_transaction_get(txn, s->f.read, key, strlen(key), &size, &s->f.error);
  Outcome(key, &s->f.error);
  printf("  in it: ");
  PrintBytesOr(value, size);
}

static void DbPrint(Space* s, const char* key) {
  size_t size = 0;
  char* value;
  if (s->db != NULL) {
    value = rocksdb_transactiondb_get(s->db, s->f.read, key, strlen(key), &size, &s->f.error);
  } else {
    rocksdb_t* const base = rocksdb_optimistictransactiondb_get_base_db(s->optimistic_db);
    value = rocksdb_get(base, s->f.read, key, strlen(key), &size, &s->f.error);
    rocksdb_optimistictransactiondb_close_base_db(base);
  }
  Outcome(key, &s->f.error);
  printf("  in the database: ");
  PrintBytesOr(value, size);
}

static void DbPut(Space* s, const char* key, const char* value) {
  if (s->db != NULL) {
    rocksdb_transactiondb_put(s->db, s->f.write, key, strlen(key), value, strlen(value),
                              &s->f.error);
  } else {
    rocksdb_t* const base = rocksdb_optimistictransactiondb_get_base_db(s->optimistic_db);
    rocksdb_put(base, s->f.write, key, strlen(key), value, strlen(value), &s->f.error);
    rocksdb_optimistictransactiondb_close_base_db(base);
  }
  Outcome("put outside", &s->f.error);
}

static void Commit(Space* s, Txn* txn) {
  rocksdb_transaction_commit(txn, &s->f.error);
  Outcome("commit", &s->f.error);
}

static void ForUpdate(Space* s, Txn* txn, const char* key, unsigned char exclusive) {
  size_t size = 0;
  char* const value = rocksdb_transaction_get_for_update(txn, s->f.read, key, strlen(key), &size,
                                                         exclusive, &s->f.error);
  Outcome("for update", &s->f.error);
  printf("  ");
  PrintBytesOr(value, size);
}

// What both kinds do alike, without another writer.
static void Alone(Space* s) {
  DbPut(s, "a", "1");
  DbPut(s, "c", "3");
  DbPut(s, "e", "5");
  Txn* txn = Begin(s, NULL);
  TxnPut(s, txn, "a", "in it");
  TxnPut(s, txn, "b", "new");
  rocksdb_transaction_delete(txn, "c", 1, &s->f.error);
  Outcome("delete", &s->f.error);
  TxnPrint(s, txn, "a");
  TxnPrint(s, txn, "c");
  TxnPrint(s, txn, "d");
  DbPrint(s, "a");
  DbPrint(s, "b");
  rocksdb_iterator_t* iterator = rocksdb_transaction_create_iterator(txn, s->f.read);
  rocksdb_iter_seek_to_first(iterator);
  PrintForward(iterator);
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_set_iterate_upper_bound(s->f.read, "d", 1);
  iterator = rocksdb_transaction_create_iterator(txn, s->f.read);
  rocksdb_iter_seek_to_first(iterator);
  PrintForward(iterator);
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_set_iterate_upper_bound(s->f.read, NULL, 0);
  const char* const keys[] = {"a", "c", "b"};
  const size_t sizes[] = {1, 1, 1};
  char *values[3], *errors[3];
  size_t value_sizes[3];
  rocksdb_transaction_multi_get(txn, s->f.read, 3, keys, sizes, values, value_sizes, errors);
  for (int i = 0; i < 3; ++i) {
    Outcome("multi_get", &errors[i]);
    PrintBytesOr(values[i], value_sizes[i]);
  }
  Commit(s, txn);
  DbPrint(s, "a");
  DbPrint(s, "c");
  DbPrint(s, "e");
  Commit(s, txn);
  rocksdb_transaction_rollback(txn, &s->f.error);
  Outcome("rollback", &s->f.error);
  txn = Begin(s, txn);
  TxnPut(s, txn, "a", "rolled back");
  rocksdb_transaction_rollback(txn, &s->f.error);
  Outcome("rollback", &s->f.error);
  TxnPrint(s, txn, "a");
  Commit(s, txn);
  DbPrint(s, "a");
  rocksdb_transaction_destroy(txn);
}

static void SavePoints(Space* s) {
  Txn* const txn = Begin(s, NULL);
  rocksdb_transaction_rollback_to_savepoint(txn, &s->f.error);
  Outcome("no save point", &s->f.error);
  TxnPut(s, txn, "s1", "1");
  rocksdb_transaction_set_savepoint(txn);
  TxnPut(s, txn, "s1", "2");
  TxnPut(s, txn, "s2", "2");
  rocksdb_transaction_set_savepoint(txn);
  TxnPut(s, txn, "s3", "3");
  rocksdb_transaction_rollback_to_savepoint(txn, &s->f.error);
  Outcome("back", &s->f.error);
  TxnPrint(s, txn, "s3");
  TxnPrint(s, txn, "s2");
  DbPut(s, "s3", "is free");
  rocksdb_transaction_rollback_to_savepoint(txn, &s->f.error);
  Outcome("back", &s->f.error);
  TxnPrint(s, txn, "s1");
  TxnPrint(s, txn, "s2");
  Commit(s, txn);
  DbPrint(s, "s1");
  DbPrint(s, "s2");
  rocksdb_transaction_destroy(txn);
}

static void PrintCount(const char* what, char* value, size_t size) {
  printf("%s: %d\n", what, value == NULL || size != 8 ? -1 : value[0]);
  rocksdb_free(value);
}

static void Merges(Space* s) {
  const char one[8] = {1}, two[8] = {2};
  Txn* const txn = Begin(s, NULL);
  rocksdb_transaction_merge(txn, "count", 5, one, 8, &s->f.error);
  rocksdb_transaction_merge(txn, "count", 5, two, 8, &s->f.error);
  Outcome("merge", &s->f.error);
  size_t size = 0;
  char* value = rocksdb_transaction_get(txn, s->f.read, "count", 5, &size, &s->f.error);
  Outcome("get", &s->f.error);
  PrintCount("in it", value, size);
  Commit(s, txn);
  value = rocksdb_transaction_get(txn, s->f.read, "count", 5, &size, &s->f.error);
  PrintCount("after it", value, size);
  rocksdb_transaction_destroy(txn);
}

static void Rebuilt(Space* s) {
  Txn* const txn = Begin(s, NULL);
  TxnPut(s, txn, "r1", "1");
  TxnPut(s, txn, "r2", "2");
  rocksdb_writebatch_wi_t* const batch = rocksdb_transaction_get_writebatch_wi(txn);
  size_t size = 0;
  const char* const data = rocksdb_writebatch_wi_data(batch, &size);
  printf("%d changes, %s\n", rocksdb_writebatch_wi_count(batch), size > 20 ? "some bytes" : "few");
  // RocksDB's begins with a marker in a TransactionDB, which rebuilding rejects.
  rocksdb_writebatch_t* copy;
  if (s->db == NULL) {
    copy = rocksdb_writebatch_create_from(data, size);
  } else {
    copy = rocksdb_writebatch_create();
    rocksdb_writebatch_put(copy, "r1", 2, "1", 1);
    rocksdb_writebatch_put(copy, "r2", 2, "2", 1);
  }
  rocksdb_free(batch);
  rocksdb_transaction_rollback(txn, &s->f.error);
  Txn* const other = Begin(s, NULL);
  rocksdb_transaction_rebuild_from_writebatch(other, copy, &s->f.error);
  Outcome("rebuild", &s->f.error);
  TxnPrint(s, other, "r2");
  Commit(s, other);
  DbPrint(s, "r1");
  rocksdb_writebatch_destroy(copy);
  rocksdb_transaction_destroy(other);
  rocksdb_transaction_destroy(txn);
}

static void Locks(Space* s) {
  Txn* const first = Begin(s, NULL);
  Txn* const second = Begin(s, NULL);
  TxnPut(s, first, "l", "first");
  TxnPut(s, first, "l", "again");
  TxnPut(s, second, "l", "second");
  DbPut(s, "l", "outside");
  ForUpdate(s, second, "l", 0);
  Commit(s, first);
  TxnPut(s, second, "l", "second");
  Commit(s, second);
  DbPrint(s, "l");
  Txn* const third = Begin(s, Begin(s, first));
  Txn* const fourth = Begin(s, second);
  ForUpdate(s, third, "l", 0);
  ForUpdate(s, fourth, "l", 0);
  TxnPut(s, third, "l", "shared with another");
  rocksdb_transaction_rollback(fourth, &s->f.error);
  TxnPut(s, third, "l", "alone now");
  ForUpdate(s, fourth, "l", 0);
  ForUpdate(s, fourth, "another", 1);
  rocksdb_transaction_destroy(third);
  ForUpdate(s, fourth, "l", 1);
  DbPut(s, "l", "outside");
  rocksdb_transaction_destroy(fourth);
  DbPut(s, "l", "outside");
  rocksdb_writebatch_t* const batch = rocksdb_writebatch_create();
  rocksdb_writebatch_put(batch, "l", 1, "batch", 5);
  rocksdb_writebatch_put(batch, "other", 5, "batch", 5);
  rocksdb_transactiondb_write(s->db, s->f.write, batch, &s->f.error);
  Outcome("a batch", &s->f.error);
  DbPrint(s, "l");
  rocksdb_writebatch_destroy(batch);
}

static void Snapshots(Space* s) {
  rocksdb_transaction_options_set_set_snapshot(s->options, 1);
  rocksdb_optimistictransaction_options_set_set_snapshot(s->optimistic_options, 1);
  DbPut(s, "v", "before");
  Txn* const txn = Begin(s, NULL);
  const rocksdb_snapshot_t* const snapshot = rocksdb_transaction_get_snapshot(txn);
  DbPut(s, "v", "after");
  TxnPrint(s, txn, "v");
  rocksdb_readoptions_set_snapshot(s->f.read, snapshot);
  TxnPrint(s, txn, "v");
  rocksdb_readoptions_set_snapshot(s->f.read, NULL);
  rocksdb_free((void*)(size_t)snapshot);
  TxnPut(s, txn, "unchanged", "1");
  TxnPut(s, txn, "v", "refused");
  Commit(s, txn);
  DbPrint(s, "v");
  DbPrint(s, "unchanged");
  rocksdb_transaction_destroy(txn);
  rocksdb_transaction_options_set_set_snapshot(s->options, 0);
  rocksdb_optimistictransaction_options_set_set_snapshot(s->optimistic_options, 0);
  Txn* const without = Begin(s, NULL);
  const rocksdb_snapshot_t* const none = rocksdb_transaction_get_snapshot(without);
  rocksdb_readoptions_set_snapshot(s->f.read, none);
  TxnPrint(s, without, "v");
  rocksdb_readoptions_set_snapshot(s->f.read, NULL);
  rocksdb_free((void*)(size_t)none);
  rocksdb_transaction_destroy(without);
}

static void Limits(Space* s) {
  Txn* txn = Begin(s, NULL);
  rocksdb_transaction_set_name(txn, "", 0, &s->f.error);
  Outcome("an empty name", &s->f.error);
  rocksdb_transaction_set_name(txn, "name", 4, &s->f.error);
  Outcome("a name", &s->f.error);
  rocksdb_transaction_set_name(txn, "other", 5, &s->f.error);
  Outcome("another", &s->f.error);
  Txn* const second = Begin(s, NULL);
  rocksdb_transaction_prepare(second, &s->f.error);
  Outcome("prepare without a name", &s->f.error);
  rocksdb_transaction_set_name(second, "name", 4, &s->f.error);
  Outcome("the same name", &s->f.error);
  size_t size = 0;
  char* const name = rocksdb_transaction_get_name(txn, &size);
  PrintBytesOr(name, size);
  rocksdb_transaction_destroy(txn);
  rocksdb_transaction_set_name(second, "name", 4, &s->f.error);
  Outcome("when it is free", &s->f.error);
  rocksdb_transaction_destroy(second);
  rocksdb_transaction_options_set_skip_prepare(s->options, 0);
  txn = Begin(s, NULL);
  Commit(s, txn);
  rocksdb_transaction_options_set_skip_prepare(s->options, 1);
  rocksdb_transaction_options_set_expiration(s->options, 0);
  txn = Begin(s, txn);
  TxnPut(s, txn, "x", "expired");
  Commit(s, txn);
  rocksdb_transaction_options_set_expiration(s->options, -1);
  rocksdb_transaction_options_set_max_write_batch_size(s->options, 40);
  txn = Begin(s, txn);
  TxnPut(s, txn, "small", "1");
  TxnPut(s, txn, "large", "0123456789012345678901234567890123456789");
  Commit(s, txn);
  DbPrint(s, "small");
  DbPrint(s, "large");
  for (size_t limit = 16; limit < 20; ++limit) {  // Of one change of 5 bytes.
    rocksdb_transaction_options_set_max_write_batch_size(s->options, limit);
    txn = Begin(s, txn);
    printf("%d bytes\n", (int)limit);
    TxnPut(s, txn, "k", "1");
  }
  rocksdb_transaction_options_set_max_write_batch_size(s->options, 0);
  rocksdb_transaction_destroy(txn);
  size_t count = 1;
  rocksdb_transaction_t** const prepared =
      rocksdb_transactiondb_get_prepared_transactions(s->db, &count);
  printf("prepared: %d %s\n", (int)count, prepared == NULL ? "null" : "a list");
}

typedef struct {
  Txn* txn;
  const char* key;
  char* error;
} Waiting;

static void* PutAndWait(void* argument) {
  Waiting* const waiting = argument;
  rocksdb_transaction_put(waiting->txn, waiting->key, 1, "1", 1, &waiting->error);
  char* error = NULL;
  if (waiting->error != NULL) rocksdb_transaction_rollback(waiting->txn, &error);
  MustBeOk("rollback", error);
  return NULL;
}

// Each has what the other wants: one of them is refused, and the other goes on.
static void Deadlock(Space* s) {
  rocksdb_transaction_options_set_deadlock_detect(s->options, 1);
  rocksdb_transaction_options_set_lock_timeout(s->options, 60000);
  Waiting both[2] = {{Begin(s, NULL), "q", NULL}, {Begin(s, NULL), "p", NULL}};
  TxnPut(s, both[0].txn, "p", "first");
  TxnPut(s, both[1].txn, "q", "second");
  pthread_t thread;
  pthread_create(&thread, NULL, PutAndWait, &both[0]);
  PutAndWait(&both[1]);
  pthread_join(thread, NULL);
  printf("%s refused\n", (both[0].error == NULL) != (both[1].error == NULL) ? "one is" : "not one");
  char** const error = both[0].error != NULL ? &both[0].error : &both[1].error;
  Outcome("its error", error);
  rocksdb_transaction_destroy(both[0].txn);
  rocksdb_transaction_destroy(both[1].txn);
  rocksdb_transaction_options_set_deadlock_detect(s->options, 0);
  rocksdb_transaction_options_set_lock_timeout(s->options, 20);
}

// Programs take the handle for that of a database, where its own functions end.
static void AsDatabase(Space* s) {
  rocksdb_t* const db = (rocksdb_t*)s->db;
  rocksdb_column_family_handle_t* const family =
      rocksdb_transactiondb_create_column_family(s->db, s->f.options, "other", &s->f.error);
  Outcome("create", &s->f.error);
  char* const levels = rocksdb_property_value_cf(db, family, "rocksdb.num-files-at-level0");
  printf("level 0: %s\n", levels);
  rocksdb_free(levels);
  rocksdb_drop_column_family(db, family, &s->f.error);
  Outcome("drop", &s->f.error);
  rocksdb_column_family_handle_destroy(family);
}

void TransactionsStep(const char* directory) {
  Space s = OpenedSpace(directory, 0);
  Alone(&s);
  SavePoints(&s);
  Merges(&s);
  Rebuilt(&s);
  Locks(&s);
  Snapshots(&s);
  Limits(&s);
  Deadlock(&s);
  AsDatabase(&s);
  ClosedSpace(&s);
}

static void Conflicts(Space* s) {
  Txn* const first = Begin(s, NULL);
  Txn* const second = Begin(s, NULL);
  TxnPut(s, first, "k", "first");
  TxnPut(s, second, "k", "second");
  TxnPut(s, second, "only of the second", "1");
  Commit(s, first);
  Commit(s, second);
  DbPrint(s, "k");
  DbPrint(s, "only of the second");
  rocksdb_transaction_rollback(second, &s->f.error);
  Outcome("rollback", &s->f.error);
  TxnPut(s, second, "k", "second");
  DbPut(s, "k", "outside");
  Commit(s, second);
  DbPrint(s, "k");
  // A key that was only read, and one that was deleted meanwhile.
  Txn* const third = Begin(s, second);
  ForUpdate(s, third, "k", 1);
  TxnPut(s, third, "by the third", "1");
  DbPut(s, "unrelated", "1");
  Commit(s, third);
  Txn* const fourth = Begin(s, first);
  ForUpdate(s, fourth, "k", 0);
  TxnPut(s, fourth, "by the fourth", "1");
  rocksdb_t* const base = rocksdb_optimistictransactiondb_get_base_db(s->optimistic_db);
  rocksdb_delete(base, s->f.write, "k", 1, &s->f.error);
  rocksdb_optimistictransactiondb_close_base_db(base);
  Outcome("deleted outside", &s->f.error);
  Commit(s, fourth);
  DbPrint(s, "by the third");
  DbPrint(s, "by the fourth");
  rocksdb_transaction_set_name(fourth, "name", 4, &s->f.error);
  Outcome("a name", &s->f.error);
  rocksdb_transaction_prepare(fourth, &s->f.error);
  Outcome("prepare", &s->f.error);
  rocksdb_transaction_destroy(third);
  rocksdb_transaction_destroy(fourth);
}

void OptimisticStep(const char* directory) {
  Space s = OpenedSpace(directory, 1);
  Alone(&s);
  SavePoints(&s);
  Merges(&s);
  Rebuilt(&s);
  Snapshots(&s);
  Conflicts(&s);
  ClosedSpace(&s);
}
