// SPDX-License-Identifier: Apache-2.0
#include "webview/api/schema/as_of.h"

namespace varve::api {

const Fields<AsOf>& AsOfFields() {
  static const auto fields =
      Fields<AsOf>("AsOf")
          .Id("edit", &AsOf::edit, "the newest edit of the MANIFEST that it takes in")
          .Id("seq", &AsOf::sequence, "the newest sequence number that it takes in")
          .Flag("live", &AsOf::live, "an engine of this process has the database open");
  return fields;
}

}  // namespace varve::api
