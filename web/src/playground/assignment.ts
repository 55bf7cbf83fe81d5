// SPDX-License-Identifier: Apache-2.0
// A lesson that travels in a link: a script of somebody's own, a question about a figure, and numbers
// to choose from. The link does not have the answer: the engine of whoever opens it finds it.
import type { Lesson, Measured } from './course/lesson';
import { explainScan, filesOf, getFigures, rowsOf, tickersOf } from './course/measure';
import { engineOptions, optionsOf, optionsText, type OptionValues } from './options';
import type { Session } from './session';

export interface Assignment {
  title: string;
  text: string;
  script: string;
  options: OptionValues;
  question: string;
  figure: string; // Of kFigures.
  key: string; // That the figure is about, if it is about one.
  choices: number[];
}

export interface Figure {
  id: string;
  name: string;
  ofKey?: boolean;
  measure: (session: Session, key: string) => Promise<Measured>;
}

const ofGet =
  (name: string) =>
  async (session: Session, key: string): Promise<Measured> => {
    const { figures } = await getFigures(session, key);
    return { [name]: figures[name] ?? 0, ...figures };
  };

export const kFigures: Figure[] = [
  {
    id: 'records',
    name: 'records that a scan finds',
    measure: async (session) => ({ records: await rowsOf(session) }),
  },
  {
    id: 'tables',
    name: 'tables',
    measure: async (session) => ({ tables: (await filesOf(session)).length }),
  },
  {
    id: 'entries',
    name: 'entries in tables',
    measure: async (session) => ({
      entries: (await filesOf(session)).reduce((sum, file) => sum + (file.entries ?? 0), 0),
    }),
  },
  {
    id: 'files-of-get',
    name: 'tables that a get looks at',
    ofKey: true,
    measure: ofGet('files looked at'),
  },
  {
    id: 'blocks-of-get',
    name: 'data blocks that a get reads',
    ofKey: true,
    measure: ofGet('data blocks read'),
  },
  {
    id: 'runs',
    name: 'sorted runs that a scan merges',
    measure: async (session) => ({ 'sorted runs': (await explainScan(session, 10)).totals.runs }),
  },
  {
    id: 'compactions',
    name: 'compactions that rewrote tables',
    measure: async (session) => ({ compactions: (await tickersOf(session))['varve.compactions'] }),
  },
  {
    id: 'refused',
    name: 'steps that were refused',
    measure: async (session) => ({ refused: session.refusals }),
  },
];

export function assignmentText(of: Assignment): string {
  return JSON.stringify({ ...of, options: optionsText(of.options) ?? '' });
}

const kTextMost = 20_000; // Characters of each part.

// Null for what is none.
export function assignmentOf(text: string | undefined): Assignment | null {
  let said: unknown;
  try {
    said = JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
  if (typeof said !== 'object' || said === null) return null;
  const parts: [string, unknown][] = Object.entries(said);
  const of = (name: string) => parts.find(([one]) => one === name)?.[1];
  const words = (name: string) => {
    const value = of(name);
    return typeof value === 'string' ? value.slice(0, kTextMost) : '';
  };
  const choices = of('choices');
  const numbers = Array.isArray(choices)
    ? [...new Set(choices.filter((one): one is number => typeof one === 'number'))]
    : [];
  const figure = kFigures.find(({ id }) => id === words('figure'));
  if (!figure || numbers.length < 2 || !words('script')) return null;
  return {
    title: words('title'),
    text: words('text'),
    script: words('script'),
    options: optionsOf(words('options')),
    question: words('question'),
    figure: figure.id,
    key: words('key'),
    choices: numbers,
  };
}

export function lessonOf(of: Assignment): Lesson {
  const figure = kFigures.find(({ id }) => id === of.figure)!;
  return {
    id: 'assignment',
    title: of.title || 'An assignment',
    intro: of.text,
    script: of.script,
    variants: [{ label: 'as it is', options: engineOptions(of.options) }],
    question: of.question || `${figure.name}: how many?`,
    choices: of.choices.map(String),
    measure: async (session) => ({ figures: await figure.measure(session, of.key) }),
    right: ([m]) => of.choices.indexOf(Object.values(m!)[0]!),
    why: '',
  };
}
