/** Requests of webhook registration tests. */
import { expect } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import type { Service } from '../../test/service.ts';
import type { Trigger } from './ingress-support.ts';

/** A trigger for pushes with this connection of an app, by default. */
export async function make(
  service: Service,
  { app, connection_id }: { app: string; connection_id: string },
  more: Partial<Body<'triggerCreate'>>,
): Promise<Trigger> {
  const body = { source: app, connection_id, event_type: 'push', ...more };
  const answer = await service.api<Reply<'triggerCreate'>>('POST', '/triggers', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.trigger;
}

export const read = async (service: Service, { trigger_id }: Trigger) =>
  (await service.api<{ trigger: Trigger }>('GET', `/triggers/${trigger_id}`)).body.trigger;
export const register = (service: Service, { trigger_id }: Trigger) =>
  service.api<{ trigger: Trigger; message: string }>('POST', `/triggers/${trigger_id}:register`);
export const remove = (service: Service, { trigger_id }: Trigger) =>
  service.api<Reply<'triggerDelete'>>('DELETE', `/triggers/${trigger_id}`);
