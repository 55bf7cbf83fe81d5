// SPDX-License-Identifier: Apache-2.0
// What runs, and the proof that nothing is changed or sent.
import { Button } from '@mantine/core';
import type { Right } from '@/api/openapi';
import { useEngines, useMayWrite, useRoot } from '@/engine/context';
import { rightText } from '@/lib/rights';
import { useRoute } from '@/lib/route';
import { useJobs } from './jobs';
import { useLive } from './live';

const rightsText = (rights: Right[]) => rights.map(rightText).join(', ') || 'no rights';

export function StatusBar() {
  const { isLive, paused, setPaused } = useLive();
  const { route } = useRoute();
  const { http, wasm, disconnect } = useEngines();
  const { running, cancel } = useJobs();
  const root = useRoot().data;
  const user = root?.user;
  const write = useMayWrite();
  const engine = route.engine === 'w' ? wasm : http;
  return (
    <footer className="status">
      <span role="status">
        {running.map((job) => (
          <span className="status-job" key={job.id}>
            {job.kind}
            {job.user !== undefined && job.user !== user && ` of ${job.user}`}{' '}
            <progress
              max={Math.max(1, job.progress.total)}
              value={job.progress.done}
              aria-label={`progress of ${job.kind}`}
            />
            {(root?.capabilities.write || job.user === user) && (
              <Button size="compact-xs" variant="subtle" color="gray" onClick={() => cancel(job)}>
                cancel
              </Button>
            )}
          </span>
        ))}
      </span>
      <span className="spacer" />
      {user !== undefined && (
        <span className="status-user" title={`${user}: ${rightsText(root?.rights ?? [])}`}>
          {user}
          <span className="sr-only">: {rightsText(root?.rights ?? [])}</span>
        </span>
      )}
      {user !== undefined && (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={disconnect}>
          sign out
        </Button>
      )}
      <span>{write ? 'may write' : 'read-only'}</span>
      {engine && (
        <span className={user === undefined ? '' : 'beside-user'}>
          {engine.name === 'http' ? 'varve serve' : 'in this tab'}
        </span>
      )}
      {isLive && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => setPaused(!paused)}
          aria-label={paused ? 'paused: go on' : 'live: pause'}
        >
          {paused ? '⏸ paused' : '● live'}
        </Button>
      )}
      <span className={user === undefined ? '' : 'beside-user'}>
        {engine?.name === 'http' ? 'this machine only' : '0 B sent'}
      </span>
    </footer>
  );
}
