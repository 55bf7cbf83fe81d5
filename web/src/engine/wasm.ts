// SPDX-License-Identifier: Apache-2.0
// The engine in this tab: the WebAssembly module, in a worker so that the page stays alive. An app
// that was built without the module says so when it is asked to open a file itself.
import type { VarveRequest } from '@varve/engine';
import { kEventsType } from '@/lib/sse';
import type { DroppedFile, Engine, Given, Kept, Playground } from './engine';
import { ApiProblem } from './problem';
import type { Answer, Call, PlaygroundCall, Question } from './protocol';
import {
  isBytes,
  isFiles,
  isFlag,
  isMade,
  isNumber,
  isReply,
  isSizes,
  isText,
  isWritten,
  resultOf,
} from './results';

interface Waiting {
  answer: (answer: Answer) => void;
}

const kMethods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

async function plain(request: Request): Promise<VarveRequest> {
  const { pathname, search } = new URL(request.url);
  const asked: VarveRequest = {
    path: pathname + search,
    headers: Object.fromEntries(request.headers),
  };
  const method = kMethods.find((one) => one === request.method);
  if (method) asked.method = method;
  const body = new Uint8Array(await request.arrayBuffer());
  if (body.length > 0) asked.body = body;
  return asked;
}

class WasmEngine implements Engine {
  readonly letter = 'w';
  readonly name = 'wasm';
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.waiting.get(data.id)?.answer(data);
    worker.onerror = (event) => {
      for (const [id, { answer }] of this.waiting)
        answer({ id, error: event.message || 'the engine could not be loaded' });
    };
  }

  async fetch(request: Request): Promise<Response> {
    const asked = await plain(request);
    if (request.headers.get('Accept') === kEventsType)
      return new Response(this.stream(asked), { headers: { 'Content-Type': kEventsType } });
    const { status, headers, body } = await resultOf(
      isReply,
      this.call({ call: 'request', request: asked }),
    );
    const mustBeNull = status === 204 || status === 304; // Not even an empty body may these have.
    return new Response(mustBeNull ? null : body, { status, headers });
  }

  // Pieces as they come.
  private stream(request: VarveRequest): ReadableStream<Uint8Array<ArrayBuffer>> {
    const id = ++this.asked;
    return new ReadableStream({
      start: (controller) => {
        this.waiting.set(id, {
          answer: (answer) => {
            if ('piece' in answer) return controller.enqueue(new Uint8Array(answer.piece));
            this.waiting.delete(id);
            if ('error' in answer) controller.error(new Error(answer.error));
            else controller.close();
          },
        });
        this.post({ id, of: { call: 'stream', request } });
      },
      cancel: () => {
        this.waiting.delete(id);
        void this.call({ call: 'cancel', stream: id });
      },
    });
  }

  async attach(files: DroppedFile[]): Promise<{ target: string }> {
    return { target: await resultOf(isText, this.call({ call: 'open', files })) };
  }

  async playground(
    options: Record<string, string>,
    kept?: Kept,
    given?: Given,
  ): Promise<Playground> {
    const { target, repaired } = await resultOf(
      isMade,
      this.call({ call: 'playground', options, ...(kept && { kept }), ...(given && { given }) }),
    );
    const asked = (what: PlaygroundCall) => this.call({ call: 'play', target, what });
    const play = async (what: PlaygroundCall) => void (await asked(what));
    return {
      target,
      repaired,
      write: (changes) => resultOf(isWritten, asked({ do: 'write', changes })),
      writeNumbered: (slice) => resultOf(isWritten, asked({ do: 'writeNumbered', slice })),
      ingest: (records, family = 'default') => play({ do: 'ingest', records, family }),
      createFamily: (name) => play({ do: 'createFamily', name }),
      snapshot: () => resultOf(isNumber, asked({ do: 'snapshot' })),
      release: (sequence) => play({ do: 'release', sequence }),
      searchNanoseconds: (grade) => resultOf(isNumber, asked({ do: 'searchNanoseconds', grade })),
      flush: () => play({ do: 'flush' }),
      compact: () => play({ do: 'compact' }),
      work: () => resultOf(isFlag, asked({ do: 'work' })),
      files: () => resultOf(isFiles, asked({ do: 'files' })),
      sizes: () => resultOf(isSizes, asked({ do: 'sizes' })),
      read: (name, offset, size) => resultOf(isBytes, asked({ do: 'read', name, offset, size })),
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
