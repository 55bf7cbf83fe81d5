// SPDX-License-Identifier: Apache-2.0
// Two-phase commits: what each step answers in each state, and what is there after reopening.
#include "steps.h"

typedef rocksdb_transaction_t Txn;

typedef struct {
  Fixture f;  // Its database is not used.
  rocksdb_transactiondb_options_t* db_options;
  rocksdb_transaction_options_t* options;
  rocksdb_transactiondb_t* db;
} Space;

static void Open(Space* s, const char* directory) {
  s->db = rocksdb_transactiondb_open(s->f.options, s->db_options, directory, &s->f.error);
  MustBeOk("open", s->f.error);
}

static Txn* Named(Space* s, const char* name) {
  Txn* const txn = rocksdb_transaction_begin(s->db, s->f.write, s->options, NULL);
  rocksdb_transaction_set_name(txn, name, strlen(name), &s->f.error);
  MustBeOk("a name", s->f.error);
  return txn;
}

static void TxnPut(Space* s, Txn* txn, const char* key, const char* value) {
  rocksdb_transaction_put(txn, key, strlen(key), value, strlen(value), &s->f.error);
  Outcome(key, &s->f.error);
}

static void Print(Space* s, const char* key) {
  size_t size = 0;
  char* const value =
      rocksdb_transactiondb_get(s->db, s->f.read, key, strlen(key), &size, &s->f.error);
  Outcome(key, &s->f.error);
  printf("  %.*s\n", value == NULL ? 6 : (int)size, value == NULL ? "absent" : value);
  rocksdb_free(value);
}

static void Prepare(Space* s, Txn* txn) {
  rocksdb_transaction_prepare(txn, &s->f.error);
  Outcome("prepare", &s->f.error);
}

static void Commit(Space* s, Txn* txn) {
  rocksdb_transaction_commit(txn, &s->f.error);
  Outcome("commit", &s->f.error);
}

static void Rollback(Space* s, Txn* txn) {
  rocksdb_transaction_rollback(txn, &s->f.error);
  Outcome("rollback", &s->f.error);
}

// By name; the caller destroys it.
static Txn* PrintPrepared(Space* s, const char* wanted) {
  size_t count = 0;
  Txn** const list = rocksdb_transactiondb_get_prepared_transactions(s->db, &count);
  printf("prepared: %d\n", (int)count);
  Txn* found = NULL;
  for (size_t i = 0; i < count; ++i) {
    size_t size = 0;
    char* const name = rocksdb_transaction_get_name(list[i], &size);
    if (wanted != NULL && size == strlen(wanted) && memcmp(name, wanted, size) == 0) {
      found = list[i];
    } else {
      rocksdb_transaction_destroy(list[i]);  // It is prepared again when the database is opened.
    }
    rocksdb_free(name);
  }
  rocksdb_free(list);
  return found;
}

static void States(Space* s) {
  rocksdb_transaction_options_set_skip_prepare(s->options, 0);
  Txn* txn = Named(s, "empty");
  Commit(s, txn);
  Prepare(s, txn);
  Prepare(s, txn);
  Commit(s, txn);
  Commit(s, txn);
  Prepare(s, txn);
  Rollback(s, txn);
  rocksdb_transaction_destroy(txn);
  txn = Named(s, "back");
  TxnPut(s, txn, "a", "1");
  rocksdb_transaction_set_savepoint(txn);
  TxnPut(s, txn, "b", "1");
  Prepare(s, txn);
  rocksdb_transaction_rollback_to_savepoint(txn, &s->f.error);
  Outcome("back to a save point", &s->f.error);
  Print(s, "a");
  rocksdb_transactiondb_put(s->db, s->f.write, "a", 1, "0", 1, &s->f.error);
  Outcome("a write of a key that is locked", &s->f.error);
  Rollback(s, txn);
  rocksdb_transactiondb_put(s->db, s->f.write, "a", 1, "0", 1, &s->f.error);
  Outcome("a write of a key that was unlocked", &s->f.error);
  Rollback(s, txn);
  Prepare(s, txn);
  Commit(s, txn);
  Print(s, "a");
  rocksdb_transaction_destroy(txn);
}

static void ChangedAfterwards(Space* s) {
  Txn* const txn = Named(s, "changed");
  TxnPut(s, txn, "e", "1");
  Prepare(s, txn);
  TxnPut(s, txn, "e", "2");
  TxnPut(s, txn, "f", "2");
  Commit(s, txn);
  Print(s, "e");
  Print(s, "f");
  rocksdb_transaction_destroy(txn);
}

static void Reopened(Space* s, const char* directory) {
  Txn* const first = Named(s, "first");
  TxnPut(s, first, "a", "2");
  Prepare(s, first);
  Txn* const second = Named(s, "second");
  TxnPut(s, second, "c", "2");
  Prepare(s, second);
  Txn* const third = Named(s, "third");
  TxnPut(s, third, "d", "3");
  rocksdb_transaction_destroy(third);
  rocksdb_transaction_destroy(first);
  rocksdb_transaction_destroy(second);
  rocksdb_transactiondb_close(s->db);
  Open(s, directory);
  Print(s, "a");
  Txn* txn = PrintPrepared(s, "first");
  size_t size = 0;
  char* const value = rocksdb_transaction_get(txn, s->f.read, "a", 1, &size, &s->f.error);
  printf("in it: %.*s\n", (int)size, value);
  rocksdb_free(value);
  Prepare(s, txn);
  Commit(s, txn);
  Print(s, "a");
  rocksdb_transaction_destroy(txn);
  rocksdb_transactiondb_close(s->db);
  Open(s, directory);
  txn = PrintPrepared(s, "second");
  Rollback(s, txn);
  rocksdb_transaction_destroy(txn);
  PrintPrepared(s, NULL);
  rocksdb_transactiondb_close(s->db);
  Open(s, directory);
  PrintPrepared(s, NULL);
  Print(s, "a");
  Print(s, "c");
  Print(s, "d");
}

void TwoPhaseStep(const char* directory) {
  Space s = {{rocksdb_options_create(), rocksdb_readoptions_create(), rocksdb_writeoptions_create(),
              NULL, NULL},
             rocksdb_transactiondb_options_create(),
             rocksdb_transaction_options_create(),
             NULL};
  rocksdb_options_set_create_if_missing(s.f.options, 1);
  rocksdb_transaction_options_set_lock_timeout(s.options, 20);
  rocksdb_transactiondb_options_set_default_lock_timeout(s.db_options, 20);
  Open(&s, directory);
  States(&s);
  ChangedAfterwards(&s);
  Reopened(&s, directory);
  rocksdb_transactiondb_close(s.db);
  rocksdb_transactiondb_options_destroy(s.db_options);
  rocksdb_transaction_options_destroy(s.options);
  rocksdb_writeoptions_destroy(s.f.write);
  rocksdb_readoptions_destroy(s.f.read);
  rocksdb_options_destroy(s.f.options);
}
