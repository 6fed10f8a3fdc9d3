/** Does the operations of the log of calls. */
import { expect } from 'vitest';
import type { Operation } from '../../contract/routes.ts';
import type { Service } from './service.ts';

type Does = <T extends object>(
  name: Operation,
  params?: Record<string, string>,
  body?: unknown,
  query?: string,
) => Promise<T>;

/** `app`: without an ACTIVE connection, so that a call of it is refused. */
export async function doCallOperations(service: Service, does: Does, connection_id: string, app: string) {
  await does('connectionCallList', { connection_id });
  await does('connectionCallStats', { connection_id });
  await does('callList');
  expect((await service.api('GET', `/${app}/items`)).status).toBe(400);
  const refused = async () =>
    (await does<{ calls: { call_id: string }[] }>('callList', {}, undefined, '?status=refused')).calls;
  await expect.poll(async () => (await refused()).length).toBe(1);
  await does('callGet', { call_id: (await refused())[0]?.call_id ?? '' });
  await does('captureCreate', {}, { connection_id, minutes: 5 });
  const { captures } = await does<{ captures: { capture_id: string }[] }>('captureList');
  await does('captureDelete', { capture_id: captures[0]?.capture_id ?? '' });
}
