/** Shadows through the public API, for tests. */
import { expect } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import type { Service } from '../../test/service.ts';
import { type HostedFunction, PATIENTLY } from './functions-support.ts';

export type ShadowDetail = Reply<'shadowGet'>;
export type Shadow = ShadowDetail['shadow'];
export type ShadowRequest = Reply<'shadowRequestList'>['requests'][number];

/** Publishes a version that is not live; returns its number. */
export async function publish(service: Service, { function_id }: HostedFunction, code: string): Promise<number> {
  const body = { files: { 'index.ts': code }, serve: false };
  const answer = await service.api<Reply<'versionCreate'>>('POST', `/functions/${function_id}/versions`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.version.serving).toBe(false);
  return answer.body.version.version;
}

export const pathOf = ({ function_id, shadow_id }: Pick<Shadow, 'function_id' | 'shadow_id'>) =>
  `/functions/${function_id}/shadows/${shadow_id}`;

export const begin = (service: Service, { function_id }: HostedFunction, body: object) =>
  service.api<Reply<'shadowCreate'> & { message: string }>('POST', `/functions/${function_id}/shadows`, body);

/** Creates a shadow, and reads it when it has ended. */
export async function shadow(service: Service, fn: HostedFunction, body: object): Promise<ShadowDetail> {
  const answer = await begin(service, fn, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return whenEnded(service, answer.body.shadow);
}

export const read = async (service: Service, shadow: Pick<Shadow, 'function_id' | 'shadow_id'>) =>
  (await service.api<ShadowDetail>('GET', pathOf(shadow))).body;

export async function whenEnded(service: Service, shadow: Shadow): Promise<ShadowDetail> {
  await expect.poll(async () => (await read(service, shadow)).shadow.status, PATIENTLY).not.toBe('RUNNING');
  return read(service, shadow);
}

export async function requestsOf(service: Service, shadow: Shadow, query = ''): Promise<ShadowRequest[]> {
  const answer = await service.api<Reply<'shadowRequestList'>>('GET', `${pathOf(shadow)}/requests?limit=200${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.requests;
}
