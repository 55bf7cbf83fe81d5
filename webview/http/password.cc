// SPDX-License-Identifier: Apache-2.0
#include "webview/http/password.h"

#include <algorithm>

#ifdef VARVE_HAS_YESCRYPT
#include <crypt.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#endif

#include "webview/http/token.h"

namespace varve::http {
namespace {

constexpr std::string_view kPrefix = "$y$";

Status CheckLength(const std::string& password) {
  if (password.size() < kPasswordBytesMin || password.size() > kPasswordBytesMax) {
    return Status::InvalidArgument("a password has " + std::to_string(kPasswordBytesMin) + " to " +
                                   std::to_string(kPasswordBytesMax) + " bytes");
  }
  if (password.find('\0') == std::string::npos) return Status::Ok();
  return Status::InvalidArgument("a password has no NUL");
}

#ifdef VARVE_HAS_YESCRYPT
// Empty: it cannot be computed.
std::string Crypt(const std::string& password, const std::string& setting) {
  const auto data = std::make_unique<crypt_data>();  // 32 KiB, which is too much for a stack.
  const char* const hash = crypt_r(password.c_str(), setting.c_str(), data.get());
  const std::string made = hash == nullptr || hash[0] == '*' ? "" : hash;
  explicit_bzero(data.get(), sizeof(crypt_data));
  return made;
}
#endif

}  // namespace

Result<std::string> HashPassword(const std::string& password) {
  if (Status fits = CheckLength(password); !fits.ok()) return fits;
#ifdef VARVE_HAS_YESCRYPT
  std::array<char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return Status::IoError(std::string("no random bytes for a salt: ") + std::strerror(errno));
  }
  std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting;
  if (crypt_gensalt_rn(kPrefix.data(), 0, bytes.data(), static_cast<int>(bytes.size()),
                       setting.data(), static_cast<int>(setting.size())) != nullptr) {
    std::string hash = Crypt(password, setting.data());
    if (!hash.empty()) return hash;
  }
#endif
  return Status::NotSupported(
      "passwords: the C library of this system has no yescrypt; give users tokens");
}

bool IsPasswordHash(std::string_view hash) {
  return hash.size() > kPrefix.size() && hash.size() < 128 && hash.starts_with(kPrefix) &&
         std::all_of(
             hash.begin(), hash.end(),
             [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '.' || c == '/' || c == '$';
             });
}

bool IsPassword([[maybe_unused]] const std::string& hash,
                [[maybe_unused]] const std::string& password) {
#ifdef VARVE_HAS_YESCRYPT
  const bool fits = CheckLength(password).ok();
  return TokensEqual(hash, Crypt(fits ? password : "", hash)) && fits;
#else
  return false;
#endif
}

}  // namespace varve::http
