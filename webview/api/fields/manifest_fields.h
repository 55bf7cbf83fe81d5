// SPDX-License-Identifier: Apache-2.0
// Edits of a MANIFEST, for documents and tables on a terminal; defined in
// webview/api/resources/manifest.cc.
#pragma once

#include "core/inspect/lsm/manifest_timeline.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

const Fields<EditReport>& EditFields();

}  // namespace varve::api
