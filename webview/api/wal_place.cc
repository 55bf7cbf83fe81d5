// SPDX-License-Identifier: Apache-2.0
#include "webview/api/wal_place.h"

#include "core/base/text/quantity.h"

namespace varve::api {

Answer<WalPlace> WalOf(const Call& call) {
  const std::optional<FileNumber> named = ParseDecimal(call.Part("n"));
  if (!named) return Problem("bad_request", "a log is identified by its number");
  const FileNumber number = *named;
  const bool database = call.target().kind() == TargetKind::kDatabase;
  // An empty log, and one that begins with damage, cannot be identified by contents.
  if (!database && call.target().kind() != TargetKind::kUnknown) {
    RETURN_IF_PROBLEM(call.RequireKind(TargetKind::kWal));
  }
  Result<WalPlace> place = FindWal(call.target().fs(), call.target().path(),
                                   database ? std::optional<FileNumber>(number) : std::nullopt);
  if (!place.ok() && place.status().code() == Code::kNotFound) {
    return Problem("file_not_found", std::string(place.status().message()));
  }
  if (!place.ok()) return Problem::OfReading(place.status());
  return *std::move(place);
}

std::optional<Problem> ManifestDamageOf(const Call& call) {
  return call.target().kind() == TargetKind::kDatabase ? call.damage() : std::nullopt;
}

}  // namespace varve::api
