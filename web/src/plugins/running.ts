// SPDX-License-Identifier: Apache-2.0
// A plugin at work, seen from the page: a worker of its own, one call after the other. One that does not
// come back in time is ended, and says so until it is begun again.
import type { Manifest } from './manifest';
import { PluginError } from './manifest';
import type { PluginAnswer, PluginCall, What } from './protocol';
import type { Ask, Decoded, Item } from './sandbox';
import type { Block } from './blocks';

// Beyond what the interpreter keeps to by itself (sandbox.ts), and what its module takes to load.
const kLoadMs = 15_000;
const kDecodeMs = 5_000;
const kDrawMs = 60_000; // Since it last asked for something.

type Call = Exclude<PluginCall, { do: 'answer' }>;

export class RunningPlugin {
  private worker: Worker | null = null;
  private ended: string | null = null; // Why it does not run any more.
  private turn: Promise<unknown> = Promise.resolve();
  private reject: ((error: Error) => void) | null = null;

  constructor(
    private readonly text: string,
    private readonly start: () => Worker,
  ) {}

  manifest(): Promise<Manifest> {
    return this.queued(() => this.load());
  }

  decode(what: What, items: Item[]): Promise<Decoded[]> {
    return this.queued(async () => {
      await this.load();
      const answer = await this.call({ do: 'decode', what, items }, kDecodeMs);
      if (!('decoded' in answer)) throw new PluginError('it gave something else');
      return answer.decoded;
    });
  }

  // `signal`: nobody waits for it any more.
  draw(about: object, ask: Ask, signal: AbortSignal): Promise<Block[]> {
    return this.queued(async () => {
      signal.throwIfAborted();
      const stop = () => this.restart();
      signal.addEventListener('abort', stop);
      try {
        await this.load();
        const answer = await this.call({ do: 'draw', about }, kDrawMs, ask);
        if (!('blocks' in answer)) throw new PluginError('it gave something else');
        return answer.blocks;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    });
  }

  get hasEnded(): boolean {
    return this.ended !== null;
  }

  // It may run again.
  restart(): void {
    this.end('stopped');
    this.ended = null;
  }

  end(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.loaded = null;
    this.ended = why;
    this.reject?.(new PluginError(why));
    this.reject = null;
  }

  private loaded: Promise<Manifest> | null = null;
  private load(): Promise<Manifest> {
    return (this.loaded ??= this.call({ do: 'load', text: this.text }, kLoadMs).then((answer) => {
      if (!('manifest' in answer)) throw new PluginError('it gave something else');
      return answer.manifest;
    }));
  }

  private queued<T>(body: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(body);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private call(call: Call, ms: number, ask?: Ask): Promise<PluginAnswer> {
    if (this.ended !== null) return Promise.reject(new PluginError(this.ended));
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      let late = 0;
      const begin = () => {
        window.clearTimeout(late);
        late = window.setTimeout(() => this.end('it did not come back, and was ended'), ms);
      };
      const done = (then: () => void) => {
        window.clearTimeout(late);
        this.reject = null;
        then();
      };
      this.reject = (error) => done(() => reject(error));
      worker.onerror = (event) => this.end(event.message || 'its interpreter could not be loaded');
      worker.onmessage = ({ data }: MessageEvent<PluginAnswer>) => {
        if ('ask' in data) {
          begin();
          if (!ask) return;
          void ask(data.path).then((answer) => {
            const given: PluginCall = { do: 'answer', id: data.ask, answer };
            worker.postMessage(given);
          });
        } else if ('error' in data) {
          const { error } = data;
          // Of a view alone it may be the database's fault; another one that fails, fails again.
          if (call.do === 'draw') done(() => reject(new PluginError(error)));
          else this.end(error);
        } else done(() => resolve(data));
      };
      begin();
      worker.postMessage(call);
    });
  }
}

export const startWorker = () =>
  new Worker(new URL('./plugin_worker.ts', import.meta.url), { type: 'module' });
