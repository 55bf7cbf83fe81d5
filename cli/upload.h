// SPDX-License-Identifier: Apache-2.0
// Tables for a database that a server has open: uploaded to `varve serve --write`, and added in one
// step (webview/api/uploads.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "varve/result.h"

namespace varve::cli {

struct ServerAddress {
  std::string url;    // "http://127.0.0.1:8420": without slashes at the end.
  std::string token;  // Or "".
};
// Of what `varve serve` prints, with "/#token=…" or without. InvalidArgument.
Result<ServerAddress> ParseServer(const std::string& text);

struct FamilyUpload {
  std::string family;
  std::vector<std::string> paths;
};

// Uploads all files and adds them, or leaves the database as it is. The error of a refusal has the
// server's message. `sent` is called with the number of bytes after each piece.
Status UploadAndAdd(const ServerAddress& server, const std::vector<FamilyUpload>& families,
                    const std::function<void(uint64_t)>& sent);

}  // namespace varve::cli
