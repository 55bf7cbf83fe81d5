// SPDX-License-Identifier: Apache-2.0
// Loading, empty, problem: what stands where data will, does not or cannot.
import { Alert, Button, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemIn, toProblem, type Problem } from '@/engine/problem';

export function Loading({ what, lines = 4 }: { what?: string; lines?: number }) {
  return (
    <div className="loading" role="status" aria-label={what ?? 'loading'}>
      {what && <p className="muted">{what}</p>}
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} height={14} radius="sm" />
      ))}
    </div>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

// Asking again may help: it is not the question or the file that is at fault.
const mayPass = ({ status, retryable }: Problem) =>
  retryable === true || status === 0 || (status >= 500 && status !== 501);

export function ProblemNote({ problem, retry }: { problem: Problem; retry?: () => void }) {
  const place = problem.location;
  if (problem.code === 'right_missing') return <NoRight problem={problem} />;
  return (
    <Alert
      color={problem.status === 501 ? 'yellow' : 'red'}
      variant="light"
      title={problem.title}
      role="alert"
      className="problem"
    >
      {problem.detail && <p>{problem.detail}</p>}
      {place && (
        <p className="mono">
          {Object.entries(place)
            .map(([name, value]) => `${name} ${String(value)}`)
            .join(' · ')}
        </p>
      )}
      {problem.hint && <p>{problem.hint}</p>}
      <p className="muted mono">{problem.code}</p>
      {retry && mayPass(problem) && (
        <Button size="compact-xs" variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

// Nothing is wrong: this is not for everybody.
function NoRight({ problem }: { problem: Problem }) {
  return (
    <Alert color="gray" variant="light" title="Not for you to see or do" role="note">
      <p>
        It needs the right <span className="mono">{problem.right}</span>, which who runs the server
        can give you.
      </p>
    </Alert>
  );
}

// A query, whether of one answer or of pages.
export type Asking<T> = Pick<UseQueryResult<T>, 'error'> & {
  data: T | undefined;
  refetch: () => unknown;
};

// One query's states. `children` gets the data once it is there; a list that could not be read to its
// end says so above it.
export function Shown<T>({
  of,
  what,
  lines,
  children,
}: {
  of: Asking<T>;
  what?: string;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (of.data !== undefined) {
    const problem = problemIn(of.data);
    return (
      <>
        {problem && <ProblemNote problem={problem} />}
        {children(of.data)}
      </>
    );
  }
  if (of.error)
    return <ProblemNote problem={toProblem(of.error)} retry={() => void of.refetch()} />;
  return <Loading {...(what ? { what } : {})} {...(lines ? { lines } : {})} />;
}
