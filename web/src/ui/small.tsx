// SPDX-License-Identifier: Apache-2.0
// Small pieces that several pages share.
import type { ReactNode } from 'react';
import type { Bytes } from '@/api/openapi';
import { decode, sharedLength, shorten, type Decoder } from '@/lib/bytes';

const kSharedLeast = 8; // Less is no trouble in the narrowest column.

export function BytesText({
  bytes,
  as = 'auto',
  most = 80,
  near,
}: {
  bytes: Bytes | undefined;
  as?: Decoder;
  most?: number;
  near?: (Bytes | undefined)[]; // What it has to be told from, in a place that may be too narrow.
}) {
  if (!bytes) return <span className="muted">–</span>;
  if (bytes.len === 0) return <span className="muted">(empty)</span>;
  const text = decode(bytes, as);
  const more = bytes.truncated && <span className="muted"> … {bytes.len} B</span>;
  const whole = `${text}${bytes.truncated ? `… ${bytes.len} B` : ''}`;
  const others = near?.flatMap((other) => (other && other.len > 0 ? [decode(other, as)] : []));
  const shared = others ? sharedLength(text, others) : 0;
  if (shared >= kSharedLeast)
    return (
      <span className="mono bytes told-apart" title={shorten(text, 400)} data-value={whole}>
        <span className="shared">{shorten(text.slice(0, shared), most)}</span>
        <span className="differs">
          {shorten(text.slice(shared), most)}
          {more}
        </span>
      </span>
    );
  return (
    <span className="mono bytes" title={shorten(text, 400)} data-value={whole}>
      {shorten(text, most)}
      {more}
    </span>
  );
}

// The keys of a table, from its first to its last.
export function KeySpan({
  of: { smallest, largest },
  most,
}: {
  of: Record<'smallest' | 'largest', { key: Bytes }>;
  most: number;
}) {
  return (
    <>
      <BytesText bytes={smallest.key} most={most} /> … <BytesText bytes={largest.key} most={most} />
    </>
  );
}

// What may be wider than its place: moved by fingers, and by keys once it has the focus.
export function Sideways({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div className="scroll-x" role="group" aria-label={of} tabIndex={0}>
      {children}
    </div>
  );
}

export function Facts({ of }: { of: [string, ReactNode][] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

// A part of a whole, with its share said in words to those who do not see it.
export function Bar({
  value,
  most,
  label,
  tone,
}: {
  value: number;
  most: number;
  label: string;
  tone?: string;
}) {
  const share = most > 0 ? Math.min(1, value / most) : 0;
  return (
    <span className={`bar${tone ? ` tone-${tone}` : ''}`} role="img" aria-label={label}>
      <span style={{ width: `${(100 * share).toFixed(2)}%` }} />
    </span>
  );
}

export interface Part {
  name: string;
  value: number;
  tone: string;
}

// Parts of one whole side by side, with a legend that says the same in figures.
export function Parts({ of, show }: { of: Part[]; show: (n: number) => string }) {
  const whole = of.reduce((sum, part) => sum + part.value, 0);
  return (
    <div className="parts">
      <span className="parts-bar" aria-hidden="true">
        {of
          .filter((part) => part.value > 0)
          .map((part) => (
            <span
              key={part.name}
              className={`tone-${part.tone}`}
              style={{ flexGrow: part.value / Math.max(1, whole) }}
            />
          ))}
      </span>
      <ul>
        {of.map((part) => (
          <li key={part.name}>
            <span className={`swatch tone-${part.tone}`} aria-hidden="true" />
            {part.name} <b>{show(part.value)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
