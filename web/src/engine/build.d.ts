// SPDX-License-Identifier: Apache-2.0

// The app was built with build/wasm/package at hand (vite.config.ts).
declare const __HAS_ENGINE__: boolean;
