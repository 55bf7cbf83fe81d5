// SPDX-License-Identifier: Apache-2.0
// The documents that `varve bench` prints, described (webview/api/schema/fields.h): their members
// after "schema". Each is defined beside the command that prints it.
#pragma once

#include "webview/api/schema/fields.h"

namespace varve::cli::bench {

const api::FieldList& RunDocument();         // varve.bench/1, bench run
const api::FieldList& ComparisonDocument();  // varve.bench-comparison/1, bench compare
const api::FieldList& ClaimsDocument();      // varve.bench-claims/1, bench claims

}  // namespace varve::cli::bench
