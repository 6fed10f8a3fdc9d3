/** Destinations that are connected apps whose tokens expire: refreshes while events are delivered. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Body } from '../../../contract/operations.ts';
import { getConnection, newConnection, submitIn } from '../../connections/test/connecting.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { openVisitor } from '../../test/visitor.ts';
import { attemptsOf, makeEvent, makeTrigger, only, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [1, 1, 1, 1, 1] });

let paths = 0;
/** A path of the sink that no other test uses. */
const fresh = () => `/app-${++paths}`;

async function send(
  url: string,
  settings: Partial<Body<'destinationCreate'>> = {},
  ending: 'SUCCEEDED' | 'FAILED' | 'RETRYING' = 'SUCCEEDED',
) {
  const trigger = await makeTrigger(service, [{ url, ...settings }]);
  const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), ending);
  return { event, delivery: only(event.deliveries), attempts: await attemptsOf(service, event) };
}

let given = 0;
let gives = true;
const tokens = createServer((req, res) => {
  req.resume();
  if (!gives) return void res.writeHead(503).end();
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ access_token: `token-number-${++given}`, token_type: 'Bearer', expires_in: 3600 }));
});
beforeAll(() => new Promise<void>((ok) => tokens.listen(0, '127.0.0.1', ok)));
afterAll(() => void tokens.close());

let made = 0;
/** Connected an hour ago, so that its token may be refreshed. */
async function renewing(base: string, changes: { token_expires_at?: string } = {}): Promise<string> {
  gives = true;
  const app = `renewing-${++made}`;
  const token_url = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
  const methods = [{ method: 'OAUTH2', grant: 'client_credentials', token_url }];
  await service.api('POST', '/apps', { app, name: 'Renewing', base_url: sink.url + base, methods });
  const id = await newConnection(service, app);
  await submitIn(openVisitor(), (await getConnection(service, id)).url, 'OAUTH2', {
    client_id: 'c',
    client_secret: 's',
  });
  const refreshed_at = new Date(Date.now() - 3_600_000).toISOString();
  const { db } = service.services;
  await db
    .updateTable('connections')
    .set({ refreshed_at, ...changes })
    .where('connection_id', '=', id)
    .execute();
  return id;
}
const ended = { token_expires_at: '2026-01-01T00:00:00Z' };
const sentTokens = (path: string) => sink.received(path).map(({ headers }) => headers.authorization);

it('refreshes an expired one before it sends', async () => {
  const base = fresh();
  const id = await renewing(base, ended);
  const { attempts } = await send(`connection://${id}/x`);
  expect(sentTokens(`${base}/x`)).toEqual([`Bearer token-number-${given}`]);
  expect(attempts).toHaveLength(1);
  expect((await getConnection(service, id)).token_expires_at).not.toBe(ended.token_expires_at);
});

it('refreshes it after a 401 and sends once more, in the same attempt', async () => {
  const base = fresh();
  const id = await renewing(base);
  const old = `Bearer token-number-${given}`;
  sink.answer(`${base}/x`, (response, { headers }) => {
    response.statusCode = headers.authorization === old ? 401 : 200;
    response.end();
  });
  const { attempts } = await send(`connection://${id}/x`);
  expect(sentTokens(`${base}/x`)).toEqual([old, `Bearer token-number-${given}`]);
  expect(only(attempts).response?.status).toBe(200);
  expect(JSON.stringify(attempts)).not.toContain('token-number');
});

it('sends no third time after another 401', async () => {
  const base = fresh();
  const id = await renewing(base);
  sink.answer(`${base}/x`, { status: 401 });
  const { delivery } = await send(`connection://${id}/x`, { retry_schedule: [] }, 'FAILED');
  expect(delivery).toMatchObject({ reason: 'HTTP_STATUS', last_response_status: 401, attempts: 1 });
  expect(sink.received(`${base}/x`)).toHaveLength(2);
});

it('that cannot be refreshed fails the attempt, and a retry sends once it can', async () => {
  const base = fresh();
  const id = await renewing(base, ended);
  gives = false;
  const { event, attempts } = await send(
    `connection://${id}/x`,
    { retry_schedule: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] },
    'RETRYING',
  );
  expect(attempts[0]).toMatchObject({
    reason: 'CONNECTION_FAILED',
    response: null,
    error_message: expect.stringMatching(/^Renewing: The app’s token could not be refreshed: .* See http/),
  });
  expect(sink.received(`${base}/x`)).toEqual([]);
  gives = true;
  await whenAll(service, event, 'SUCCEEDED');
  expect(sink.received(`${base}/x`)).toHaveLength(1);
});
