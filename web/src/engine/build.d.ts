// SPDX-License-Identifier: Apache-2.0

// The app was built with build/wasm/package at hand (vite.config.ts).
declare const __HAS_ENGINE__: boolean;

// The samples that lie beside the app (tools/samples.mjs).
declare const __SAMPLES__: { id: string; title: string; says: string; bytes: number }[];

// The plugins that come with the app (plugins/).
declare const __PLUGINS__: { name: string; title: string; about: string }[];
