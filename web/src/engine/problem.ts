// SPDX-License-Identifier: Apache-2.0
// RFC 9457 problems, as the API answers them and as errors of this app.
import type { Problem as Told } from '@/api/openapi';

// One of this app has a code of its own, and no more than a title besides.
export type Problem = Pick<Told, 'title' | 'status'> & { code: string } & Partial<
    Pick<Told, 'detail' | 'hint' | 'retryable' | 'feature' | 'location' | 'right'>
  >;

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

// Of what a reply of that status says.
export function problemOf(status: number, said: unknown): Problem {
  if (isProblem(said)) return said;
  return { code: 'bad_reply', title: `Status ${status} without an explanation`, status };
}
