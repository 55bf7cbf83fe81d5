// SPDX-License-Identifier: Apache-2.0
// Status says whether an operation succeeded and, if not, what the caller can do about it.
//
// There is one code per *reaction*, not per cause: failures that a caller handles the same way
// share a code, and the message names the cause. Codes are stable (they are part of the WASM and
// HTTP interfaces); messages are for people and always name the place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "varve/export.h"

namespace varve {

// The kind of failure, by how a caller can react to it.
enum class Code : uint8_t {
  kOk = 0,      // No failure.
  kCorruption,  // Stored bytes are wrong. Retrying cannot help; restore or repair.
  // The OS reported an error. After a failed write the DB takes no writes until reopened.
  kIoError,
  kNoSpace,          // As kIoError, but freeing space helps.
  kNotFound,         // A required file or directory does not exist.
  kInvalidArgument,  // The caller's mistake.
  kNotSupported,     // A valid file or option that this engine does not implement; says which.
  // Locked by another process, a conflicting operation is running, or the caller would have to wait
  // and asked not to.
  kBusy,
  kShutdown,  // The DB is closing, or closed; or the caller cancelled the call.
};

// "corruption", "io_error", ...: the stable name for programs. Valid forever.
VARVE_EXPORT std::string_view CodeName(Code code);

// Ok, or a Code and a message. Copies share the message and are cheap; a moved-from Status is Ok.
// Any number of threads may read one concurrently.
class [[nodiscard]] VARVE_EXPORT Status {
 public:
  Status() = default;  // kOk.
  // A failure. With Code::kOk it is Ok, and the message is dropped.
  Status(Code code, std::string message) {
    if (code != Code::kOk) rep_ = std::make_shared<const Rep>(Rep{code, std::move(message)});
  }

  // Success.
  static Status Ok() { return {}; }
  // Code::kCorruption.
  static Status Corruption(std::string why) { return {Code::kCorruption, std::move(why)}; }
  // Code::kIoError.
  static Status IoError(std::string why) { return {Code::kIoError, std::move(why)}; }
  // Code::kNoSpace.
  static Status NoSpace(std::string why) { return {Code::kNoSpace, std::move(why)}; }
  // Code::kNotFound.
  static Status NotFound(std::string why) { return {Code::kNotFound, std::move(why)}; }
  // Code::kInvalidArgument.
  static Status InvalidArgument(std::string why) {
    return {Code::kInvalidArgument, std::move(why)};
  }
  // Code::kNotSupported.
  static Status NotSupported(std::string why) { return {Code::kNotSupported, std::move(why)}; }
  // Code::kBusy.
  static Status Busy(std::string why) { return {Code::kBusy, std::move(why)}; }
  // Code::kShutdown.
  static Status Shutdown(std::string why) { return {Code::kShutdown, std::move(why)}; }

  // True for a success.
  bool ok() const { return rep_ == nullptr; }
  // The kind of failure; kOk for a success.
  Code code() const { return rep_ ? rep_->code : Code::kOk; }
  // For people; empty if ok. Valid until this Status is changed or destroyed.
  std::string_view message() const { return rep_ ? std::string_view(rep_->message) : ""; }

  // "corruption: 000012.sst@4096: ..." or "ok".
  std::string ToString() const;

  // A copy whose message is prefixed with the place of the failure: "000012.sst@4096: ...". Ok
  // stays Ok.
  Status At(std::string_view where) const;

  // The only way to drop an error; `why` documents the reason at the call site.
  void Ignore([[maybe_unused]] const char* why) const {}

 private:
  struct Rep {
    Code code;
    std::string message;
  };
  std::shared_ptr<const Rep> rep_;  // Null when ok: success costs one pointer test.
};

}  // namespace varve
