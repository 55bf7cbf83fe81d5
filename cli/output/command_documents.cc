// SPDX-License-Identifier: Apache-2.0
#include "cli/output/command_documents.h"

#include <algorithm>

#include "core/base/check.h"

namespace varve::cli {

void PrintDescribed(Console& console, const DescribedDocument& document, const api::Json& json) {
  if (document.rows.empty()) return PrintDocument(console, json);
  const auto& fields = document.members.fields();
  const auto rows = std::find_if(fields.begin(), fields.end(), [&](const api::Field& field) {
    return field.name == document.rows;
  });
  CHECK(rows != fields.end());
  PrintList(console, json, document.rows, rows->type["items"]);
}

}  // namespace varve::cli
