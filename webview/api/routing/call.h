// SPDX-License-Identifier: Apache-2.0
// One request on its way through a handler: what the router has already found out (the route, the
// path's parts, the checked query, the target), and the look-ups that most resources share.
//
// A value: what outlives the handler (a RowSource, a BodyStream) keeps a copy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webview/api/json/bytes_json.h"
#include "webview/api/routing/answer.h"
#include "webview/api/routing/request.h"
#include "webview/api/routing/route.h"
#include "webview/api/routing/uri.h"
#include "webview/api/service.h"

namespace varve::api {

class Call {
 public:
  // Name and text of each "{name}" of the pattern.
  using PathParts = std::vector<std::pair<std::string_view, std::string>>;

  // Checks the query against the route's parameters and finds the target that the path names.
  static Answer<Call> Make(Service& service, const Request& request, const Route& route,
                           PathParts parts, Uri uri);

  Service& service() const { return *service_; }
  const Request& request() const { return *request_; }
  const Route& route() const { return *route_; }
  const Uri& uri() const { return uri_; }

  // ---- the path
  const std::string& Part(std::string_view name) const;  // Requires the pattern to have it.
  Target& target() const;                                // Requires "{t}" in the pattern.
  const std::shared_ptr<Target>& shared_target() const { return target_; }
  // bad_request unless the target is of this kind.
  Answer<Done> RequireKind(TargetKind kind) const;

  // ---- the query; each requires the route to declare the parameter with that type
  bool Has(std::string_view name) const;
  std::optional<std::string> Text(std::string_view name) const;
  std::optional<uint64_t> Number(std::string_view name) const;
  std::optional<std::string> Key(std::string_view name) const;
  bool Flag(std::string_view name) const;

  // ---- lists
  const std::string& position() const { return position_; }  // Empty: from the beginning.
  // A position that is a number; `otherwise` from the beginning.
  uint64_t number_of_position(uint64_t otherwise = 0) const;
  uint64_t rows_before() const { return rows_before_; }  // On the pages before this one.
  std::string TokenFor(const std::string& position, uint64_t rows_before) const;
  BytesStyle bytes() const;
  // This list again from `position`, one row, every byte of it: "href" of truncated bytes.
  std::string RowHref(const std::string& position) const;
  // This request again with one parameter set.
  std::string HrefWith(std::string_view parameter, std::string_view value) const;
  bool WantsLines() const;          // Accept: application/jsonl
  bool WantsEvents() const;         // Accept: text/event-stream
  std::string LastEventId() const;  // What the client had of the stream before; or "".

  // ---- the target's contents
  // The shape of the database now; every call gives the same, whatever is written meanwhile.
  // Only of databases.
  Answer<std::shared_ptr<const LsmReport>> Lsm() const;
  // The family that the path's {cf} or the query's cf names ("default" if neither): by name, or by
  // id where no family has that name. Points into *Lsm().
  Answer<const FamilyReport*> Family() const;
  // The table that the path's {n} names: file_not_found, or file_vanished when the MANIFEST has it
  // and the directory no more.
  Answer<TableFile> File() const;

  // The records of the target, a database.
  Answer<std::shared_ptr<RecordReader>> Records() const;

  // What is wrong with the MANIFEST, of a route that answers all the same. There is no Family() then.
  const std::optional<Problem>& damage() const { return damage_; }

  // {"schema":…, "as_of":…, "exact":true}: how every document begins.
  Json Head() const;

  // The JSON body, an object. bad_request for anything else.
  Answer<Json> Body() const;

 private:
  Call(Service& service, const Request& request, const Route& route, PathParts parts, Uri uri)
      : service_(&service),
        request_(std::make_shared<const Request>(request)),
        route_(&route),
        parts_(std::move(parts)),
        uri_(std::move(uri)) {}
  Answer<Done> CheckQuery();
  Answer<Done> TakePageToken();
  const std::string* Find(std::string_view name) const;
  std::string Binding() const;  // What page tokens are bound to: path, query, edit.

  Service* service_;
  std::shared_ptr<const Request> request_;
  const Route* route_;
  PathParts parts_;
  Uri uri_;
  std::shared_ptr<Target> target_;
  std::shared_ptr<const LsmReport> lsm_;
  std::optional<Problem> damage_;
  std::string position_;
  uint64_t rows_before_ = 0;
};

}  // namespace varve::api
