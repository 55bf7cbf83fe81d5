// SPDX-License-Identifier: Apache-2.0
// What the page and the worker that has one plugin say to each other.
import type { Block } from './blocks';
import type { Manifest } from './manifest';
import type { Decoded, Item } from './sandbox';

export type What = 'key' | 'value';

export type PluginCall =
  | { do: 'load'; text: string }
  | { do: 'decode'; what: What; items: Item[] }
  | { do: 'draw'; about: object }
  | { do: 'answer'; id: number; answer: { text: string } | { failed: string } };

// Each call but "answer" is answered once, in order; a view may ask meanwhile.
export type PluginAnswer =
  | { manifest: Manifest }
  | { decoded: Decoded[] }
  | { blocks: Block[] }
  | { ask: number; path: string }
  | { error: string };
