// SPDX-License-Identifier: Apache-2.0
#include "varve/status.h"

#include <cstdio>
#include <cstdlib>

#include "varve/result.h"
#include "varve/version.h"

namespace varve {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kOk:
      return "ok";
    case Code::kCorruption:
      return "corruption";
    case Code::kIoError:
      return "io_error";
    case Code::kNoSpace:
      return "no_space";
    case Code::kNotFound:
      return "not_found";
    case Code::kInvalidArgument:
      return "invalid_argument";
    case Code::kNotSupported:
      return "not_supported";
    case Code::kBusy:
      return "busy";
    case Code::kShutdown:
      return "shutdown";
  }
  return "unknown";
}

std::string Status::ToString() const {
  std::string text(CodeName(code()));
  if (!message().empty()) text.append(": ").append(message());
  return text;
}

Status Status::At(std::string_view where) const {
  if (ok()) return *this;
  std::string message(where);
  message.append(": ").append(rep_->message);
  return {rep_->code, std::move(message)};
}

void ResultMisused(const Status& status) {
  std::fprintf(stderr, "Result misused: it holds %s\n",
               status.ok() ? "an ok status and no value" : status.ToString().c_str());
  std::fflush(stderr);
  std::abort();
}

std::string_view LibraryVersion() { return VARVE_VERSION; }

}  // namespace varve
