// SPDX-License-Identifier: Apache-2.0
// One database of the playground and what its script has made of it: runs steps, also those that end
// the database, and says what came of each.
import type { VerifyDocument } from '@/api/openapi';
import { answerOf, ask, Client } from '@/engine/client';
import type { Engine, Given, Kept, Playground, StoredFile } from '@/engine/engine';
import { ApiProblem, toProblem } from '@/engine/problem';
import { decode } from '@/lib/bytes';
import { plural } from '@/lib/format';
import { numbered, numbersOf, type Numbered } from '@/lib/numbered';
import { parseLine, type FileKind, type Step } from './script';

export interface Ran {
  line: string;
  said: string; // Empty: there is nothing to say.
  refused: boolean;
}

type OnWritten = (written: number, of: number) => void;

const kRowsSaid = 10;
const kWrittenAtOnce = 2000;

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);

class Refused extends Error {}

const kNames: Record<FileKind, RegExp> = {
  log: /^\d+\.log$/,
  table: /^\d+\.sst$/,
  manifest: /^MANIFEST-\d+$/,
};

export function newest(files: StoredFile[], kind: FileKind): StoredFile {
  const number = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0);
  const found = files
    .filter(({ name }) => kNames[kind].test(name))
    .sort((a, b) => number(b.name) - number(a.name))[0];
  if (!found) throw new Refused(`there is no ${kind} yet`);
  return found;
}

// `at`: from the beginning, or from the end if it is negative.
function within(at: number, size: number): number {
  const offset = at < 0 ? size + at : at;
  if (offset < 0 || offset > size) throw new Refused(`the file has only ${size} bytes`);
  return offset;
}

export class Session {
  readonly client: Client;
  playground: Playground | null = null;
  remains: StoredFile[] | null = null; // What is on disk of one that could not be opened again.
  refusals = 0;
  private snapshots = new Map<string, number>();

  constructor(
    private readonly engine: Engine,
    readonly options: Record<string, string>,
    private readonly kept?: Kept,
  ) {
    this.client = new Client(engine);
  }

  static async start(
    engine: Engine,
    options: Record<string, string>,
    kept?: Kept,
    given?: Given,
  ): Promise<Session> {
    const session = new Session(engine, options, kept);
    await session.open(given);
    return session;
  }

  get target(): string {
    return this.playground?.target ?? '';
  }

  async close(): Promise<void> {
    const was = this.playground;
    this.playground = null;
    await was?.close();
  }

  // Runs one line. What the engine refuses is an answer, too. `onWritten`: how far a long one is.
  async run(line: string, onWritten?: OnWritten): Promise<Ran> {
    const step = parseLine(line);
    try {
      return { line, said: step ? await this.do(step, onWritten) : '', refused: false };
    } catch (error) {
      this.refusals += 1;
      const problem = toProblem(error);
      return { line, said: problem.detail ?? problem.title, refused: true };
    }
  }

  private async open(given?: Given, more: Record<string, string> = {}): Promise<Playground> {
    if (!this.engine.playground)
      throw new ApiProblem({
        code: 'unsupported_feature',
        title: 'This engine only reads',
        status: 501,
      });
    this.playground = await this.engine.playground({ ...this.options, ...more }, this.kept, given);
    this.snapshots.clear();
    return this.playground;
  }

  private here(): Playground {
    if (this.playground) return this.playground;
    throw new Refused('the database is not open: repair, or reopen with other options');
  }

  private async do(step: Step, onWritten?: OnWritten): Promise<string> {
    if (step.do === 'repair') return this.repair();
    if (step.do === 'reopen') return this.reopen(step.options);
    const on = this.here();
    switch (step.do) {
      case 'write':
        await this.write(step);
        return '';
      case 'fill':
      case 'scatter':
      case 'load':
      case 'erase':
        await this.writeNumbered(step, onWritten);
        return '';
      case 'ingest':
        await on.ingest(
          [...numbersOf(step)].map((n) => [
            bytesOf(numbered(step.key, n)),
            bytesOf(numbered(step.value, n)),
          ]),
          step.family,
        );
        return '';
      case 'get':
      case 'multiget':
        return this.get(step);
      case 'scan':
        return this.scan(step);
      case 'snapshot':
        this.snapshots.set(step.name, await on.snapshot());
        return `sequence ${this.snapshots.get(step.name)}`;
      case 'release':
        await on.release(this.sequenceOf(step.name));
        this.snapshots.delete(step.name);
        return '';
      case 'family':
        await on.createFamily(step.name);
        return '';
      case 'option':
        await this.setOption(step.family, step.name, step.value);
        return '';
      case 'flush':
        await on.flush();
        return '';
      case 'compact':
        await on.compact();
        return '';
      case 'work':
        return (await on.work()) ? '' : 'nothing is due';
      case 'verify':
        return this.verify();
      case 'crash':
      case 'damage':
      case 'lose':
        return this.fail(step);
    }
  }

  private sequenceOf(name: string): number {
    const sequence = this.snapshots.get(name);
    if (sequence === undefined) throw new Refused(`there is no snapshot ${name}`);
    return sequence;
  }
  atOf(step: Step): { at_seq?: number } {
    return step.at === undefined ? {} : { at_seq: this.sequenceOf(step.at) };
  }

