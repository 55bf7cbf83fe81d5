// SPDX-License-Identifier: Apache-2.0
// Typed access to the API of one engine: the compiler holds paths, parameters and answers against
// the API's own description (src/api/openapi.d.ts).
import createClient, {
  createFinalURL,
  defaultPathSerializer,
  type Client as OpenApiClient,
  type ClientPathsWithMethod,
  type MethodResponse,
} from 'openapi-fetch';
import type { paths, Problem } from '@/api/openapi';
import type { Engine } from './engine';
import { ApiProblem, problemOf } from './problem';

export type Api = OpenApiClient<paths, 'application/json'>;
type GetPath = ClientPathsWithMethod<Api, 'get'>;
export type ParametersOf<Path extends GetPath> = paths[Path]['get']['parameters'];
export type Answer<Path extends GetPath> = MethodResponse<Api, 'get', Path>;

const kRoot = '/api/v1';

type Query = Record<string, unknown>;

// What is undefined or empty is not asked for.
function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.toString();
}

// A document of the API, and what it takes to have it.
export interface Asked<Document> {
  url: string; // "/api/v1/targets/t1/files?level=0"
  of: (api: Api) => Promise<Document>;
}

interface Reply<Document> {
  data?: Document;
  error?: unknown;
  response: Response;
}

export function ask<Path extends GetPath>(path: Path, params: ParametersOf<Path>) {
  return {
    url: createFinalURL(path, {
      baseUrl: kRoot,
      params,
      querySerializer: queryText,
      pathSerializer: defaultPathSerializer,
    }),
    of: async (api: Api) => answerOf(await Client.get(api, path, { params })),
  };
}

// What was asked for, or the problem that there is instead.
export function answerOf<Document>(reply: Reply<Document>): Document {
  if (reply.data !== undefined) return reply.data;
  throw new ApiProblem(problemOf(reply.response.status, reply.error));
}

// Tells which of several documents one is.
export function isOf<Document extends { schema: string }, Schema extends Document['schema']>(
  document: Document,
  schema: Schema,
): document is Extract<Document, { schema: Schema }> {
  return document.schema === schema;
}

export interface Page {
  complete: boolean;
  next_page_token?: string;
  problem?: Problem;
}

// Rows that were asked for, and what kept the engine from giving the rest, if anything did.
export interface Rows<Document, Row> {
  rows: Row[];
  last: Document;
  complete: boolean;
  problem: Problem | undefined;
}

// What is left of a typed client where the path may be any.
interface AnyPath {
  GET: (path: never, init: never) => Promise<Reply<unknown>>;
}

const kPageMax = 10_000; // Rows; the API gives no more.

export class Client {
  constructor(readonly engine: Engine) {}

  // The signature holds callers to the parameters and the answer of their path. Of a path that is a
  // type parameter the compiler cannot tell that it is what openapi-fetch wants.
  static get<Path extends GetPath>(
    api: Api,
    path: Path,
    init: { params: ParametersOf<Path> },
  ): Promise<Reply<Answer<Path>>>;
  static get(api: AnyPath, path: never, init: never) {
    return api.GET(path, init);
  }

  // `paging` is added to the query of what is asked through it.
  api(signal?: AbortSignal, paging: Query = {}): Api {
    return createClient<paths, 'application/json'>({
      baseUrl: location.origin + kRoot,
      fetch: (request) => this.engine.fetch(request),
      querySerializer: (query) => queryText({ ...query, ...paging }),
      ...(signal && { signal }),
    });
  }

  get<Document>(asked: Asked<Document>, signal?: AbortSignal): Promise<Document> {
    return asked.of(this.api(signal));
  }

  // Every row of a list, page by page, up to `most`. The last page is returned with them, so that
  // what it says about the whole is not lost.
  async all<Document extends Page, Row>(
    asked: Asked<Document>,
    rows: (page: Document) => Row[],
    most = Infinity,
    signal?: AbortSignal,
  ): Promise<Rows<Document, Row>> {
    const found: Row[] = [];
    const left = () => Math.max(1, most - found.length);
    for await (const last of this.pages(asked, left, signal)) {
      found.push(...rows(last));
      const { complete, problem } = last;
      if (!last.next_page_token) return { rows: found, last, complete, problem };
      if (found.length >= most) return { rows: found, last, complete: false, problem: undefined };
    }
    throw new Error('a list has at least one page');
  }

  // A list page by page, each of as many rows as `left` says, or as a page may have.
  async *pages<Document extends Page>(
    asked: Asked<Document>,
    left: () => number,
    signal?: AbortSignal,
  ): AsyncGenerator<Document, void> {
    let token: string | undefined;
    do {
      const page_size = Math.min(kPageMax, left());
      const page = await asked.of(this.api(signal, { page_size, page_token: token }));
      yield page;
      token = page.next_page_token;
    } while (token);
  }
}
