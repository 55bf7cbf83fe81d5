// SPDX-License-Identifier: Apache-2.0
// One request in a handler: the results of routing (the route, the path's parts, the checked query,
// the target), and look-ups that most resources share.
//
// A value: objects that outlive the handler (a RowSource, a BodyStream) keep a copy.
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
#include "webview/api/schema/as_of.h"
#include "webview/api/service.h"

namespace varve::api {

class Call {
 public:
  // Name and value of each "{name}" in the pattern.
  using PathParts = std::vector<std::pair<std::string_view, std::string>>;

  // Checks the query against the route's parameters and finds the target in the path.
  static Answer<Call> Make(Service& service, const Request& request, const Route& route,
                           PathParts parts, Uri uri);

  Service& service() const { return *service_; }
  const Request& request() const { return *request_; }
  const Route& route() const { return *route_; }
  const Uri& uri() const { return uri_; }

  // ---- the path
  // Requires that the pattern has it. {cf} is without its escapes.
  const std::string& Part(std::string_view name) const;
  Target& target() const;  // Requires "{t}" in the pattern.
  const std::shared_ptr<Target>& shared_target() const { return target_; }
  // bad_request unless the target is of this kind.
  Answer<Done> RequireKind(TargetKind kind) const { return target().RequireKind(kind); }

  // ---- the query; each requires the route to declare the parameter with that type
  bool Has(std::string_view name) const;
  std::optional<std::string> Text(std::string_view name) const;
  std::optional<std::string> Name(std::string_view name) const;  // Its bytes, without escapes.
  std::optional<uint64_t> Number(std::string_view name) const;
  std::optional<std::string> Key(std::string_view name) const;
  bool Flag(std::string_view name) const;

  // ---- lists
  const std::string& position() const { return position_; }  // Empty: from the beginning.
  // A numeric position; `otherwise` from the beginning.
  uint64_t number_of_position(uint64_t otherwise = 0) const;
  uint64_t rows_before() const { return rows_before_; }  // On the pages before this one.
  std::string TokenFor(const std::string& position, uint64_t rows_before) const;
  BytesStyle bytes() const;
  // A link to this list from `position` on, one row, without truncation: "href" of truncated bytes.
  std::string RowHref(const std::string& position) const;
  // A link to this request with one parameter changed.
  std::string HrefWith(std::string_view parameter, std::string_view value) const;
  bool WantsLines() const;   // Accept: application/jsonl
  bool WantsEvents() const;  // Accept: text/event-stream
  // The last event that the client got from an earlier stream; or "".
  std::string LastEventId() const;

  // ---- the target's contents
  // The current LSM tree; the same for every call, whatever is written meanwhile. Databases only.
  Answer<std::shared_ptr<const LsmReport>> Lsm() const;
  // The family named by the path's {cf} or the query's cf ("default" without either): by name, or
  // by id if no family has that name. Points into *Lsm().
  Answer<const FamilyReport*> Family() const;
  // The table with the path's number {n}: file_not_found, or file_vanished if it is in the MANIFEST
  // but not in the directory.
  Answer<TableFile> File() const;

  // The records of the target, which must be a database.
  Answer<std::shared_ptr<RecordReader>> Records() const;

  // ---- rights; that of the route has been checked
  const Caller& caller() const { return request_->caller; }
  Right OnTarget(Access access) const;
  // By name or id. Of a target whose families are not known, all of it.
  Right OnFamily(Access access, const std::string& family) const;
  // The family that has the table now; of others, all of the target.
  Right OnFile(Access access, std::string_view number) const;
  bool May(const Right& right) const { return caller().rights.Have(right); }
  // right_missing.
  Answer<Done> Require(const Right& right) const;
  // Whether the caller may read that family of the target.
  bool Sees(const std::string& family) const;
  // Another target, if the caller may see any of it.
  Answer<std::shared_ptr<Target>> TargetNamed(std::string_view id) const;

  // The problem with the MANIFEST, for routes that work nevertheless. Then there is no Family().
  const std::optional<Problem>& damage() const { return damage_; }

  // {"schema":…, "as_of":…, "exact":true}: the beginning of every document.
  Json Head() const { return HeadAsOf(as_of()); }
  Json HeadAsOf(const AsOf& moment) const;
  // Of records as they are at that sequence number.
  Json HeadAt(Sequence sequence) const;
  AsOf as_of() const;  // What there is now.

  // The body of a route that `takes_bytes`. The call must outlive it.
  BodySource& Bytes() const;

  // The JSON body, as read by the description that the route has as its `body`. What that does not
  // describe is a problem with its place.
  template <typename T>
  Answer<T> Body(const Shape<T>& shape) const {
    ASSIGN_OR_RETURN(const Json body, BodyJson(shape));
    return shape.read(body, "");
  }

 private:
  Call(Service& service, const Request& request, const Route& route, PathParts parts, Uri uri)
      : service_(&service),
        request_(std::make_shared<const Request>(request)),
        small_body_(SourceOf(request_->body)),
        route_(&route),
        parts_(std::move(parts)),
        uri_(std::move(uri)) {}
  static std::shared_ptr<BodySource> SourceOf(std::string_view body);
  Answer<Done> FindLsm();
  Answer<Done> CheckRights() const;
  Answer<Done> CheckQuery();
  Answer<Done> TakePageToken();
  Answer<Json> BodyJson(const BodyShape& shape) const;
  const std::string* Find(std::string_view name) const;
  std::string Binding() const;       // Path and query, without what is about paging.
  std::string TokenBinding() const;  // What page tokens are bound to: that, of this caller.

  Service* service_;
  std::shared_ptr<const Request> request_;
  std::shared_ptr<BodySource> small_body_;  // Of a request without a source.
  const Route* route_;
  PathParts parts_;
  Uri uri_;
  std::shared_ptr<Target> target_;
  std::shared_ptr<const LsmReport> lsm_;
  std::optional<Problem> damage_;
  std::string position_;
  uint64_t rows_before_ = 0;
};

Problem RightMissing(const Caller& caller, const Right& right);

}  // namespace varve::api
