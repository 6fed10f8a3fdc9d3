/** Problems through the API, for tests. */
import { expect } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeEvent, makeTrigger, only } from '../../deliveries/test/delivery-support.ts';
import type { Service } from '../../test/service.ts';
import type { Sink } from '../../test/sink.ts';

export type Problem = Reply<'problemList'>['problems'][number];
export type Detail = Reply<'problemGet'>;

/** Short times; runs and calls are stored within a second. */
export const QUICK = { settleMs: 1500, checkMs: 100, quietMs: 100 };

export async function listProblems(service: Service, query = ''): Promise<Problem[]> {
  const { body, status } = await service.api<Reply<'problemList'>>('GET', `/problems${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.problems;
}

/** The problem of a resource, once it is as wanted. */
export async function problemOf(
  service: Service,
  resource_id: string,
  wanted: (problem: Problem) => boolean = () => true,
): Promise<Problem> {
  let found: Problem[] = [];
  await expect
    .poll(
      async () => {
        found = await listProblems(service, `?resource_ids=${resource_id}`);
        return found.some(wanted);
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  return only(found);
}

export async function getProblem(service: Service, problem_id: string): Promise<Detail> {
  const { body, status } = await service.api<Detail>('GET', `/problems/${problem_id}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

export async function change(service: Service, problem_id: string, verb: string, body?: object) {
  const answer = await service.api<{ problem: Problem; message: string }>(
    'POST',
    `/problems/${problem_id}:${verb}`,
    body,
  );
  return { status: answer.status, message: answer.body.message, problem: answer.body.problem };
}

let count = 0;

/** A destination that answers as `sink` is set up for its path. */
export async function target(service: Service, sink: Sink, answer: { status: number; body?: string }) {
  const path = `/receiver-${++count}`;
  sink.answer(path, answer);
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path, name: `CRM ${count}` }]);
  const { destination_id } = only(destinations);
  return { path, trigger_id, destination_id, send: (payload?: object) => makeEvent(service, trigger_id, payload) };
}
