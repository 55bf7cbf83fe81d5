// SPDX-License-Identifier: Apache-2.0
#include "webview/api/routing/call.h"

#include <algorithm>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/text/literal.h"
#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/routing/route_table.h"

namespace varve::api {
namespace {

bool IsOneOf(std::string_view choices, std::string_view text) {
  while (!choices.empty()) {
    if (TakeChoice(&choices) == text) return true;
  }
  return false;
}

Answer<Done> CheckValue(const QueryParameter& parameter, const std::string& text) {
  const std::string name(parameter.name);
  switch (parameter.type) {
    case ParameterType::kText:
      return Done();
    case ParameterType::kName:
      if (const auto bytes = Unescape(text); !bytes.ok()) {
        return Problem("bad_request", name + ": " + std::string(bytes.status().message()));
      }
      return Done();
    case ParameterType::kChoice:
      if (IsOneOf(parameter.choices, text)) return Done();
      return Problem("bad_request", name + " must be one of " + std::string(parameter.choices));
    case ParameterType::kNumber:
      if (ParseDecimal(text)) return Done();
      return Problem("bad_request", name + " must be an unsigned number of at most 64 bits");
    case ParameterType::kFlag:
      if (text.empty() || text == "true" || text == "false") return Done();
      return Problem("bad_request", name + " must be true or false");
    case ParameterType::kKey:
      break;
  }
  const Result<std::string> key = DecodeLiteral(text, Encoding::kUtf8);
  if (key.ok()) return Done();
  return Problem("bad_key_literal", name + ": " + std::string(key.status().message()));
}

const QueryParameter* FindParameter(std::span<const QueryParameter> list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const QueryParameter& p) { return p.name == name; });
  return found == list.end() ? nullptr : &*found;
}

// Parameters that may differ between the uses of a page token.
bool IsAboutPaging(std::string_view name) {
  return name == "page_token" || name == "page_size" || name == "bytes";
}

}  // namespace

Answer<Call> Call::Make(Service& service, const Request& request, const Route& route,
                        PathParts parts, Uri uri) {
  Call call(service, request, route, std::move(parts), std::move(uri));
  for (auto& [name, text] : call.parts_) {
    if (name == "cf") {
      Result<std::string> bytes = Unescape(text);
      if (!bytes.ok()) {
        return Problem("bad_request", "column family: " + std::string(bytes.status().message()));
      }
      text = *std::move(bytes);
    }
    if (name == "t") {
      ASSIGN_OR_RETURN(call.target_, call.TargetNamed(text));
    }
  }
  if (call.target_ != nullptr) RETURN_IF_PROBLEM(call.FindLsm());
  RETURN_IF_PROBLEM(call.CheckRights());
  RETURN_IF_PROBLEM(call.CheckQuery());
  RETURN_IF_PROBLEM(call.TakePageToken());
  return call;
}

Answer<Done> Call::FindLsm() {
  const TargetKind kind = target().kind();
  if (kind == TargetKind::kTable || kind == TargetKind::kWal) return Done();  // It has no MANIFEST.
  if (kind != TargetKind::kDatabase) {
    if (!route_->of_damaged_too) return Done();
    const auto lsm = ReportLsm(target().fs(), target().path());
    if (!lsm.ok()) damage_ = Problem(lsm.status());
    return Done();
  }
  // One consistent state of the database for the whole call.
  Answer<std::shared_ptr<const LsmReport>> lsm = target().Lsm();
  if (lsm.ok()) {
    lsm_ = *std::move(lsm);
    return Done();
  }
  RETURN_IF_PROBLEM(Require(OnTarget(Access::kRead)));  // Nobody knows what is of which family.
  if (route_->of_damaged_too) {
    damage_ = lsm.status();
  } else if (route_->cost.value != Cost::kJob) {  // A job may find out what is wrong.
    return lsm.status();
  }
  return Done();
}

