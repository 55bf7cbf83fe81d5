// SPDX-License-Identifier: Apache-2.0
// What comes from elsewhere has no type: messages, files, what the browser kept.

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
