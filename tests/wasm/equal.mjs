// SPDX-License-Identifier: Apache-2.0
// Counts comparisons, and says which failed.
let passed = 0;
let failed = 0;

export function equal(what, is, should) {
  if (is === should) passed += 1;
  else {
    failed += 1;
    console.log(`FAIL ${what}\n  is        ${String(is).slice(0, 400)}\n  should be ${String(should).slice(0, 400)}`);
  }
}

// Ends the process. `least`: how many comparisons there have to be.
export function finish(least) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed < least ? 1 : 0);
}
