// SPDX-License-Identifier: Apache-2.0
// Early return on failure.
#pragma once

#include "varve/result.h"
#include "varve/status.h"

#define VARVE_CONCAT_(a, b) a##b
#define VARVE_CONCAT(a, b) VARVE_CONCAT_(a, b)

// Returns from the enclosing function if `expr` (a Status) failed.
#define RETURN_IF_ERROR(expr)                                            \
  do {                                                                   \
    if (::varve::Status status_ = (expr); !status_.ok()) return status_; \
  } while (false)

// ASSIGN_OR_RETURN(auto block, ReadBlock(handle));
#define ASSIGN_OR_RETURN(decl, expr)                                                          \
  auto VARVE_CONCAT(result_, __LINE__) = (expr);                                              \
  if (!VARVE_CONCAT(result_, __LINE__).ok()) return VARVE_CONCAT(result_, __LINE__).status(); \
  decl = *std::move(VARVE_CONCAT(result_, __LINE__))
