// SPDX-License-Identifier: Apache-2.0
// Every resource: its handlers and the schemas of what they return, one file each beside this one.
// route_table.cc puts them into the tables; ../README.md says how to add one.
#pragma once

#include "webview/api/reply.h"
#include "webview/api/schema.h"

namespace varve::api {

class Call;

// root.cc
Reply GetRoot(const Call& call);
Json RootSchema();

// targets.cc
Reply ListTargets(const Call& call);
Reply GetTarget(const Call& call);
Json TargetsSchema();
Json TargetSchema();

// families.cc
Reply ListFamilies(const Call& call);
Reply GetFamily(const Call& call);
Json FamiliesSchema();
Json FamilySchema();

// files.cc
Reply ListFiles(const Call& call);
Json FilesSchema();

// file.cc
Reply GetFile(const Call& call);
Json FileSchema();

// entries.cc
Reply ListEntries(const Call& call);
Json EntriesSchema();

// schemas.cc
Reply GetSchema(const Call& call);
Reply GetOpenApi(const Call& call);

}  // namespace varve::api