Answer<std::shared_ptr<Target>> Call::TargetNamed(std::string_view id) const {
  ASSIGN_OR_RETURN(std::shared_ptr<Target> target, service_->FindTarget(id));
  if (caller().rights.HaveSomeOf(Access::kRead, target->name())) return target;
  return Service::NoSuchTarget();
}

Answer<Done> Call::CheckRights() const {
  const bool writes = route_->auth.value == Auth::kWrite;
  const Access access = writes ? Access::kWrite : Access::kRead;
  if (writes) RETURN_IF_PROBLEM(service_->RequireWrite());
  switch (route_->part) {
    case Part::kServer:
      return Done();
    case Part::kSome:
      if (caller().rights.HaveSomeOf(access, target().name())) return Done();
      return Require(OnTarget(access));
    case Part::kTarget:
      return Require(OnTarget(access));
    case Part::kFamily:
      return Require(OnFamily(access, Part("cf")));
    case Part::kFile:
      break;
  }
  return Require(OnFile(access, Part("n")));
}

Right Call::OnTarget(Access access) const { return {access, target().name()}; }

Right Call::OnFamily(Access access, const std::string& family) const {
  Right right = OnTarget(access);
  if (lsm_ == nullptr) return right;
  const FamilyReport* const found = lsm_->FindByNameOrId(family);
  right.family = found == nullptr ? family : found->name;
  if (May(right)) return right;
  // Which families there are besides, and which ids they have, is not told.
  right.family = ParseDecimal(family) ? std::nullopt : std::optional(family);
  return right;
}

Right Call::OnFile(Access access, std::string_view number) const {
  Right right = OnTarget(access);
  const Answer<TableFile> file = target().FindTable(lsm_.get(), number);
  if (!file.ok() || file->family == nullptr) return right;
  right.family = file->family->name;
  return May(right) ? right : OnTarget(access);
}

Problem RightMissing(const Caller& caller, const Right& right) {
  const std::string text = right.ToText();
  return Problem("right_missing", caller.name + " has no right to this: " + text)
      .With("right", text);
}

Answer<Done> Call::Require(const Right& right) const {
  return May(right) ? Answer<Done>(Done()) : RightMissing(caller(), right);
}

bool Call::Sees(const std::string& family) const {
  return May({Access::kRead, target().name(), family});
}

Answer<Done> Call::CheckQuery() {
  const std::span<const QueryParameter> own = route_->parameters;
  for (size_t i = 0; i < uri_.query.size(); ++i) {
    const auto& [name, text] = uri_.query[i];
    const QueryParameter* parameter = FindParameter(own, name);
    if (parameter == nullptr && route_->max_rows != kNoRows) {
      parameter = FindParameter(ListParameters(), name);
    }
    if (parameter == nullptr) {
      return Problem("bad_request", "there is no parameter '" + EscapeForDisplay(name) + "' here");
    }
    for (size_t j = 0; j < i; ++j) {
      if (uri_.query[j].first == name) return Problem("bad_request", name + " is given twice");
    }
    RETURN_IF_PROBLEM(CheckValue(*parameter, text));
  }
  for (const QueryParameter& parameter : own) {
    if (parameter.required && !Has(parameter.name)) {
      return Problem("bad_request", "parameter '" + std::string(parameter.name) + "' is missing");
    }
  }
  return Done();
}

std::string Call::Binding() const {
  std::string binding;
  for (const std::string& segment : uri_.path) binding += "/" + PercentEncode(segment);
  std::vector<std::string> pairs;
  for (const auto& [name, text] : uri_.query) {
    if (!IsAboutPaging(name)) pairs.push_back(PercentEncode(name) + "=" + PercentEncode(text));
  }
  std::sort(pairs.begin(), pairs.end());
  for (size_t i = 0; i < pairs.size(); ++i) binding += (i == 0 ? "?" : "&") + pairs[i];
  return binding;
}

std::string Call::TokenBinding() const {
  const std::string& name = request_->caller.name;  // Has no slash, with which the rest begins.
  return name.empty() ? Binding() : name + "\n" + Binding();
}

