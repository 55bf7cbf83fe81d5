// SPDX-License-Identifier: Apache-2.0
// A lesson: a script to watch, a prediction to make, and the engine's own account as the answer. No
// answer is written down: each is measured on the database that the learner has before him.
import type { Session } from '../session';

export interface Variant {
  label: string;
  options: Record<string, string>;
  script?: string; // If it is not that of the lesson.
}

// What was measured of one variant: figures by name, first the one that is asked for.
export type Measured = Record<string, number>;
export interface Answer {
  figures: Measured;
  series?: number[]; // Drawn, one after the other, if there is one.
}

// A published optimisation, and what its authors measured.
export interface Published {
  what: string;
  source: string;
  here: string; // The same comparison in this engine, on a machine: scripts/bench/RESULTS.md.
}

interface Experiment {
  script: string;
  variants: Variant[]; // One, or two to hold side by side.
  measure: (session: Session, variant: Variant) => Promise<Answer>;
}

export interface Lesson extends Experiment {
  id: string;
  title: string;
  intro: string;
  question: string;
  choices: string[];
  seriesName?: string;
  // Which choice the figures make right, of all variants in order; -1: none.
  right: (measured: Measured[]) => number;
  why: string;
  // A change after which another choice is right.
  otherwise?: Partial<Experiment> & { what: string };
  published?: Published;
}

export interface Chapter {
  id: string;
  title: string;
  about: string;
  lessons: Lesson[];
}

// The lesson with its change.
export function changed(lesson: Lesson): Lesson {
  const { script, variants, measure } = lesson.otherwise ?? {};
  return {
    ...lesson,
    ...(script !== undefined && { script }),
    ...(variants && { variants }),
    ...(measure && { measure }),
  };
}

// Compactions run when the script says so, and tables are as large as what was written.
const kPlain = { disable_auto_compactions: 'true', compression: 'none' };

export function variant(label: string, options: Record<string, string> = {}): Variant {
  return { label, options: { ...kPlain, ...options } };
}
export const plain = [variant('as it is')];

// The first of the bounds that the figure does not pass.
export function bracket(figure: number, bounds: number[]): number {
  const at = bounds.findIndex((bound) => figure <= bound);
  return at < 0 ? bounds.length : at;
}
