// SPDX-License-Identifier: Apache-2.0
// Typed access to the API of one engine.
import type { components } from './api';
import type { Engine, EngineRequest } from './engine';
import { ApiProblem, problemIn, problemOf, type Problem } from './problem';

export type Schemas = components['schemas'];
export type Bytes = Schemas['bytes'];
export type Bound = Schemas['bound'];
export type FileSummary = Schemas['files']['files'][number];
export type TargetSummary = Schemas['targets']['targets'][number];
export type Family = Schemas['cfs']['cfs'][number];
export type Finding = Schemas['finding'];
export type Job = Schemas['job']['job'];

export type Query = Record<string, string | number | boolean | undefined>;

// Which schema a path answers with, by the name of the schema without "varve." and version.
export type SchemaName = keyof Schemas;

export function pathOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return `/api/v1${path}${text ? `?${text}` : ''}`;
}

// "/targets/t1/cfs/my%20family"; every part is one path segment.
export function segments(...parts: string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

interface Page {
  complete: boolean;
  next_page_token?: string;
  problem?: unknown;
}

// Rows that were asked for, and what kept the engine from giving the rest, if anything did.
export interface Rows<Name extends SchemaName, Row> {
  rows: Row[];
  last: Schemas[Name];
  complete: boolean;
  problem: Problem | undefined;
}

export class Client {
  constructor(readonly engine: Engine) {}

  async raw(
    path: string,
    query: Query = {},
    signal?: AbortSignal,
    headers?: Record<string, string>,
  ) {
    const request: EngineRequest = { method: 'GET', path: pathOf(path, query), signal };
    if (headers) request.headers = headers;
    const response = await this.engine.request(request);
    if (response.status >= 400) throw new ApiProblem(problemOf(response.status, response.body));
    return response;
  }

  async get<Name extends SchemaName>(path: string, query: Query = {}, signal?: AbortSignal) {
    const { body } = await this.raw(path, query, signal);
    return JSON.parse(new TextDecoder().decode(body)) as Schemas[Name];
  }

  async send<Name extends SchemaName>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    json?: unknown,
  ) {
    const request: EngineRequest = { method, path: pathOf(path) };
    if (json !== undefined) request.body = new TextEncoder().encode(JSON.stringify(json));
    const response = await this.engine.request(request);
    if (response.status >= 400) throw new ApiProblem(problemOf(response.status, response.body));
    return JSON.parse(new TextDecoder().decode(response.body)) as Schemas[Name];
  }

  // Every row of a list, page by page, up to `most`. The last page is returned with them, so that
  // what it says about the whole is not lost.
  async all<Name extends SchemaName, Row>(
    path: string,
    rows: (page: Schemas[Name]) => Row[],
    query: Query = {},
    most = Infinity,
    signal?: AbortSignal,
  ): Promise<Rows<Name, Row>> {
    const found: Row[] = [];
    let token: string | undefined;
    for (;;) {
      const asked = {
        ...query,
        page_size: Math.min(10000, Math.max(1, most - found.length)),
        page_token: token,
      };
      const last = await this.get<Name>(path, asked, signal);
      found.push(...rows(last));
      const page = last as Page;
      token = page.next_page_token;
      if (!token) return { rows: found, last, complete: page.complete, problem: problemIn(last) };
      if (found.length >= most) return { rows: found, last, complete: false, problem: undefined };
    }
  }
}
