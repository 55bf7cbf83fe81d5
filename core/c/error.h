// SPDX-License-Identifier: Apache-2.0
// How a function of the C interface reports a failure: by `char** errptr`, as rocksdb/c.h says. A
// null errptr drops the message. Text is RocksDB's "Corruption: ...", "Invalid argument: ...".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "varve/status.h"

namespace varve::c {

// The text of a failure in RocksDB's wording.
std::string ErrorText(const Status& status);
// Replaces the message in *errptr, which was malloc'ed, if `status` is a failure; returns whether
// it is.
bool SaveError(char** errptr, const Status& status);
void SaveErrorText(char** errptr, std::string_view text);
// Passes on what another function of c.h has saved; returns whether it is a failure.
bool PassError(char* error, char** errptr);
// RocksDB calls a file or a directory that is not there an IO error.
Status IoErrorIfMissing(const Status& status);
// "Not implemented: NAME: Varve does not have it". `name` is that of a function of c.h.
Status Refusal(std::string_view name);
void Refuse(char** errptr, std::string_view name);

// Copies to be freed with rocksdb_free(). Both end in a zero byte, which the size does not count.
char* CopyText(std::string_view text);
char* CopyBytes(std::string_view bytes, size_t* size);
// The bytes themselves, for as long as they live. Never null: RocksDB's are not, even if they are
// none, and bindings make references of them.
const char* BytesOf(std::string_view bytes, size_t* size);

}  // namespace varve::c