Answer<Done> Call::TakePageToken() {
  const std::string* token = Find("page_token");
  if (token == nullptr) return Done();
  const std::string restart = Binding();
  auto place = service_->page_tokens().Open(*token, TokenBinding());
  if (!place.ok()) {
    Problem problem = place.status();
    return std::move(problem).With("restart_href", restart);
  }
  // A file's contents do not change; everything else is bound to one edit.
  if (lsm_ != nullptr && place->edit != lsm_->manifest_edits) {
    const bool of_file = std::any_of(parts_.begin(), parts_.end(),
                                     [](const auto& part) { return part.first == "n"; });
    if (!of_file) {
      return Problem("page_token_expired", "the database has changed since the first page")
          .With("restart_href", restart);
    }
  }
  ByteReader in(place->position);
  if (!in.ReadVarint64(&rows_before_)) {
    return Problem("page_token_mismatch", "page_token has no position");
  }
  position_ = in.rest();
  return Done();
}

const std::string& Call::Part(std::string_view name) const {
  const auto found = std::find_if(parts_.begin(), parts_.end(),
                                  [&](const auto& part) { return part.first == name; });
  CHECK(found != parts_.end());
  return found->second;
}

Target& Call::target() const {
  CHECK(target_ != nullptr);
  return *target_;
}

const std::string* Call::Find(std::string_view name) const {
  for (const auto& [given, text] : uri_.query) {
    if (given == name) return &text;
  }
  return nullptr;
}

bool Call::Has(std::string_view name) const { return Find(name) != nullptr; }

