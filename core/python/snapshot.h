// SPDX-License-Identifier: Apache-2.0
// Snapshot: one state of the database, to be read like the database itself.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "core/python/view.h"

namespace varve::python {

// The default family in that state; family() gives the others.
class Snapshot : public View {
 public:
  explicit Snapshot(const std::shared_ptr<OpenDb>& open);

  View Family(const Name& name) const;
  Sequence sequence() const { return sequence_; }
  // Lets compactions drop what only this snapshot sees. Later reads at it raise Shutdown.
  void Close() { snapshot()->Drop(); }

 private:
  Sequence sequence_;
};

void BindSnapshot(nanobind::module_& module);

}  // namespace varve::python
