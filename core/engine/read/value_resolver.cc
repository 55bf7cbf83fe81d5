// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/value_resolver.h"

#include <utility>

#include "core/base/text/text.h"
#include "core/version/blob_reader.h"
#include "core/version/merging.h"

namespace varve {

Result<Value> FetchBlob(const ReadView& view, std::string_view user_key, std::string_view index) {
  if (view.blobs == nullptr) {
    return Status::NotSupported("the value is in a blob file and none can be read here");
  }
  return view.blobs->Read(user_key, index);
}

Result<Value> ResolveValue(const ReadView& view, std::string_view user_key, ValueType type,
                           Value stored) {
  if (type == ValueType::kValue) return stored;
  if (type == ValueType::kBlobIndex) return FetchBlob(view, user_key, stored.view());
  const Result<std::string_view> bytes = InlineValue(type, stored.view());
  if (!bytes.ok()) return bytes.status().At("key " + EscapeForDisplay(user_key));
  stored.Narrow(*bytes);
  return stored;
}

Result<std::string> FoldOperands(const ReadView& view, std::string_view user_key,
                                 std::optional<std::string_view> base,
                                 std::span<const std::string_view> operands) {
  return FoldOperands(view.merge_operator, *view.version, user_key, base, operands);
}

Result<std::optional<Value>> FinishLookup(const ReadView& view, Lookup* lookup) {
  return FinishLookup(view.merge_operator, *view.version, lookup, [&view](Lookup* found) {
    return ResolveValue(view, found->user_key, found->type, std::move(found->value));
  });
}

}  // namespace varve
