// SPDX-License-Identifier: Apache-2.0
// JSON Schema from a description of members that reads like the document it describes:
//
//   Document("varve.file/1", {{"file", Object({{"id", U64()}, {"size", Number()},
//                                              {"unique_id", Text(), kOptional}})}})
//
// Tests hold every fixture's replies against these, with members that are not described refused.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "webview/api/json/json.h"

namespace varve::api {

enum Presence : bool { kOptional = false, kRequired = true };

struct SchemaMember {
  std::string_view name;
  Json type;
  Presence presence = kRequired;
};
using SchemaMembers = std::vector<SchemaMember>;

Json Object(const SchemaMembers& members);
// With a name (its "title"), under which it is a component of openapi.json, and a type of the clients
// that are made from that: one name, one type.
Json Object(std::string_view name, const SchemaMembers& members);
void AddMember(Json* object, const SchemaMember& member);
Json ArrayOf(Json element);
Json MapOf(Json value);  // An object whose member names are data.
Json Text();
Json Number();    // 0 .. 2^53
Json Integer();   // -2^53 .. 2^53
Json Fraction();  // Any number.
Json Boolean();
Json U64();      // "17": decimal digits in a string, since it may pass 2^53.
Json HexText();  // "0x1a2b" or "1a2b".
Json OneOf(std::initializer_list<std::string_view> values);
Json Anything();
// The objects that occur everywhere, by reference to "#/$defs/…", which Document() brings along.
Json BytesRef();  // {"hex":…,"text":…,"len":…}
Json BoundRef();  // {"key":{…},"seq":"17","type":"put"}
Json FindingRef();
Json ProblemRef();  // What keeps a list or a part of an answer from being whole.

// Members that every document has (schema, as_of, exact) and then these. It is named after itself:
// "varve.scan_reads/1" is "ScanReadsDocument".
Json Document(std::string_view name, const SchemaMembers& members);
// The same with rows and how the list goes on.
Json ListDocument(std::string_view name, const SchemaMembers& head, std::string_view rows,
                  Json row);

}  // namespace varve::api
