// SPDX-License-Identifier: Apache-2.0
// Finds the running engine for resources that need one.
#pragma once

#include "webview/api/routing/call.h"
#include "webview/api/uploads.h"

namespace varve::api {

// unsupported_feature if the target consists of files only.
Answer<LiveEngine*> LiveOf(const Call& call);
// Likewise if the engine takes no uploads.
Answer<Uploads*> UploadsOf(const Call& call);
// The caller's own upload, or any to who has that right to all of the target; to others there is
// none: upload_not_found.
Answer<UploadReport> UploadOf(const Call& call, Access access, const std::string& id);
bool IsUploadFor(const Call& call, Access access, const UploadReport& upload);

}  // namespace varve::api
