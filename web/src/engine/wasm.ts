// SPDX-License-Identifier: Apache-2.0
// The engine in this tab: the WebAssembly module, in a worker so that the page stays alive. An app
// that was built without the module says so when it is asked to open a file itself.
import type {
  DroppedFile,
  Engine,
  EngineRequest,
  EngineResponse,
  Kept,
  Playground,
} from './engine';
import { ApiProblem } from './problem';
import type { Answer, Call, PlaygroundCall, Question } from './protocol';

interface Reply {
  status: number;
  headers: [string, string][];
  body: Uint8Array;
}

interface Waiting {
  answer: (answer: Answer) => void;
}

function withoutSignal({
  method,
  path,
  headers,
  body,
}: EngineRequest): Omit<EngineRequest, 'signal'> {
  const request: Omit<EngineRequest, 'signal'> = {
    method,
    path,
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
  };
  if (body) request.body = body;
  return request;
}

class WasmEngine implements Engine {
  readonly letter = 'w';
  readonly name = 'wasm';
  readonly sentBytes = 0; // Nothing is: there is nobody to send it to.
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.waiting.get(data.id)?.answer(data);
    worker.onerror = (event) => {
      for (const [id, { answer }] of this.waiting)
        answer({ id, error: event.message || 'the engine could not be loaded' });
    };
  }

  async request(request: EngineRequest): Promise<EngineResponse> {
    const reply = (await this.call({ call: 'request', request: withoutSignal(request) })) as Reply;
    return { status: reply.status, headers: new Headers(reply.headers), body: reply.body };
  }

  async *stream(request: EngineRequest): AsyncIterable<Uint8Array> {
    const id = ++this.asked;
    const pieces: Answer[] = [];
    let wake: () => void = () => undefined;
    this.waiting.set(id, {
      answer: (answer) => {
        pieces.push(answer);
        wake();
      },
    });
    this.post({ id, of: { call: 'stream', request: withoutSignal(request) } });
    try {
      for (;;) {
        const next = pieces.shift();
        if (!next)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        else if ('piece' in next) yield next.piece;
        else if ('error' in next) throw new Error(next.error);
        else return;
      }
    } finally {
      this.waiting.delete(id);
      void this.call({ call: 'cancel', stream: id });
    }
  }

  async attach(files: DroppedFile[]): Promise<{ target: string }> {
    return { target: (await this.call({ call: 'open', files })) as string };
  }

  async playground(options: Record<string, string>, kept?: Kept): Promise<Playground> {
    const target = (await this.call({
      call: 'playground',
      options,
      ...(kept && { kept }),
    })) as string;
    const play = (what: PlaygroundCall) =>
      this.call({ call: 'play', target, what }) as Promise<void>;
    return {
      target,
      put: (key, value) => play({ do: 'put', key, value }),
      delete: (key) => play({ do: 'delete', key }),
      deleteRange: (from, to) => play({ do: 'deleteRange', from, to }),
      flush: () => play({ do: 'flush' }),
      compact: () => play({ do: 'compact' }),
      work: () => play({ do: 'work' }) as Promise<unknown> as Promise<boolean>,
      files: () => play({ do: 'files' }) as Promise<unknown> as ReturnType<Playground['files']>,
      close: () => play({ do: 'close' }),
    };
  }

  private call(of: Call): Promise<unknown> {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {
        answer: (answer) => {
          this.waiting.delete(id);
          if ('result' in answer) resolve(answer.result);
          else if ('error' in answer) reject(new Error(answer.error));
        },
      });
      this.post({ id, of });
    });
  }

  private post(question: Question): void {
    this.worker.postMessage(question);
  }
}

export async function startEngine(): Promise<Engine> {
  if (!__HAS_ENGINE__) {
    throw new ApiProblem({
      code: 'no_engine',
      title: 'This build of the app has no engine of its own',
      status: 501,
      detail: 'It was built without the WebAssembly module.',
      hint: 'varve serve ./db shows a database in this app.',
    });
  }
  return new WasmEngine(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
}
