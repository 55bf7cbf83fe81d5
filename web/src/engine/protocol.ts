// SPDX-License-Identifier: Apache-2.0
// What the page and the worker that has the engine say to each other.
import type { VarveRequest } from '@varve/engine';
import type { Change, DroppedFile, Given, Kept, Slice } from './engine';

export type PlaygroundCall =
  | { do: 'write'; changes: Change[] }
  | { do: 'writeNumbered'; slice: Slice }
  | { do: 'read'; name: string; offset: number; size: number }
  | { do: 'ingest'; records: [Uint8Array, Uint8Array][]; family: string }
  | { do: 'createFamily'; name: string }
  | { do: 'release'; sequence: number }
  | { do: 'searchNanoseconds'; grade: string }
  | { do: 'snapshot' | 'flush' | 'compact' | 'work' | 'files' | 'sizes' | 'close' };

export type Call =
  | { call: 'request'; request: VarveRequest }
  | { call: 'stream'; request: VarveRequest }
  | { call: 'cancel'; stream: number }
  | { call: 'open'; files: DroppedFile[] }
  | { call: 'playground'; options: Record<string, string>; kept?: Kept; given?: Given }
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
