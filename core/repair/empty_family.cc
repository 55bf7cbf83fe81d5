// SPDX-License-Identifier: Apache-2.0
#include "core/repair/empty_family.h"

#include <memory>
#include <vector>

#include "core/version/version.h"

namespace varve {

FamilyState EmptyFamily(ColumnFamilyId id, const std::string& name, const Comparator& order) {
  FamilyState family;
  family.id = id;
  family.name = name;
  family.comparator = &order;
  family.comparator_name = std::string(order.name());
  family.version = std::make_shared<const Version>(order, nullptr,
                                                   std::vector<std::vector<FilePtr>>(kUsualLevels),
                                                   std::vector<BlobFileMetadata>());
  return family;
}

}  // namespace varve
