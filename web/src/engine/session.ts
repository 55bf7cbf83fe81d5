// SPDX-License-Identifier: Apache-2.0
// Signing in and out, of a server whose users have passwords: a POST of name and password sets a
// cookie that no script can read, and answers with a key that goes with it.
import { isSession, type Credential } from './http';
import { ApiProblem, problemOf } from './problem';

const kPlace = '/api/v1/session';

const read = async (response: Response): Promise<unknown> => response.json().catch(() => undefined);

const kHint = /(^|; )varve-sign-in=1(;|$)/;

// Whether the server of this page has users who sign in. Asks only a server whose page said so in a cookie:
// where the page is a file among others, nobody is asked.
export async function offersSignIn(): Promise<boolean> {
  if (!kHint.test(document.cookie)) return false;
  try {
    const response = await fetch('/api/v1/');
    if (response.status !== 401) return false;
    const said = await read(response);
    return typeof said === 'object' && said !== null && 'sign_in' in said;
  } catch {
    return false;
  }
}

export async function signIn(name: string, password: string): Promise<Credential> {
  const response = await fetch(kPlace, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const said = await read(response);
  if (
    response.ok &&
    typeof said === 'object' &&
    said !== null &&
    'key' in said &&
    typeof said.key === 'string'
  )
    return `Session ${said.key}`;
  throw new ApiProblem(problemOf(response.status, said));
}

export async function signOut(credential: Credential): Promise<void> {
  if (!isSession(credential)) return;
  await fetch(kPlace, { method: 'DELETE', headers: { Authorization: credential } });
}
