// SPDX-License-Identifier: Apache-2.0
#include "core/engine/value_resolver.h"

#include <utility>
#include <vector>

#include "core/base/byte_reader.h"
#include "core/base/check.h"
#include "core/base/try.h"
#include "core/version/blob_reader.h"

namespace varve {
namespace {

constexpr uint64_t kWriteTimeSize = 8;

Status BadEntity(std::string_view why) {
  return Status::Corruption("wide-column entity: " + std::string(why));
}

// 1 | count | (name lp | value size)* | values. Names ascend, so the default column is the first.
Result<std::string_view> DefaultColumnV1(ByteReader in) {
  uint64_t count = 0;
  if (!in.ReadVarint64(&count)) return BadEntity("it ends before its column count");
  uint64_t default_size = 0, sizes = 0;
  bool has_default = false;
  for (uint64_t i = 0; i < count; ++i) {  // Each column takes two bytes, so `in` bounds the loop.
    std::string_view name;
    uint64_t size = 0;
    if (!in.ReadLengthPrefixed(&name) || !in.ReadVarint64(&size)) {
      return BadEntity("it ends within its column names");
    }
    if (i == 0 && name.empty()) {
      has_default = true;
      default_size = size;
    }
    if (size > in.rest().size()) return BadEntity("a column is larger than the entity");
    sizes += size;  // Cannot wrap: each step adds at most the entity's size.
  }
  if (sizes != in.rest().size()) return BadEntity("its columns do not fill it");
  return has_default ? in.rest().substr(0, default_size) : std::string_view();
}

// 2 | count | bytes of name sizes, value sizes, names | types | name sizes | value sizes | names |
// values.
Result<std::string_view> DefaultColumnV2(ByteReader in) {
  uint64_t count = 0, name_sizes_bytes = 0, value_sizes_bytes = 0, names_bytes = 0;
  std::string_view types, name_sizes, value_sizes, names;
  const bool fits = in.ReadVarint64(&count) && in.ReadVarint64(&name_sizes_bytes) &&
                    in.ReadVarint64(&value_sizes_bytes) && in.ReadVarint64(&names_bytes) &&
                    in.ReadBytes(count, &types) && in.ReadBytes(name_sizes_bytes, &name_sizes) &&
                    in.ReadBytes(value_sizes_bytes, &value_sizes) &&
                    in.ReadBytes(names_bytes, &names);
  if (!fits) return BadEntity("it ends within its header");
  if (count == 0) return std::string_view();
  uint64_t name_size = 0, value_size = 0;
  std::string_view value;
  ByteReader first_name(name_sizes), first_value(value_sizes);
  if (!first_name.ReadVarint64(&name_size) || !first_value.ReadVarint64(&value_size)) {
    return BadEntity("its size lists are shorter than its column count");
  }
  if (name_size != 0) return std::string_view();
  if (static_cast<uint8_t>(types[0]) != static_cast<uint8_t>(ValueType::kValue)) {
    return Status::NotSupported("wide-column entity: its default column is a blob");
  }
  if (!in.ReadBytes(value_size, &value)) return BadEntity("a column is larger than the entity");
  return value;
}

Result<std::string_view> DefaultColumn(std::string_view entity) {
  ByteReader in(entity);
  uint64_t version = 0;
  if (!in.ReadVarint64(&version)) return BadEntity("it has no version");
  if (version == 1) return DefaultColumnV1(in);
  if (version == 2) return DefaultColumnV2(in);
  return Status::NotSupported("wide-column entity: version " + std::to_string(version));
}

// Looks for the operator's name where its operands are. Only ever runs to explain a failure.
Status NoMergeOperator(const ReadView& view, std::string_view user_key) {
  const Version& version = *view.version;
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.Overlapping(level, user_key, user_key)) {
      const Result<std::shared_ptr<const TableReader>> table = version.Open(*file);
      if (!table.ok()) continue;  // That table's own trouble; the lookup would have met it.
      const std::string& name = (*table)->properties().merge_operator;
      if (name.empty() || name == "nullptr") continue;
      return Status::NotSupported("merge operator \"" + name + "\" is not known here (table " +
                                  std::to_string(file->number()) + " was written with it)");
    }
  }
  return Status::NotSupported("the key has merge operands and the family no merge operator");
}

}  // namespace

Result<std::string_view> InlineValue(ValueType type, std::string_view stored) {
  switch (type) {
    case ValueType::kValue:
      return stored;
    case ValueType::kValuePreferredSeqno:
      if (stored.size() < kWriteTimeSize) {
        return Status::Corruption("put with write time: " + std::to_string(stored.size()) +
                                  " bytes are too few for the time");
      }
      return stored.substr(0, stored.size() - kWriteTimeSize);
    case ValueType::kWideColumnEntity:
      return DefaultColumn(stored);
    default:
      break;
  }
  return Status::Corruption("an entry of type " + std::to_string(static_cast<int>(type)) +
                            " stands where a value must be");
}

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
  ASSIGN_OR_RETURN(const std::string_view bytes, InlineValue(type, stored.view()));
  stored.Narrow(bytes);
  return stored;
}

Result<std::string> FoldOperands(const ReadView& view, std::string_view user_key,
                                 std::optional<std::string_view> base,
                                 std::span<const std::string_view> operands) {
  if (view.merge_operator == nullptr) return NoMergeOperator(view, user_key);
  return view.merge_operator->Merge(user_key, base, operands);
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