  private async write(step: Extract<Step, { do: 'write' }>): Promise<void> {
    const { kind, key, value, family } = step;
    const { refused } = await this.here().write([
      { kind, key: bytesOf(key), value: bytesOf(value), family },
    ]);
    if (refused !== undefined) throw new Refused(refused);
  }

  private async writeNumbered(
    step: Step & Numbered & { do: 'fill' | 'scatter' | 'load' | 'erase' | 'ingest' },
    onWritten?: OnWritten,
  ): Promise<void> {
    const on = this.here();
    const working = step.do === 'load';
    const kind = step.do === 'erase' ? 'delete' : 'put';
    for (let from = 0; from < step.count; from += kWrittenAtOnce) {
      const to = Math.min(step.count, from + kWrittenAtOnce);
      const { written, refused } = await on.writeNumbered({ ...step, kind, from, to, working });
      if (refused !== undefined) throw new Refused(`after ${from + written}: ${refused}`);
      onWritten?.(to, step.count);
    }
  }

  private async get(step: Extract<Step, { do: 'get' | 'multiget' }>): Promise<string> {
    const reply = await this.client.api().POST('/targets/{t}/cfs/{cf}:multiget', {
      params: { path: { t: this.target, cf: step.family }, query: this.atOf(step) },
      body: { keys: step.keys },
    });
    const { results } = answerOf(reply);
    const says = results.map(({ found, value, error }) => {
      if (error) throw new Refused(error.detail ?? error.title);
      return found && value ? decode(value, 'auto') : 'not found';
    });
    if (step.do === 'get') return says[0]!;
    return step.keys.map((key, i) => `${key}: ${says[i]}`).join(', ');
  }

  private async scan(step: Extract<Step, { do: 'scan' }>): Promise<string> {
    const query = { from: step.from, to: step.to, page_size: kRowsSaid, ...this.atOf(step) };
    const { rows, next_page_token: more } = await this.client.get(
      ask('/targets/{t}/cfs/{cf}/scan', { path: { t: this.target, cf: step.family }, query }),
    );
    const says = rows.map(
      ({ key, value }) => `${decode(key, 'auto')}=${value ? decode(value, 'auto') : ''}`,
    );
    return says.length === 0 ? 'no record' : says.join(', ') + (more ? ', …' : '');
  }

  private async setOption(family: string, name: string, value: string): Promise<void> {
    const reply = await this.client.api().PATCH('/targets/{t}/cfs/{cf}/options', {
      params: { path: { t: this.target, cf: family } },
      body: { [name]: value },
    });
    answerOf(reply);
  }

  async verified(): Promise<VerifyDocument> {
    const path = { t: this.here().target };
    const begun = await this.client
      .api()
      .POST('/targets/{t}/jobs', { params: { path }, body: { kind: 'verify' } });
    const asked = { path: { ...path, j: answerOf(begun).job.id } };
    for (;;) {
      const { job } = await this.client.get(ask('/targets/{t}/jobs/{j}', asked));
      if (job.state !== 'queued' && job.state !== 'running') break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const result = await this.client.get(ask('/targets/{t}/jobs/{j}/result', asked));
    if (result.schema !== 'varve.verify/1') throw new Refused('there is no such report');
    return result;
  }

  private async verify(): Promise<string> {
    const { clean, findings, files, blocks } = await this.verified();
    if (clean) return `clean: ${plural(files, 'file')}, ${plural(blocks, 'block')}`;
    return findings.map(({ file, what }) => `${file}: ${what}`).join('; ');
  }

  // Ends the database as a crash would, changes its files, and opens it again.
  private async fail(step: Extract<Step, { do: 'crash' | 'damage' | 'lose' }>): Promise<string> {
    if (this.kept) throw new Refused('only a database in memory can be damaged');
    let files = await this.here().files();
    let said = '';
    if (step.do === 'crash' && step.bytes !== undefined) {
      const log = newest(files, 'log');
      const whole = log.bytes.length;
      log.bytes = log.bytes.slice(0, within(step.bytes, whole));
      said = `${log.name} keeps ${log.bytes.length} of ${whole} bytes`;
    } else if (step.do === 'damage') {
      const file = newest(files, step.file);
      const offset = within(step.offset, file.bytes.length);
      if (offset === file.bytes.length) throw new Refused(`the file ends at ${offset}`);
      file.bytes[offset] = file.bytes[offset]! ^ 0xff;
      said = `byte ${offset} of ${file.name} is another one`;
    } else if (step.do === 'lose') {
      const file = newest(files, step.file);
      files = files.filter((one) => one !== file);
      said = `${file.name} is gone`;
    }
    await this.close();
    await this.openAgain(files);
    return said;
  }

  private async openAgain(files: StoredFile[], more: Record<string, string> = {}, repair = false) {
    this.remains = files.filter(({ name }) => name !== 'LOCK');
    const made = await this.open({ files: this.remains, repair }, more);
    this.remains = null;
    return made;
  }

  private async reopen(more: Record<string, string>): Promise<string> {
    if (this.kept) throw new Refused('only a database in memory is opened again');
    const files = this.remains ?? (await this.here().files());
    await this.close();
    await this.openAgain(files, more);
    return '';
  }

  private async repair(): Promise<string> {
    if (this.kept) throw new Refused('only a database in memory is repaired');
    const files = this.remains ?? (await this.here().files());
    await this.close();
    const { repaired = '' } = await this.openAgain(files, { accept_loss: 'true' }, true);
    return repaired;
  }
}
