// SPDX-License-Identifier: Apache-2.0
// Handles that only refused functions take.
#pragma once

#include <cstddef>

#include "core/c/error.h"

struct rocksdb_t;
struct rocksdb_backup_engine_t;
struct rocksdb_backup_engine_info_t;
struct rocksdb_backup_engine_options_t;
struct rocksdb_checkpoint_t;
struct rocksdb_column_family_handle_t;
struct rocksdb_env_t;
struct rocksdb_flushoptions_t;
struct rocksdb_iterator_t;
struct rocksdb_optimistictransaction_options_t;
struct rocksdb_optimistictransactiondb_t;
struct rocksdb_options_t;
struct rocksdb_pinnableslice_t;
struct rocksdb_readoptions_t;
struct rocksdb_restore_options_t;
struct rocksdb_snapshot_t;
struct rocksdb_sstfilewriter_t;
struct rocksdb_transaction_options_t;
struct rocksdb_transaction_t;
struct rocksdb_transactiondb_options_t;
struct rocksdb_transactiondb_t;
struct rocksdb_wal_iterator_t;
struct rocksdb_wal_readoptions_t;
struct rocksdb_writebatch_t;
struct rocksdb_writebatch_wi_t;
struct rocksdb_writeoptions_t;
