// SPDX-License-Identifier: Apache-2.0
// The interpreter of plugins, with its module from this app's own files.
import variant from '@jitl/quickjs-wasmfile-release-sync';
import wasm from '@jitl/quickjs-wasmfile-release-sync/wasm?url';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';

// What setMemoryLimit() counts of small blocks is next to nothing in this build: this is what bounds a plugin.
const kPages = { initial: 256, maximum: 1536 }; // Of 64 KiB.

let made: Promise<QuickJSWASMModule> | null = null;

export function quickJs(): Promise<QuickJSWASMModule> {
  return (made ??= newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmLocation: wasm, wasmMemory: new WebAssembly.Memory(kPages) }),
  ));
}
