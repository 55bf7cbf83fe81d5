// SPDX-License-Identifier: Apache-2.0
// What GET …/files/{n}?include= takes from other resources of the same table.
#pragma once

#include "webview/api/routing/route.h"

namespace varve::api {

Reply GetProperties(const Call& call);  // properties.cc
extern const DocumentSchema kPropertiesDocument;
Reply GetLineage(const Call& call);  // history.cc
extern const DocumentSchema kLineageDocument;

}  // namespace varve::api
