// SPDX-License-Identifier: Apache-2.0
// Stands for the module in builds that are made without it; never called there.
export function createEngine(): never {
  throw new Error('this app was built without the WebAssembly module');
}

export const openStore = createEngine;
