// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/bundle.h"

#include <algorithm>
#include <random>

#include "core/base/bytes/byte_reader.h"
#include "core/format/file_name.h"
#include "tests/fuzz/mend_log.h"
#include "tests/fuzz/mend_table.h"

namespace varve::fuzz {
namespace {

constexpr size_t kFilesMax = 40;

bool IsName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

void ChangeFile(const std::string& name, std::string* bytes, size_t size_max, uint32_t seed,
                const AnyChange& any) {
  const auto parsed = ParseFileName(name);
  const FileKind kind = parsed ? parsed->kind : FileKind::kInfoLog;
  if (kind == FileKind::kTable || kind == FileKind::kTableLdb) {
    return ChangeTable(bytes, size_max, seed, any);
  }
  if (kind == FileKind::kWal || kind == FileKind::kManifest) {
    return ChangeLog(bytes, size_max, seed, any);
  }
  ChangeAll(bytes, std::min(size_max, bytes->size() + 64), any);
}

}  // namespace

Bundle Unpack(std::string_view input) {
  Bundle bundle;
  ByteReader in(input);
  while (!in.empty() && bundle.size() < kFilesMax) {
    uint8_t name_size = 0;
    uint32_t size = 0;
    std::string_view name, bytes;
    in.ReadByte(&name_size);
    in.ReadBytes(std::min<size_t>(name_size, in.rest().size()), &name);
    if (!in.ReadFixed32(&size)) break;
    in.ReadBytes(std::min<size_t>(size, in.rest().size()), &bytes);
    if (IsName(name)) bundle.emplace_back(name, bytes);
  }
  return bundle;
}

std::string Pack(const Bundle& bundle) {
  std::string input;
  for (const auto& [name, bytes] : bundle) {
    input += static_cast<char>(name.size());
    input += name;
    AppendFixed32(&input, static_cast<uint32_t>(bytes.size()));
    input += bytes;
  }
  return input;
}

void WriteBundle(const Bundle& bundle, FileSystem& fs, const std::string& directory) {
  MustBeOk(fs.CreateDirectory(directory), directory);
  for (const auto& [name, bytes] : bundle) WriteFile(fs, directory + "/" + name, bytes);
}

void ChangeBundle(std::string* input, size_t size_max, uint32_t seed, const AnyChange& any) {
  std::minstd_rand random(seed);
  Bundle bundle = Unpack(*input);
  if (bundle.empty()) return ChangeAll(input, size_max, any);
  const size_t others = input->size();
  auto& [name, bytes] = bundle[random() % bundle.size()];
  switch (random() % 16) {
    case 0:
      ChangePart(&name, 0, name.size(), any);
      break;
    case 1:
      name = bundle[random() % bundle.size()].first;
      break;
    case 2:
      bundle.erase(bundle.begin() + static_cast<ptrdiff_t>(random() % bundle.size()));
      break;
    default:
      ChangeFile(name, &bytes, size_max - std::min(size_max, others - bytes.size()),
                 static_cast<uint32_t>(random()), any);
  }
  *input = Pack(bundle);
}

}  // namespace varve::fuzz
