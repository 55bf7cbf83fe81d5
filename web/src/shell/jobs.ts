// SPDX-License-Identifier: Apache-2.0
// Jobs: started, followed by their events, cancelled.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Job, JobBody } from '@/api/openapi';
import { answerOf, ask, isOf, type Answer, type Client } from '@/engine/client';
import { useClient, useResource, useTargetPath } from '@/engine/context';
import { toProblem, type Problem } from '@/engine/problem';
import { eventsOf, kEventsType } from '@/lib/sse';

export function hasEnded(job: Job): boolean {
  return job.state === 'done' || job.state === 'failed' || job.state === 'cancelled';
}

// Of a job that has not ended: cancels it.
export async function cancelJob(client: Client, t: string, job: Job): Promise<void> {
  const params = { path: { t, j: job.id } };
  answerOf(await client.api().DELETE('/targets/{t}/jobs/{j}', { params }));
}

// The jobs of the shown target that have not ended.
export function useJobs() {
  const client = useClient();
  const { t } = useTargetPath();
  const queries = useQueryClient();
  const jobs = useQuery({
    queryKey: ['jobs', client?.engine.letter, t],
    queryFn: ({ signal }) => client!.get(ask('/targets/{t}/jobs', { path: { t } }), signal),
    enabled: client !== null && t !== '',
    refetchInterval: (query) =>
      query.state.data?.jobs.some((job) => !hasEnded(job)) ? 500 : false,
  });
  const cancel = useCallback(
    (job: Job) => {
      if (!client) return;
      void cancelJob(client, t, job).then(() => queries.invalidateQueries({ queryKey: ['jobs'] }));
    },
    [client, t, queries],
  );
  return { running: (jobs.data?.jobs ?? []).filter((job) => !hasEnded(job)), cancel };
}

// What a job tells of itself until it has ended.
async function* statesOf(client: Client, t: string, j: string): AsyncIterable<Job> {
  const events = await client.api().GET('/targets/{t}/jobs/{j}', {
    params: { path: { t, j } },
    headers: { Accept: kEventsType },
    parseAs: 'stream',
  });
  if (!events.data) return;
  for await (const { event, data } of eventsOf(events.data)) {
    if (event !== 'job') continue;
    const job: Job = JSON.parse(data);
    yield job;
    if (hasEnded(job)) return;
  }
}

type JobResult = Answer<'/targets/{t}/jobs/{j}/result'>;
type ResultOf<Schema> = Extract<JobResult, { schema: Schema }>;

export interface Run<Result> {
  job: Job | null;
  result: Result | null;
  problem: Problem | null;
  start: (body: JobBody) => void;
  cancel: () => void;
}

// One job of a page, whose result has that schema: follows the stream of its events to the end and
// fetches its result.
export function useRun<Schema extends JobResult['schema']>(schema: Schema): Run<ResultOf<Schema>> {
  const client = useClient();
  const { t } = useTargetPath();
  const queries = useQueryClient();
  const [job, setJob] = useState<Job | null>(null);
  const [result, setResult] = useState<ResultOf<Schema> | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const follow = useCallback(
    async (body: JobBody) => {
      const jobs = client!.api();
      let { job: current } = answerOf(
        await jobs.POST('/targets/{t}/jobs', { params: { path: { t } }, body }),
      );
      setJob(current);
      void queries.invalidateQueries({ queryKey: ['jobs'] });
      const path = { t, j: current.id };
      for await (const state of statesOf(client!, t, current.id)) {
        current = state;
        setJob(current);
      }
      if (!hasEnded(current))
        current = (await client!.get(ask('/targets/{t}/jobs/{j}', { path }))).job;
      setJob(current);
      if (current.state === 'failed') setProblem(current.problem ?? null);
      if (current.state === 'done') {
        const found = await client!.get(ask('/targets/{t}/jobs/{j}/result', { path }));
        if (isOf(found, schema)) setResult(found);
      }
      void queries.invalidateQueries({ queryKey: ['jobs'] });
    },
    [client, t, queries, schema],
  );

  const start = useCallback(
    (body: JobBody) => {
      setProblem(null);
      setResult(null);
      setJob(null);
      follow(body).catch((error: unknown) => setProblem(toProblem(error)));
    },
    [follow],
  );
  const cancel = useCallback(() => {
    if (client && job) void cancelJob(client, t, job);
  }, [client, job, t]);
  return { job, result, problem, start, cancel };
}

// The newest result of an analysis, where it is told, and the job that makes another.
export function useAnalysis<Name extends 'space' | 'tombstones' | 'keyspace'>(analysis: Name) {
  const schema = `varve.${analysis}/1` as const;
  const path = { ...useTargetPath(), analysis };
  const source = ask('/targets/{t}/analyses/{analysis}', { path });
  const known = useResource(source).data;
  const run = useRun(schema);
  const before = known && isOf(known, schema) ? known : null;
  return { source, run, result: run.result ?? before };
}
