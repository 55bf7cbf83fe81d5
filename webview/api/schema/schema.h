// SPDX-License-Identifier: Apache-2.0
// Makes JSON Schema from a description that resembles the document:
//
//   Document("varve.file/1", {{"file", Object({{"id", U64()}, {"size", Number()},
//                                              {"unique_id", Text(), kOptional}})}})
//
// Tests validate the replies of every fixture against these, rejecting undescribed members.
#pragma once

#include <initializer_list>
#include <span>
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
// With a name (its "title") it is a component of openapi.json, and a type of generated clients:
// names must be unique.
Json Object(std::string_view name, const SchemaMembers& members);
void AddMember(Json* object, const SchemaMember& member);
Json ArrayOf(Json element);
Json MapOf(Json value);  // An object whose member names are data.
Json Text();
std::string WithEscapes(std::string_view meaning);  // The description of a name of any bytes.
Json Number();                                      // 0 .. 2^64 - 1
Json Integer();                                     // -2^63 .. 2^63 - 1
Json Fraction();                                    // Any number.
Json Boolean();
Json U64();      // "17": decimal digits in a string, since it may pass 2^53 in sound files.
Json HexText();  // "0x1a2b" or "1a2b".
Json OneOf(std::initializer_list<std::string_view> values);
Json OneOf(std::span<const std::string_view> values);
Json Anything();
// Frequently used objects, as references to "#/$defs/…", which Document() includes.
Json BytesRef();  // {"hex":…,"text":…,"len":…}
Json BoundRef();  // {"key":{…},"seq":"17","type":"put"}
Json FindingRef();
Json ProblemRef();  // Why a list or a part of an answer is incomplete.

// A kind of document that replies consist of.
struct DocumentSchema {
  std::string_view name;                // "varve.file/1"
  Json (*make)(std::string_view name);  // Its JSON Schema: calls Document() or ListDocument().
  // It depends on records or their absence, so logs which cannot be fully replayed make it partial.
  bool stands_on_logs = false;
};

// The members that every document has (schema, as_of, exact), followed by these. Its title is
// derived from its name: "varve.scan_reads/1" is "ScanReadsDocument".
Json Document(std::string_view name, const SchemaMembers& members);
// The same with rows and paging members.
Json ListDocument(std::string_view name, const SchemaMembers& head, std::string_view rows,
                  Json row);

}  // namespace varve::api
