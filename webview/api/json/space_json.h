// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/inspect/lsm/table_totals.h"
#include "core/inspect/space/space.h"
#include "webview/api/schema/fields.h"

namespace varve::api {

// The three analyses that share one pass over the entries.
const Fields<SpaceReport>& SpaceFields();       // varve.space/1
const Fields<SpaceReport>& TombstonesFields();  // varve.tombstones/1
const Fields<SpaceReport>& KeyspaceFields();    // varve.keyspace/1

// The two that only use metadata of the tables.
const Fields<TotalsReport>& FiltersFields();      // varve.filters/1
const Fields<TotalsReport>& CompressionFields();  // varve.compression/1

}  // namespace varve::api
