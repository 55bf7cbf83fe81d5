// SPDX-License-Identifier: Apache-2.0
// Jobs: started, followed by their events, cancelled.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { segments, type Job, type Schemas } from '@/engine/client';
import { useClient } from '@/engine/context';
import { toProblem, type Problem } from '@/engine/problem';
import { useRoute } from '@/lib/route';
import { eventsOf } from '@/lib/sse';

export function hasEnded(job: Job): boolean {
  return job.state === 'done' || job.state === 'failed' || job.state === 'cancelled';
}

// The jobs of the shown target that have not ended.
export function useJobs() {
  const client = useClient();
  const { route } = useRoute();
  const queries = useQueryClient();
  const path = `${segments('targets', route.target)}/jobs`;
  const jobs = useQuery({
    queryKey: ['jobs', route.engine, route.target],
    queryFn: ({ signal }) => client!.get<'jobs'>(path, {}, signal),
    enabled: client !== null && route.target !== '',
    refetchInterval: (query) =>
      query.state.data?.jobs.some((job) => !hasEnded(job)) ? 500 : false,
  });
  const cancel = useCallback(
    (job: Job) =>
      void client
        ?.send('DELETE', `${path}/${encodeURIComponent(job.id)}`)
        .then(() => queries.invalidateQueries({ queryKey: ['jobs'] })),
    [client, path, queries],
  );
  return { running: (jobs.data?.jobs ?? []).filter((job) => !hasEnded(job)), cancel };
}

export interface Run<Result> {
  job: Job | null;
  result: Result | null;
  problem: Problem | null;
  start: (body: Record<string, unknown>) => void;
  cancel: () => void;
}

// One job of a page: follows the stream of its events to the end and fetches its result.
export function useRun<Name extends keyof Schemas>(): Run<Schemas[Name]> {
  const client = useClient();
  const { route } = useRoute();
  const queries = useQueryClient();
  const [job, setJob] = useState<Job | null>(null);
  const [result, setResult] = useState<Schemas[Name] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const jobs = `${segments('targets', route.target)}/jobs`;

  const follow = useCallback(
    async (body: Record<string, unknown>) => {
      let { job: current } = await client!.send<'job'>('POST', jobs, body);
      setJob(current);
      void queries.invalidateQueries({ queryKey: ['jobs'] });
      const stream = client!.engine.stream({
        method: 'GET',
        path: current.href,
        headers: { Accept: 'text/event-stream' },
      });
      for await (const event of eventsOf(stream)) {
        if (event.event !== 'job') continue;
        const said = JSON.parse(event.data) as Job | { job: Job };
        current = 'job' in said ? said.job : said;
        setJob(current);
        if (hasEnded(current)) break;
      }
      if (!hasEnded(current)) current = (await client!.get<'job'>(`${jobs}/${current.id}`)).job;
      setJob(current);
      if (current.state === 'failed') setProblem((current.problem as Problem | undefined) ?? null);
      if (current.state === 'done')
        setResult(await client!.get<Name>(`${jobs}/${current.id}/result`));
      void queries.invalidateQueries({ queryKey: ['jobs'] });
    },
    [client, jobs, queries],
  );

  const start = useCallback(
    (body: Record<string, unknown>) => {
      setProblem(null);
      setResult(null);
      setJob(null);
      follow(body).catch((error: unknown) => setProblem(toProblem(error)));
    },
    [follow],
  );
  const cancel = useCallback(() => {
    if (client && job) void client.send('DELETE', `${jobs}/${job.id}`);
  }, [client, job, jobs]);
  return { job, result, problem, start, cancel };
}
