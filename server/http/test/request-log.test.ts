/** The log lines of requests to webhook URLs, functions, apps and pages, at a chosen level. */
import { expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, getConnection, newConnection, onLink, tokenOf } from '../../connections/test/connecting.ts';
import { callAddress, HELLO, makeFunction } from '../../functions/test/functions-support.ts';
import { type Service, startService } from '../../test/service.ts';
import { sinkForAll } from '../../test/shared-set-up.ts';
import { listenTo, post } from '../../triggers/test/ingress-support.ts';

type Line = { level: number | string; msg: string; request_id: string } & Record<string, unknown>;

const sink = sinkForAll();

async function started(env: Record<string, string>): Promise<Service> {
  const service = await startService({ env });
  onTestFinished(() => service.stop());
  return service;
}

/** The line of a request, by the id in its response or in the request. */
function lineOf(service: Service, request_id: string | null): Line | undefined {
  const lines = service
    .logged()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'));
  return lines.map((line) => JSON.parse(line) as Line).find((line) => line.request_id === request_id);
}

it('names the account and the target, and neither a token, a query nor a body', async () => {
  const service = await started({ SLUICE_REQUEST_LOG_LEVEL: 'info' });
  const { account_id } = service;
  const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received');
  const expectLine = async (id: string, more: object) =>
    expect
      .poll(() => lineOf(service, id))
      .toMatchObject({ level: 30, ip: '127.0.0.1', duration_ms: expect.any(Number), ...more });

  await post(`${url}?q=secret-in-query`, '{"text":"secret-in-body"}', { 'x-request-id': 'of-the-webhook' });
  await expectLine('of-the-webhook', {
    operation: 'webhook',
    account_id,
    trigger_id: trigger.trigger_id,
    method: 'POST',
    status: 200,
  });

  const fn = await makeFunction(service, HELLO, { visibility: 'PUBLIC', invoke_access: 'ANYONE' });
  await callAddress(service, `${fn.url}?q=secret-in-query`, { headers: { 'x-request-id': 'of-the-function' } });
  await expectLine('of-the-function', { operation: 'function', account_id, function_id: fn.function_id, status: 200 });

  const app = await addApp(service, sink.url);
  const connection_id = await newConnection(service, app);
  const { url: link } = await getConnection(service, connection_id);
  await onLink(service, tokenOf(link), { method: 'API_KEY', fields: { api_key: 'secret-of-the-app' } });
  await service.api('GET', `/${app}/things?q=secret-in-query`, undefined, {
    key: service.key,
    headers: { 'x-request-id': 'of-the-app' },
  });
  await expectLine('of-the-app', { operation: 'gateway', account_id, app, status: 200 });

  await fetch(`${service.url}/hooks/unknown-token`, { method: 'POST', headers: { 'x-request-id': 'of-nothing' } });
  await expectLine('of-nothing', { operation: 'none', status: 404 });
  await fetch(`${service.url}/readyz`, { headers: { 'x-request-id': 'of-a-probe' } });
  await expectLine('of-a-probe', { operation: 'readyz', status: 200 });
  await service.api('GET', '/triggers?q=secret-in-query', undefined, {
    key: service.key,
    headers: { 'x-request-id': 'of-the-api' },
  });
  await expectLine('of-the-api', { operation: 'triggerList', account_id, status: 200 });

  for (const secret of [
    'secret-in-query',
    'secret-in-body',
    'secret-of-the-app',
    '/things',
    'unknown-token',
    url.split('/').at(-1),
  ])
    expect(service.logged()).not.toContain(secret);
  const ofApi = service
    .logged()
    .split('\n')
    .filter((line) => line.includes('of-the-api') && line.includes('"request"'));
  expect(ofApi).toHaveLength(1);
});

it('says when the client disconnected before the end of the response', async () => {
  const service = await started({ SLUICE_REQUEST_LOG_LEVEL: 'info' });
  const slow = 'export default { fetch: () => new Promise(() => {}) };';
  const fn = await makeFunction(service, slow, { visibility: 'PUBLIC', invoke_access: 'ANYONE' });
  const gone = new AbortController();
  const headers = { 'x-request-id': 'of-one-who-leaves' };
  const call = callAddress(service, fn.url, { headers, signal: gone.signal }).catch(() => 'aborted');
  const running = async () => (await service.api<Reply<'runListAll'>>('GET', '/runs')).body.runs.length;
  await expect.poll(running).toBe(1);
  gone.abort();
  expect(await call).toBe('aborted');
  await expect
    .poll(() => lineOf(service, 'of-one-who-leaves'))
    .toMatchObject({ operation: 'function', function_id: fn.function_id, aborted: true });
});
