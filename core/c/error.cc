// SPDX-License-Identifier: Apache-2.0
#include "core/c/error.h"

#include <cstdlib>
#include <cstring>

#include "core/base/check.h"

namespace varve::c {
namespace {

// What RocksDB's Status::ToString() begins with.
std::string_view PrefixOf(Code code) {
  switch (code) {
    case Code::kOk:
      return "OK";
    case Code::kCorruption:
      return "Corruption: ";
    case Code::kIoError:
      return "IO error: ";
    case Code::kNoSpace:
      return "IO error: No space left on device: ";
    case Code::kNotFound:
      return "NotFound: ";
    case Code::kInvalidArgument:
      return "Invalid argument: ";
    case Code::kNotSupported:
      return "Not implemented: ";
    case Code::kBusy:
      return "Resource busy: ";
    case Code::kShutdown:
      return "Shutdown in progress: ";
  }
  return "Unknown code: ";
}

}  // namespace

std::string ErrorText(const Status& status) {
  return std::string(PrefixOf(status.code())).append(status.message());
}

void SaveErrorText(char** errptr, std::string_view text) {
  if (errptr == nullptr) return;
  std::free(*errptr);
  *errptr = CopyText(text);
}

bool PassError(char* error, char** errptr) {
  if (error == nullptr) return false;
  if (errptr == nullptr) {
    std::free(error);
    return true;
  }
  std::free(*errptr);
  *errptr = error;
  return true;
}

bool SaveError(char** errptr, const Status& status) {
  if (status.ok()) return false;
  SaveErrorText(errptr, ErrorText(status));
  return true;
}

Status IoErrorIfMissing(const Status& status) {
  if (status.code() != Code::kNotFound) return status;
  return Status::IoError("No such file or directory: " + std::string(status.message()));
}

Status Refusal(std::string_view name) {
  return Status::NotSupported(std::string(name) + ": Varve does not have it");
}

void Refuse(char** errptr, std::string_view name) { SaveError(errptr, Refusal(name)); }

char* CopyBytes(std::string_view bytes, size_t* size) {
  if (size != nullptr) *size = bytes.size();
  char* const copy = static_cast<char*>(std::malloc(bytes.size() + 1));
  VARVE_CHECK(copy != nullptr);  // As everywhere in core/: no memory ends the process.
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  copy[bytes.size()] = '\0';
  return copy;
}

char* CopyText(std::string_view text) { return CopyBytes(text, nullptr); }

const char* BytesOf(std::string_view bytes, size_t* size) {
  *size = bytes.size();
  return bytes.data() == nullptr ? "" : bytes.data();
}

}  // namespace varve::c

extern "C" void rocksdb_free(void* memory) { std::free(memory); }
