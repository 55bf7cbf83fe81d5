// SPDX-License-Identifier: Apache-2.0
// A plugin in an interpreter of its own: QuickJS, compiled to WebAssembly, so that nothing of the browser is
// there for it to reach, whatever the policy of the page says: no network, no page, no storage, no other
// plugin. What goes in are bytes and texts, what comes out is text, which is checked here. Memory, stack and
// time are bounded; a plugin that goes beyond is refused from then on. Runs in a worker, which the page ends
// if the interpreter itself does not come back (plugin_worker.ts), and which gives back its memory.
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { blocksOf, type Block } from './blocks';
import { manifestOf, PluginError, type Manifest } from './manifest';
import prelude from './prelude.js?raw';

export const kTextMax = 1 << 20; // Characters of a plugin's file.

export interface Bounds {
  loadMs: number;
  decodeMs: number; // Of one key or value.
  drawMs: number; // Of a view, without what it waits for.
  memory: number; // Bytes of one block; quickjs.ts bounds all together.
  decoded: number; // Characters of one decoded key or value, as JSON.
  together: number; // Of all that are decoded in one call.
  drawn: number; // Of what a view gives.
  asked: number; // Requests of one view.
  path: number; // Characters of what one asks for.
}

export const kBounds: Bounds = {
  loadMs: 1000,
  decodeMs: 250,
  drawMs: 20_000,
  memory: 64 << 20,
  decoded: 1 << 20,
  together: 4 << 20,
  drawn: 8 << 20,
  asked: 2000,
  path: 8192,
};

const kStack = 512 << 10;
const kReasonMost = 300; // Characters of why something failed.
const kDrawing = 'to draw its view';

// One key or value, by what the plugin made of it.
export type Decoded = { is: unknown } | { failed: string } | null; // Null: none of its own.

export interface Item {
  bytes: Uint8Array;
  other: Uint8Array | undefined;
}

// Of a view: a document of the API as text, or why there is none.
export type Ask = (path: string) => Promise<{ text: string } | { failed: string }>;

export class Sandbox {
  readonly manifest: Manifest;
  private readonly vm: QuickJSContext;
  private readonly plugin: QuickJSHandle; // What prelude.js returns.
  private deadline = 0;
  private spent: string | null = null; // Why it may not run any more.
  private view: {
    ask: (id: number, path: string | null) => void; // Null: it is too long.
    done: (said: string) => void;
  } | null = null;

  constructor(
    quickjs: QuickJSWASMModule,
    text: string,
    private readonly bounds = kBounds,
  ) {
    if (text.length > kTextMax) throw new PluginError(`it is longer than ${kTextMax} characters`);
    this.vm = quickjs.newContext();
    const { runtime } = this.vm;
    runtime.setMemoryLimit(bounds.memory);
    runtime.setMaxStackSize(kStack);
    runtime.setInterruptHandler(() => Date.now() > this.deadline);
    this.plugin = this.begin();
    this.manifest = this.load(text);
  }

  decode(what: 'key' | 'value', items: Item[]): Decoded[] {
    const { decoded, together } = this.bounds;
    let left = together;
    return items.map(({ bytes, other }) => {
      const given = [this.vm.newString(what), this.buffer(bytes)];
      if (other) given.push(this.buffer(other));
      const said = this.call('decode', given, this.bounds.decodeMs, 'for one ' + what);
      if (said === '=') return null;
      if (said.length > decoded) return { failed: `more than ${decoded} characters` };
      left -= said.length;
      if (left < 0) return { failed: `more than ${together} characters together` };
      if (said.startsWith('!')) return { failed: reasonOf(said) };
      return { is: jsonOf(said.slice(1)) };
    });
  }

