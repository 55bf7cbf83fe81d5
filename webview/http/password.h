// SPDX-License-Identifier: Apache-2.0
// Passwords as they are kept: hashed by yescrypt, of libxcrypt's crypt_r(). Thread-safe. A hash
// takes a few tens of milliseconds and 16 MiB.
#pragma once

#include <string>
#include <string_view>

#include "varve/result.h"

namespace varve::http {

inline constexpr size_t kPasswordBytesMin = 8, kPasswordBytesMax = 256;

// "$y$j9T$SALT$HASH" with a new salt. InvalidArgument if it is too short, too long or has a NUL;
// NotSupported where the C library has no yescrypt. No message has a password in it.
Result<std::string> HashPassword(const std::string& password);

// Whether `hash` is one that HashPassword() may have made.
bool IsPasswordHash(std::string_view hash);

// Takes the same time whether it fits or not.
bool IsPassword(const std::string& hash, const std::string& password);

}  // namespace varve::http
