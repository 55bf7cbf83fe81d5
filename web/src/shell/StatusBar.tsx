// SPDX-License-Identifier: Apache-2.0
// What runs, and the proof that nothing is changed or sent.
import { Button } from '@mantine/core';
import { useEngines, useRoot } from '@/engine/context';
import { useRoute } from '@/lib/route';
import { useJobs } from './jobs';
import { useLive } from './live';

export function StatusBar({ write }: { write: boolean }) {
  const { isLive, paused, setPaused } = useLive();
  const { route } = useRoute();
  const { http, wasm } = useEngines();
  const { running, cancel } = useJobs();
  const user = useRoot().data?.user;
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
            {(write || job.user === user) && (
              <Button size="compact-xs" variant="subtle" color="gray" onClick={() => cancel(job)}>
                cancel
              </Button>
            )}
          </span>
        ))}
      </span>
      <span className="spacer" />
      {user !== undefined && (
        <span className="status-user" title={user}>
          {user}
        </span>
      )}
      <span>{write && isLive ? 'may write' : 'read-only'}</span>
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
      <span>{engine?.name === 'http' ? 'this machine only' : '0 B sent'}</span>
    </footer>
  );
}
