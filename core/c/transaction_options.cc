// SPDX-License-Identifier: Apache-2.0
// The options of transactions and of their databases.
#include <cstddef>
#include <cstdint>

#include "core/c/handle_functions.h"
#include "core/c/transaction.h"

extern "C" {

VARVE_C_LIFE(transactiondb_options)
VARVE_C_SETTER(transactiondb_options, transaction_lock_timeout, int64_t)
VARVE_C_SETTER(transactiondb_options, default_lock_timeout, int64_t)
VARVE_C_SETTER(transactiondb_options, max_num_locks, int64_t)
VARVE_C_SETTER(transactiondb_options, num_stripes, size_t)

VARVE_C_LIFE(transaction_options)
VARVE_C_SETTER(transaction_options, set_snapshot, unsigned char)
VARVE_C_SETTER(transaction_options, deadlock_detect, unsigned char)
VARVE_C_SETTER(transaction_options, skip_prepare, unsigned char)
VARVE_C_SETTER(transaction_options, lock_timeout, int64_t)
VARVE_C_SETTER(transaction_options, expiration, int64_t)
VARVE_C_SETTER(transaction_options, max_write_batch_size, size_t)
VARVE_C_SETTER(transaction_options, deadlock_detect_depth, int64_t)

VARVE_C_LIFE(optimistictransaction_options)
VARVE_C_SETTER(optimistictransaction_options, set_snapshot, unsigned char)

}  // extern "C"
