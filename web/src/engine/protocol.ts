// SPDX-License-Identifier: Apache-2.0
// What the page and the worker that has the engine say to each other.
import type { VarveRequest } from '@varve/engine';
import type { DroppedFile, Kept } from './engine';

export type PlaygroundCall =
  | { do: 'put'; key: Uint8Array; value: Uint8Array }
  | { do: 'delete'; key: Uint8Array }
  | { do: 'deleteRange'; from: Uint8Array; to: Uint8Array }
  | { do: 'flush' | 'compact' | 'work' | 'files' | 'close' };

export type Call =
  | { call: 'request'; request: VarveRequest }
  | { call: 'stream'; request: VarveRequest }
  | { call: 'cancel'; stream: number }
  | { call: 'open'; files: DroppedFile[] }
  | { call: 'playground'; options: Record<string, string>; kept?: Kept }
  | { call: 'play'; target: string; what: PlaygroundCall };

export interface Question {
  id: number;
  of: Call;
}

// `piece` and `end` are of streams; everything else is answered once.
export type Answer =
  | { id: number; result: unknown }
  | { id: number; error: string }
  | { id: number; piece: Uint8Array }
  | { id: number; end: true };
