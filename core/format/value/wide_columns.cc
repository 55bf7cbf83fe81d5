// SPDX-License-Identifier: Apache-2.0
#include "core/format/value/wide_columns.h"

#include <string>

#include "core/base/bytes/byte_reader.h"
#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/length_prefixed.h"

namespace varve {
namespace {

Status Broken() { return Status::Corruption("wide columns: a field does not fit the entity"); }

// Names are set, values have only sizes: reads the values from `in`, which must contain exactly
// them.
Status CutValues(ByteReader* in, const std::vector<uint32_t>& sizes,
                 std::vector<WideColumn>* columns) {
  DCHECK_OP(sizes.size(), ==, columns->size());
  for (size_t i = 0; i < columns->size(); ++i) {
    if (!in->ReadBytes(sizes[i], &(*columns)[i].value)) return Broken();
    if (i > 0 && (*columns)[i].name <= (*columns)[i - 1].name) {
      return Status::Corruption("wide columns: the names do not increase");
    }
  }
  if (in->empty()) return {};
  return Status::Corruption("wide columns: " + std::to_string(in->rest().size()) +
                            " bytes follow the last value");
}

Result<std::vector<WideColumn>> DecodeVersion1(ByteReader in, uint32_t count) {
  // Two sizes; limits how much memory a count can make us allocate.
  constexpr uint64_t kColumnSizeMin = 2;
  if (count > in.rest().size() / kColumnSizeMin) return Broken();
  std::vector<WideColumn> columns(count);
  std::vector<uint32_t> sizes(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (!ReadLengthPrefixed32(in, &columns[i].name) || !in.ReadVarint32(&sizes[i])) return Broken();
  }
  RETURN_IF_ERROR(CutValues(&in, sizes, &columns));
  return columns;
}

Result<std::vector<WideColumn>> DecodeVersion2(ByteReader in, uint32_t count) {
  uint32_t name_sizes_size = 0, value_sizes_size = 0, names_size = 0;
  std::string_view types, name_sizes, value_sizes, names;
  const bool fits = in.ReadVarint32(&name_sizes_size) && in.ReadVarint32(&value_sizes_size) &&
                    in.ReadVarint32(&names_size) && in.ReadBytes(count, &types) &&
                    in.ReadBytes(name_sizes_size, &name_sizes) &&
                    in.ReadBytes(value_sizes_size, &value_sizes) &&
                    in.ReadBytes(names_size, &names);
  if (!fits) return Broken();
  ByteReader name_size_in(name_sizes), value_size_in(value_sizes), name_in(names);
  std::vector<WideColumn> columns(count);
  std::vector<uint32_t> sizes(count);
  for (uint32_t i = 0; i < count; ++i) {
    columns[i].type = static_cast<ValueType>(types[i]);
    if (columns[i].type != ValueType::kValue && columns[i].type != ValueType::kBlobIndex) {
      return Status::Corruption("wide columns: unknown column type " +
                                std::to_string(static_cast<uint8_t>(types[i])));
    }
    uint32_t name_size = 0;
    if (!name_size_in.ReadVarint32(&name_size) || !name_in.ReadBytes(name_size, &columns[i].name) ||
        !value_size_in.ReadVarint32(&sizes[i])) {
      return Broken();
    }
  }
  if (!name_size_in.empty() || !value_size_in.empty() || !name_in.empty()) return Broken();
  RETURN_IF_ERROR(CutValues(&in, sizes, &columns));
  return columns;
}

}  // namespace

Result<std::vector<WideColumn>> DecodeWideColumns(std::string_view entity) {
  ByteReader in(entity);
  uint32_t version = 0, count = 0;
  if (!in.ReadVarint32(&version) || !in.ReadVarint32(&count)) return Broken();
  if (version == 1) return DecodeVersion1(in, count);
  if (version == 2) return DecodeVersion2(in, count);
  return Status::NotSupported("wide columns of version " + std::to_string(version));
}

Result<std::string_view> DefaultColumn(std::string_view entity) {
  ASSIGN_OR_RETURN(const std::vector<WideColumn> columns, DecodeWideColumns(entity));
  if (columns.empty() || !columns.front().name.empty()) return std::string_view();
  if (columns.front().type == ValueType::kBlobIndex) {
    return Status::NotSupported("wide columns: the default column is a blob");
  }
  return columns.front().value;
}

}  // namespace varve
