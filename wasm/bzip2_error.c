// SPDX-License-Identifier: Apache-2.0
// What bzip2 calls, when built without FILE*, where it finds itself in a state that cannot be.
#include <stdlib.h>

void bz_internal_error(int code) {
  (void)code;
  abort();
}
