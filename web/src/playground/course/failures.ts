// SPDX-License-Identifier: Apache-2.0
import type { Session } from '../session';
import { bracket, plain, variant, type Answer, type Chapter } from './lesson';
import { explainGet, filesOf, first, rowsOf } from './measure';

async function openedFigures(session: Session): Promise<Answer> {
  return {
    figures: {
      'the database opened': session.playground ? 1 : 0,
      'records found': await rowsOf(session),
    },
  };
}

async function outcomeOf(session: Session, key: string): Promise<Answer> {
  const { result, steps } = await explainGet(session, key);
  const unreadable = steps.filter((step) => step.verdict === 'unreadable').length;
  return {
    figures: {
      'blocks that could not be read': unreadable,
      'a value was found': result.found ? 1 : 0,
    },
  };
}

const kThreeLogged = 'put apple red\nput pear green\nput plum blue';
const kThreeTables =
  'fill 200 a# value-#\nflush\nfill 200 b# value-#\nflush\nfill 200 c# value-#\nflush';

async function repairedFigures(session: Session): Promise<Answer> {
  if (!session.playground) return { figures: { 'records found': 0, tables: 0 } };
  const found = await rowsOf(session);
  return { figures: { 'records found': found, tables: (await filesOf(session)).length } };
}

export const kFailures: Chapter = {
  id: 'failures',
  title: 'Failures and recovery',
  about: 'What crashes and damaged bytes do, what the engine notices, and what can be had back.',
  lessons: [
    {
      id: 'all-or-nothing',
      title: 'One log for all families',
      intro:
        'Column families have memtables and tables of their own, but they share one log. One record is written in each of two families. Then the process ends.',
      script: 'family fruit\nput apple red\nin fruit put pear green\ncrash',
      variants: plain,
      question: 'How many records are there afterwards, in both families together?',
      choices: ['None', 'One', 'Two'],
      measure: async (session) => {
        const ofDefault = await rowsOf(session);
        const ofFruit = await rowsOf(session, 'fruit');
        return {
          figures: {
            'records in both': ofDefault + ofFruit,
            'in default': ofDefault,
            'in fruit': ofFruit,
          },
        };
      },
      right: ([m]) => m!['records in both']!,
      why: 'Each entry of the log says to which family it belongs, and the log stays until every family has flushed what it has in it. That is why a batch over several families is there as a whole or not at all, whatever happens.',
      otherwise: {
        what: 'The crash takes the last 3 bytes of the log.',
        script: 'family fruit\nput apple red\nin fruit put pear green\ncrash -3',
      },
    },
    {
      id: 'damaged-log',
      title: 'Damage in the middle of a log',
      intro:
        'A torn end is what a crash leaves. This is something else: one byte in the first record of the log was changed, and whole records follow it.',
      script: `${kThreeLogged}\ndamage log 12`,
      variants: plain,
      question: 'What does the engine do when it opens the database?',
      choices: [
        'It opens with all three records',
        'It opens with what comes before the damage',
        'It refuses to open',
      ],
      measure: openedFigures,
      right: ([m]) => (m!['the database opened'] === 0 ? 2 : m!['records found'] === 3 ? 0 : 1),
      why: 'The checksum does not fit, and records that were acknowledged come after it: no crash explains that. To go on silently could lose what had been promised. So the engine opens the database for writing only when it is told to accept the loss (accept_loss); reading what is there is always possible.',
      otherwise: {
        what: 'Open it again with accept_loss=true.',
        script: `${kThreeLogged}\ndamage log 12\nreopen accept_loss=true`,
      },
    },
    {
      id: 'checksum',
      title: 'A damaged block',
      intro:
        'A table of three thousand records has some twenty blocks. One byte of the first block was changed. Somebody asks for key0001, which is in that block.',
      script: 'fill 3000 key# value-of-some-length-#\nflush\ndamage table 100\nget key0001',
      variants: plain,
      question: 'What is the answer?',
      choices: ['A wrong value', 'The key is absent', 'An error', 'The right value'],
      measure: async (session) => outcomeOf(session, 'key0001'),
      right: ([m]) =>
        m!['blocks that could not be read']! > 0 ? 2 : m!['a value was found'] === 1 ? 3 : 1,
      why: 'Every block has a checksum, which is compared whenever the block is read from the file. An error is the only honest answer: the key may be in the block or not, with this value or another one. The other blocks are as good as before.',
      otherwise: {
        what: 'Ask for key2000, in another block.',
        script: 'fill 3000 key# value-of-some-length-#\nflush\ndamage table 100\nget key2000',
        measure: async (session) => outcomeOf(session, 'key2000'),
      },
    },
    {
      id: 'verify',
      title: 'Damage that nobody reads',
      intro:
        'Opening a database reads the ends of its tables, not all of their blocks. Damage in a block is noticed only when somebody reads it, or by a verification, which reads everything.',
      script: `${kThreeTables}\ndamage table 100\nverify`,
      variants: plain,
      question: 'Does verify find it, though nobody has read that block?',
      choices: ['No, it finds nothing', 'Yes'],
      measure: async (session) => {
        const report = await session.verified();
        return {
          figures: {
            'problems found': report.findings_total,
            'blocks read': report.blocks,
            'files read': report.files,
          },
        };
      },
      right: ([m]) => Math.min(1, m!['problems found']!),
      why: 'Data that is never read may rot for years, and be copied into every backup meanwhile. A verification costs one read of everything, and finds the damage while there is still a good copy somewhere.',
      otherwise: {
        what: 'Damage nothing.',
        script: `${kThreeTables}\nverify`,
      },
    },
    {
      id: 'repair',
      title: 'Repair: what can be had back',
      intro:
        'Three tables have two hundred records each. One byte in the newest is damaged, in its first block; each table has two blocks. Then the database is repaired: a new one is made of every block that can be read.',
      script: `${kThreeTables}\ndamage table 100\nrepair`,
      variants: [variant('as it is', { block_size: '2048' })],
      question: 'How many of the six hundred records are found?',
      choices: ['At most 400: the damaged table is lost', '401 to 599', 'All 600'],
      measure: repairedFigures,
      right: ([m]) => bracket(m!['records found']!, [400, 599]),
      why: 'Tables that are sound are kept as they are. Of a damaged one, each block stands for itself: those whose checksum fits go into a new table, and the repair says which range of keys is lost with the others.',
      otherwise: {
        what: 'Repair without any damage.',
        script: `${kThreeTables}\nrepair`,
      },
    },
    {
      id: 'manifest',
      title: 'Without the MANIFEST',
      intro:
        'The MANIFEST says which tables belong to the database and on which level they are. Now it is gone; the tables are still there.',
      script: `${kThreeTables}\nlose manifest\nrepair`,
      variants: plain,
      question: 'How many of the six hundred records does a repair bring back?',
      choices: ['None', 'About half', 'All 600'],
      measure: repairedFigures,
      right: ([m]) => bracket(m!['records found']!, [0, 599]),
      why: 'Every table says in its properties which family it belongs to, and each entry has its sequence number. So a new MANIFEST can be made from the tables alone. What cannot be had back is what the MANIFEST knew and the tables do not: tables that were already out of date come back, too, and with them versions and keys that had been compacted away.',
      otherwise: {
        what: 'Do not repair: just open it.',
        script: `${kThreeTables}\nlose manifest`,
      },
    },
    {
      id: 'sequence',
      title: 'What a lost table brings back',
      intro:
        'apple is written, flushed, and deleted in a second table. Then that second table is lost, and the database is repaired.',
      script:
        'put apple red\nput pear green\nflush\ndelete apple\nflush\nlose table\nrepair\nget apple',
      variants: plain,
      question: 'How many records does a scan find after the repair?',
      choices: ['None', 'One: pear', 'Two: apple is back'],
      measure: async (session) =>
        first('records found', { figures: { 'records found': await rowsOf(session) } }),
      right: ([m]) => m!['records found']!,
      why: 'A deletion is an entry like any other. Where it is lost, the record that it was hiding is back. A repaired database is not a state that the database ever had: programs that need one have to go back to a backup or a checkpoint.',
      otherwise: {
        what: 'Compact before the table is lost.',
        script:
          'put apple red\nput pear green\nflush\ndelete apple\nflush\ncompact\nlose table\nrepair\nget apple',
      },
    },
  ],
};
