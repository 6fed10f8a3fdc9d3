/** Replays of problems through the API, for tests. */
import { expect } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import type { Service } from '../../test/service.ts';

export type Receipt = Reply<'receiptGet'>['receipt'];
export type Line = Reply<'receiptExport'>;
type Body = { message?: string } & Reply<'problemReplayCreate'>;

export const LONG = { timeout: 60_000 };

export async function plan(service: Service, problem_id: string, body: object = {}) {
  const answer = await service.api<Body>('POST', `/problems/${problem_id}/replays`, { dry_run: true, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.replay).toBeNull();
  return answer.body.plan as NonNullable<Body['plan']>;
}

export async function replay(service: Service, problem_id: string, body: object = {}) {
  const answer = await service.api<Body>('POST', `/problems/${problem_id}/replays`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.replay as NonNullable<Body['replay']>;
}

export async function refusedReplay(service: Service, problem_id: string, body: object = {}) {
  const answer = await service.api<Body>('POST', `/problems/${problem_id}/replays`, body);
  return [answer.status, answer.body.message];
}

type Ids = { problem_id: string | null; replay_id: string };
const pathOf = ({ problem_id, replay_id }: Ids) => `/problems/${problem_id}/replays/${replay_id}`;

export async function receiptOf(service: Service, ids: Ids): Promise<Receipt> {
  const { body, status } = await service.api<Reply<'receiptGet'>>('GET', pathOf(ids));
  expect(status, JSON.stringify(body)).toBe(200);
  return body.receipt;
}

/** The receipt, once it is stored. */
export async function finalReceipt(service: Service, ids: Ids): Promise<Receipt> {
  await expect.poll(async () => (await receiptOf(service, ids)).is_final, LONG).toBe(true);
  return receiptOf(service, ids);
}

export async function linesOf(service: Service, ids: Ids, query = ''): Promise<Line[]> {
  const { body, status } = await service.api<Reply<'receiptLineList'>>('GET', `${pathOf(ids)}/lines${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.lines;
}
