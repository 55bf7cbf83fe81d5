// SPDX-License-Identifier: Apache-2.0
export interface SampleMade {
  id: string;
  title: string;
  says: string;
  from: string;
  flip?: number; // Of this byte, a bit.
}

export interface SampleRead {
  about: { id: string; title: string; says: string; bytes: number };
  source: string;
}

export const kSamples: SampleMade[];
export function readSample(sample: SampleMade): SampleRead;