  // Ends when the view does. `about`: of the target, the family, and what the controls say.
  async draw(about: object, ask: Ask): Promise<Block[]> {
    if (!this.manifest.view) throw new PluginError('it has no view');
    if (this.view) throw new PluginError('its view is being drawn');
    const { bounds } = this;
    let left = bounds.drawMs;
    let asked = 0;
    let open = 0;
    let end: (said: string) => void = () => undefined;
    let fail: (error: unknown) => void = () => undefined;
    const ended = new Promise<string>((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
    let isOver = false;
    // Whatever the plugin does next, until it waits.
    const run = (method: string, given: QuickJSHandle[]) => {
      if (isOver) {
        for (const handle of given) handle.dispose();
        return;
      }
      const began = Date.now();
      try {
        this.call(method, given, left, kDrawing);
        this.runJobs();
        left -= Date.now() - began;
        if (open === 0 && this.view) throw new PluginError('its view waits for nothing');
      } catch (error) {
        fail(error);
      }
    };
    const refuse = (why: string) => {
      this.spent ??= why;
      this.deadline = 0; // It is interrupted now.
      fail(new PluginError(this.spent));
    };
    this.view = {
      ask: (id, path) => {
        asked += 1;
        if (asked > bounds.asked) return refuse(`it asked more than ${bounds.asked} times`);
        if (path === null)
          return refuse(`it asked for a path of more than ${bounds.path} characters`);
        if (Date.now() > this.deadline) return refuse(`it took too long ${kDrawing}`);
        open += 1;
        void ask(path)
          .catch((error: unknown) => ({ failed: String(error) }))
          .then((answer) => {
            open -= 1;
            const isDocument = 'text' in answer;
            run('answer', [
              this.vm.newNumber(id),
              isDocument ? this.vm.true : this.vm.false,
              this.vm.newString(isDocument ? answer.text : answer.failed),
            ]);
          }, fail);
      },
      done: (said) => {
        this.view = null;
        end(said);
      },
    };
    run('draw', [this.vm.newString(JSON.stringify(about))]);
    try {
      const said = await ended;
      if (said.length > bounds.drawn)
        throw new PluginError(`its view gave more than ${bounds.drawn} characters`);
      if (said.startsWith('!')) throw new PluginError(reasonOf(said));
      return blocksOf(jsonOf(said.slice(1)));
    } finally {
      isOver = true;
      this.view = null;
    }
  }

  private begin(): QuickJSHandle {
    const { vm } = this;
    this.deadline = Date.now() + this.bounds.loadMs;
    const host = vm.newObject();
    const functions = {
      ask: (id: QuickJSHandle, path: QuickJSHandle) =>
        this.view?.ask(
          vm.getNumber(id),
          this.lengthOf(path) > this.bounds.path ? null : vm.getString(path),
        ),
      done: (said: QuickJSHandle) => this.view?.done(vm.getString(said)),
    };
    for (const [name, of] of Object.entries(functions))
      vm.newFunction(name, (...given: QuickJSHandle[]) => {
        Reflect.apply(of, null, given);
        return vm.undefined;
      }).consume((handle) => vm.setProp(host, name, handle));
    const made = vm
      .unwrapResult(vm.evalCode(prelude, 'prelude.js'))
      .consume((make) => vm.callFunction(make, vm.undefined, host));
    host.dispose();
    return vm.unwrapResult(made);
  }

  private load(text: string): Manifest {
    const { vm } = this;
    this.deadline = Date.now() + this.bounds.loadMs;
    const result = vm.evalCode(text, 'plugin.js', { type: 'module', strict: true });
    const module = this.unwrap(result, 'to load');
    const said = vm
      .getProp(module, 'default')
      .consume((of) => this.call('adopt', [of.dup()], this.bounds.loadMs, 'to load'));
    module.dispose();
    if (said.length > kTextMax) throw new PluginError(`it says more than ${kTextMax} characters`);
    if (said.startsWith('!')) throw new PluginError(reasonOf(said));
    return manifestOf(jsonOf(said.slice(1)));
  }

  // One by one: what is interrupted may have a next one.
  private runJobs(): void {
    const { runtime } = this.vm;
    while (runtime.hasPendingJob()) {
      if (this.spent !== null) throw new PluginError(this.spent);
      const result = runtime.executePendingJobs(1);
      if (result.error) this.unwrap({ error: result.error }, kDrawing);
      this.checkTime(kDrawing);
    }
  }

  // The plugin may have caught that it was interrupted.
  private checkTime(what: string): void {
    if (Date.now() <= this.deadline) return;
    this.spent ??= `it took too long ${what}`;
    throw new PluginError(this.spent);
  }

  // A method of prelude.js, which returns a text. Takes the handles.
  private call(method: string, given: QuickJSHandle[], ms: number, what: string): string {
    const { vm } = this;
    try {
      if (this.spent !== null) throw new PluginError(this.spent);
      this.deadline = Date.now() + ms;
      const result = vm
        .getProp(this.plugin, method)
        .consume((of) => vm.callFunction(of, this.plugin, ...given));
      const said = this.unwrap(result, what);
      this.checkTime(what);
      return said.consume((text) => (vm.typeof(text) === 'string' ? vm.getString(text) : ''));
    } finally {
      for (const handle of given) handle.dispose();
    }
  }

  // Errors that the plugin could not catch itself: it was too slow or took too much, or it cannot be read.
  private unwrap<T extends { dispose(): void }>(
    result: { value: T; error?: undefined } | { error: QuickJSHandle },
    what: string,
  ): T {
    if (result.error === undefined) return result.value;
    const isLate = Date.now() > this.deadline;
    // A dump would call more of its code; a message that it computes ends at the deadline.
    const { vm } = this;
    const message = isLate
      ? ''
      : vm.getProp(result.error, 'message').consume((of) => vm.getString(of).slice(0, 300));
    result.error.dispose();
    this.spent ??= isLate ? `it took too long ${what}` : message || 'it failed';
    throw new PluginError(this.spent);
  }

  private lengthOf(text: QuickJSHandle): number {
    return this.vm.getProp(text, 'length').consume((of) => this.vm.getNumber(of));
  }

  private buffer(bytes: Uint8Array): QuickJSHandle {
    return this.vm.newArrayBuffer(bytes.slice().buffer);
  }
}

// What the plugin may have changed of the interpreter's own functions does not make it longer.
const reasonOf = (said: string) => said.slice(1, 1 + kReasonMost);

// A text that the plugin's JSON wrote, or what it has put in the place of that.
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PluginError('what it gave is not JSON');
  }
}
