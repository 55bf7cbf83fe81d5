// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@/engine/engine';
import { Watch, type Account } from './account';
import { Session } from './session';
import { engineHere } from './test_engine';
import { amplificationOf, tablesOf, writtenBy } from './work_map';

describe.skipIf(!__HAS_ENGINE__)('the account of a step', () => {
  let engine: Engine;
  let watch: Watch;
  const did = async (line: string): Promise<Account> => {
    const { account, said, refused } = await watch.run(line);
    if (!account || refused) throw new Error(`${line}: ${said}`);
    return account;
  };
  const fates = (account: Account) =>
    tablesOf(account).map(({ file, fate, why }) =>
      `${file.id} L${file.level} ${fate} ${why}`.trim(),
    );
  const tickers = (account: Account) => account.after.tickers;

  beforeAll(async () => {
    engine = await engineHere();
    const options = { disable_auto_compactions: 'true', compression: 'none' };
    watch = new Watch(await Session.start(engine, options));
    await watch.begin();
  });

  it('has the log and the memtable of a write', async () => {
    const { before, after } = await did('put apple red');
    const written = writtenBy(before?.tickers, after.tickers);
    expect(written).toMatchObject({ operations: 1, given: 8, flush: 0, compaction: 0 });
    expect(written.log).toBeGreaterThan(written.given);
    expect(after.log - (before?.log ?? 0)).toBe(written.log);
    expect(after.memtable).toBeGreaterThan(before?.memtable ?? Infinity);
  });
  it('says which table is new, and of what', async () => {
    const flushed = await did('flush');
    const [table] = flushed.after.files;
    expect(fates(flushed)).toEqual([`${table?.id} L0 new written by a flush of the memtable`]);
    expect(writtenBy(flushed.before?.tickers, tickers(flushed)).flush).toBe(table?.size);
    expect(amplificationOf(tickers(flushed), flushed.after.files)).toMatchObject({
      space: 1,
      runs: 1,
    });
  });
  it('says what was rewritten into what', async () => {
    await did('put apple green');
    const { after } = await did('flush');
    const merged = await did('compact');
    const made = merged.after.files[0]!;
    const from = after.files.map(({ id }) => id);
    expect(from).toHaveLength(2);
    const rows = fates(merged);
    for (const id of from) expect(rows).toContain(`${id} L0 died rewritten into ${made.id}`);
    expect(rows.find((row) => row.startsWith(`${made.id} `))).toMatch(
      /^\d+ L[1-6] new written by the compaction of \d+, \d+$/,
    );
    expect(writtenBy(merged.before?.tickers, tickers(merged)).compaction).toBe(made.size);
    expect(amplificationOf(tickers(merged), merged.after.files).write).toBeGreaterThan(1);
  });
  it('says what moved, and that nothing was rewritten', async () => {
    await did('put zebra black');
    const { after } = await did('flush');
    const young = after.files.find(({ level }) => level === 0)!;
    const moved = await did('compact');
    expect(writtenBy(moved.before?.tickers, tickers(moved)).compaction).toBe(0);
    expect(fates(moved).find((row) => row.startsWith(`${young.id} `))).toMatch(
      /^\d+ L[1-6] moved moved from L0, nothing was rewritten$/,
    );
  });
  it('has each stop of a read, with filter and blocks', async () => {
    const { read } = await did('get apple');
    expect(read).toMatchObject({ of: 'apple', hex: '6170706c65', keys: 1, blocks: 1 });
    expect(read?.stops.at(-1)).toMatchObject({ verdict: 'hit', filter: true });
    expect(read?.stops.at(-1)?.blocks[0]).toMatch(/^data block @\d+$/);
    expect(read?.comparisons).toBeGreaterThan(0);
    expect((await did('multiget apple zebra')).read).toMatchObject({ keys: 2 });
    expect((await did('scan')).read?.stops.length).toBeGreaterThan(0);
  });
  it('begins anew where the database is another one', async () => {
    const { before, after } = await did('crash');
    expect(before).toBeNull();
    expect(fates({ line: '', before, after, edits: [], read: null })).toEqual(
      after.files.map(({ id, level }) => `${id} L${level} stayed`),
    );
  });
  it('shows a long step on its way', async () => {
    const looks: Promise<Account | null>[] = [];
    const line = 'load 5000 k# v#';
    await watch.run(line, () => looks.push(watch.lookAgain(line)));
    expect(looks).toHaveLength(3); // Of 2,000 records each.
    expect(tickers((await looks[0])!)['rocksdb.number.keys.written']).toBeGreaterThan(0);
  });
});