std::optional<std::string> Call::Text(std::string_view name) const {
  const std::string* text = Find(name);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::string> Call::Name(std::string_view name) const {
  const std::string* text = Find(name);
  if (text == nullptr) return std::nullopt;
  Result<std::string> bytes = Unescape(*text);
  return bytes.ok() ? std::optional(*std::move(bytes)) : std::nullopt;
}

std::optional<uint64_t> Call::Number(std::string_view name) const {
  const std::string* text = Find(name);
  return text == nullptr ? std::nullopt : ParseDecimal(*text);
}

uint64_t Call::number_of_position(uint64_t otherwise) const {
  return ParseDecimal(position_).value_or(otherwise);
}

std::optional<std::string> Call::Key(std::string_view name) const {
  const std::string* text = Find(name);
  if (text == nullptr) return std::nullopt;
  Result<std::string> key = DecodeLiteral(*text, Encoding::kUtf8);
  return key.ok() ? std::optional(*std::move(key)) : std::nullopt;
}

bool Call::Flag(std::string_view name) const {
  const std::string* text = Find(name);
  return text != nullptr && *text != "false";
}

std::string Call::TokenFor(const std::string& position, uint64_t rows_before) const {
  std::string place;
  AppendVarint64(&place, rows_before);
  return service_->page_tokens().Make(TokenBinding(), lsm_ == nullptr ? 0 : lsm_->manifest_edits,
                                      place.append(position));
}

BytesStyle Call::bytes() const {
  const std::string* name = Find("bytes");
  if (name != nullptr) return BytesStyleByName(*name);
  return BytesStyleByName(request_->in_process ? "full" : "");
}

std::string Call::RowHref(const std::string& position) const {
  const std::string binding = Binding();
  return binding + (binding.find('?') == std::string::npos ? "?" : "&") +
         "page_size=1&bytes=full&page_token=" + TokenFor(position, 0);
}

std::string Call::HrefWith(std::string_view parameter, std::string_view value) const {
  const std::string binding = Binding();
  return binding + (binding.find('?') == std::string::npos ? "?" : "&") + std::string(parameter) +
         "=" + PercentEncode(value);
}

bool Call::WantsLines() const {
  const std::string* accept = FindHeader(request_->headers, "Accept");
  return route_->max_rows != kNoRows && accept != nullptr &&
         accept->find(kJsonLinesType) != std::string::npos;
}

bool Call::WantsEvents() const {
  const std::string* accept = FindHeader(request_->headers, "Accept");
  return accept != nullptr && accept->find(kEventsType) != std::string::npos;
}

std::string Call::LastEventId() const {
  const std::string* id = FindHeader(request_->headers, "Last-Event-ID");
  return id == nullptr ? "" : *id;
}

Answer<std::shared_ptr<const LsmReport>> Call::Lsm() const {
  RETURN_IF_PROBLEM(RequireKind(TargetKind::kDatabase));
  if (lsm_ != nullptr) return lsm_;
  return target().Lsm();
}

Answer<std::shared_ptr<RecordReader>> Call::Records() const {
  RETURN_IF_PROBLEM(RequireKind(TargetKind::kDatabase));
  return target().Records(service_->options().records);
}

Answer<const FamilyReport*> Call::Family() const {
  RETURN_IF_PROBLEM(RequireKind(TargetKind::kDatabase));
  CHECK(lsm_ != nullptr);
  std::string wanted = Name("cf").value_or("default");
  for (const auto& [name, text] : parts_) {
    if (name == "cf") wanted = text;
  }
  if (const FamilyReport* family = lsm_->FindByNameOrId(wanted)) return family;
  return Problem("cf_not_found", "there is no column family '" + EscapeForDisplay(wanted) + "'");
}

Answer<TableFile> Call::File() const {
  ASSIGN_OR_RETURN(TableFile file, target().FindTable(lsm_.get(), Part("n")));
  if (target().fs().Exists(file.path)) return file;
  if (file.report == nullptr) {
    return Problem("file_not_found", file.name + " is not in the directory");
  }
  // Files are removed after the edit that drops their table: a missing table that the current
  // MANIFEST still names is really missing, others were just deleted.
  ASSIGN_OR_RETURN(const std::shared_ptr<const LsmReport> now, target().Lsm());
  const Answer<TableFile> still = target().FindTable(now.get(), Part("n"));
  if (still.ok() && still->report != nullptr) {
    return Problem("manifest_mismatch", file.name + ": the MANIFEST names it, but it is missing");
  }
  return Problem("file_vanished", file.name + " is no longer part of the database");
}

AsOf Call::as_of() const {
  AsOf now;
  if (lsm_ != nullptr) {
    now.edit = lsm_->manifest_edits;
    now.sequence = lsm_->last_sequence;
  }
  now.live = target_ != nullptr && target_->live() != nullptr;
  return now;
}

Json Call::HeadAsOf(const AsOf& moment) const {
  return {{"schema", std::string(route_->documents.name())},
          {"as_of", AsOfFields().ToJson(moment)},
          {"exact", true}};
}

Json Call::HeadAt(Sequence sequence) const {
  AsOf moment = as_of();
  moment.sequence = sequence;
  return HeadAsOf(moment);
}

std::shared_ptr<BodySource> Call::SourceOf(std::string_view body) {
  class Small : public BodySource {
   public:
    explicit Small(std::string_view bytes) : size_(bytes.size()), rest_(bytes) {}
    uint64_t size() const override { return size_; }
    Result<std::string_view> Next() override { return std::exchange(rest_, {}); }

   private:
    const uint64_t size_;
    std::string_view rest_;
  };
  return std::make_shared<Small>(body);
}

BodySource& Call::Bytes() const {
  CHECK(route_->takes_bytes);
  return request_->source != nullptr ? *request_->source : *small_body_;
}

Answer<Json> Call::BodyJson(const BodyShape& shape) const {
  CHECK(route_->body.given() && &route_->body.shape() == &shape);
  if (request_->body.empty() && shape.may_be_empty) return Json::object();
  Json body = ParseJson(request_->body, Members::kOnce);
  if (body.is_discarded() || !body.is_object()) {
    return Problem("bad_request", "the body must be a JSON object, with no member twice");
  }
  return body;
}

}  // namespace varve::api
