// SPDX-License-Identifier: Apache-2.0
// CURRENT names the live MANIFEST: "MANIFEST-000005\n" and nothing else (db-format 1.3). It has no
// checksum, so only exactly this form is accepted.
#pragma once

#include <string>
#include <string_view>

#include "varve/result.h"
#include "varve/types.h"

namespace varve {

std::string EncodeCurrentFile(FileNumber manifest);
Result<FileNumber> DecodeCurrentFile(std::string_view contents);

}  // namespace varve
