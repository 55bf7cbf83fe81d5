// SPDX-License-Identifier: Apache-2.0
#include "core/engine/value_resolver.h"

#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/try.h"
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
  std::optional<Value> base;
  switch (lookup->state) {
    case Lookup::State::kFailed:
      return lookup->status;
    case Lookup::State::kSearching:
    case Lookup::State::kDeleted:
      return std::optional<Value>();
    case Lookup::State::kFound:
    case Lookup::State::kMergedOnto: {
      ASSIGN_OR_RETURN(
          base, ResolveValue(view, lookup->user_key, lookup->type, std::move(lookup->value)));
      if (lookup->state == Lookup::State::kFound) return base;
      break;
    }
    case Lookup::State::kMerging:  // The end of the tree: there is no base.
    case Lookup::State::kMergedOntoNothing:
      break;
  }
  std::vector<std::string_view> operands;
  operands.reserve(lookup->operands.size());
  for (size_t i = lookup->operands.size(); i > 0; --i) {
    operands.push_back(lookup->operands[i - 1].view());
  }
  std::optional<std::string_view> base_view;
  if (base.has_value()) base_view = base->view();
  ASSIGN_OR_RETURN(std::string merged, FoldOperands(view, lookup->user_key, base_view, operands));
  return std::optional<Value>(Value(std::move(merged)));
}

}  // namespace varve
