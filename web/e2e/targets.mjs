// SPDX-License-Identifier: Apache-2.0
// What the app is shown: databases and tables that RocksDB made (tests/fixtures), the same damaged,
// and one too large to lie in a repository.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = [];

// A folder that goes away with removeMade().
export function newFolder(under = tmpdir()) {
  made.push(mkdtempSync(join(under, 'varve-e2e-')));
  return made.at(-1);
}

export function removeMade() {
  for (const path of made) rmSync(path, { recursive: true, force: true });
}

// One flipped byte in the first data block.
function damagedTable(fixtures) {
  const path = join(newFolder(), 'damaged.sst');
  copyFileSync(join(fixtures, 'sst/r119_comp_zstd_fv7.sst'), path);
  const bytes = readFileSync(path);
  bytes[20] ^= 1;
  writeFileSync(path, bytes);
  return path;
}

// More than ten thousand tables on three levels. Where files cost nothing, if there is such a place:
// each of them is synced.
function bigDatabase(varve) {
  const path = join(newFolder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir()), 'big');
  execFileSync(
    varve,
    [
      'bench',
      'run',
      'fillrandom',
      'compact',
      'overwrite',
      '--db',
      path,
      '--num',
      '200K',
      '--value-size',
      '20',
      '--durability',
      'none',
      '-q',
      ...[
        'write_buffer_size=524288',
        'target_file_size_base=2048',
        'block_size=512',
        'max_bytes_for_level_base=131072',
      ].flatMap((option) => ['--option', option]),
    ],
    { stdio: 'ignore' },
  );
  return path;
}

// More records than any page has.
function manyRecords(varve) {
  const path = join(newFolder(), 'many');
  const size = ['--num', '120K', '--value-size', '20', '--durability', 'none', '-q'];
  execFileSync(varve, ['bench', 'run', 'fillseq', '--db', path, ...size], { stdio: 'ignore' });
  return path;
}

// Of RocksDB's tool, with what each of its runs wrote into a LOG.
function loggedDatabase() {
  const path = join(newFolder(), 'logged');
  const ldb = (words, input) =>
    execFileSync('ldb', [`--db=${path}`, ...words], {
      input,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  for (let round = 0; round < 4; round += 1) {
    const record = (_, i) => `key${round * 500 + i} ==> value-${i}\n`;
    ldb(['--create_if_missing', 'load'], Array.from({ length: 1000 }, record).join(''));
    if (round % 2 === 1) ldb(['compact']);
  }
  return path;
}

// `withBig`, `withMany`: they take seconds to make.
export function makeTargets({ fixtures, varve }, { withBig = false, withMany = false }) {
  return {
    cursor: join(fixtures, 'db/rocksdb-7.8.3/cursor'),
    empty: join(fixtures, 'db/rocksdb-7.8.3/empty'),
    multi_cf: join(fixtures, 'db/rocksdb-7.8.3/multi_cf'),
    table: join(fixtures, 'sst/r119_comp_zstd_fv7.sst'),
    manifest: join(fixtures, 'db/hand/hand_sst/MANIFEST-000003'),
    wal: join(fixtures, 'db/rocksdb-7.8.3/wal_basic/000004.log'),
    damaged: damagedTable(fixtures),
    damaged_log: join(fixtures, 'db/damaged/flip_first_record_wal5'),
    cuckoo: join(fixtures, 'sst/r78_cuckoo_table.sst'),
    logged: loggedDatabase(),
    text: join(fixtures, 'logs.txt'), // No database at all.
    ...(withBig ? { big: bigDatabase(varve) } : {}),
    ...(withMany ? { many: manyRecords(varve) } : {}),
  };
}
