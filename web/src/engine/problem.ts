// SPDX-License-Identifier: Apache-2.0
// RFC 9457 problems, as the API answers them and as errors of this app.

export interface Problem {
  code: string;
  title: string;
  status: number;
  detail?: string;
  hint?: string;
  retryable?: boolean;
  feature?: string;
  location?: Record<string, unknown>;
}

export class ApiProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = 'ApiProblem';
  }
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'title' in value;
}

// What a list ends with where its rows could not all be read.
export function problemIn(page: unknown): Problem | undefined {
  const problem =
    typeof page === 'object' && page !== null && 'problem' in page ? page.problem : undefined;
  return isProblem(problem) ? problem : undefined;
}

// Whatever was thrown, as something that can be shown.
export function toProblem(error: unknown): Problem {
  if (error instanceof ApiProblem) return error.problem;
  const detail = error instanceof Error ? error.message : String(error);
  return {
    code: 'unreachable',
    title: 'The engine did not answer',
    status: 0,
    detail,
    retryable: true,
  };
}

export function problemOf(status: number, body: Uint8Array): Problem {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body));
    if (isProblem(parsed)) return parsed;
  } catch {
    // Not JSON: what follows says so.
  }
  return { code: 'bad_reply', title: `Status ${status} without an explanation`, status };
}
