// SPDX-License-Identifier: Apache-2.0
// Compactions elsewhere (varve/compaction_service.h): a database gives them to a function of
// Python, and a process of Python does those of others.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "varve/db.h"
#include "varve/options.h"

namespace varve::python {

class CompactionQueue;

// What open() takes as compaction_service. Needs the GIL.
class CompactionChoice {
 public:
  // None, a str as the option compaction_service, or a function, for whose jobs a thread waits
  // from now on; others raise TypeError.
  CompactionChoice(const nanobind::object& service, Options* options);
  CompactionChoice(const CompactionChoice&) = delete;
  CompactionChoice& operator=(const CompactionChoice&) = delete;
  ~CompactionChoice();  // Without Own(), no database uses it.

  // The database, which was opened with these options and has the service for itself.
  std::shared_ptr<DB> Own(std::unique_ptr<DB> db) &&;

 private:
  std::shared_ptr<CompactionQueue> queue_;  // Null: not a function.
};

void BindCompaction(nanobind::module_& module);

}  // namespace varve::python
