/** Requests that members save for each other. */
import { beforeEach, expect, it } from 'vitest';
import { MASK, SAVED_REQUESTS_MAX } from '../../../contract/limits.ts';
import type { LiveChange } from '../../../contract/live.ts';
import type { Reply } from '../../../contract/operations.ts';
import { addCustomApp } from '../../connections/test/custom-support.ts';
import { addAccount } from '../../test/another-account.ts';
import { echoForAll, serviceForAll } from '../../test/shared-set-up.ts';

const echo = echoForAll();
const service = serviceForAll();
let app: string;
beforeEach(async () => {
  app = await addCustomApp(service, echo.url, [{ method: 'API_KEY', place: { in: 'header', name: 'X-Key' } }]);
});

type Answer = Reply<'savedRequestCreate'> & { message: string };
const GET = { method: 'GET', path: '/items?limit=2', body_kind: 'none' };
const save = (body: object, of = app, key = service.key) =>
  service.api<Answer>('POST', `/apps/${of}/requests`, body, { key });
const list = async (of = app, key = service.key) =>
  (await service.api<Reply<'savedRequestList'>>('GET', `/apps/${of}/requests`, undefined, { key })).body.saved_requests;

it('is listed by name for its app, renamed and deleted, and consoles are notified', async () => {
  const published: LiveChange[] = [];
  const { stop } = service.services.live.subscribe(service.account_id, undefined, ({ changes }) =>
    published.push(...changes),
  );
  const { status, body } = await save({ name: 'Second', ...GET, headers: [['X-One', '1']] });
  expect(status).toBe(200);
  await save({ name: 'First', method: 'POST', path: '/items', body_kind: 'json', body: '{"a":1}' });
  const { saved_request_id } = body.saved_request;
  const isShown = () =>
    expect.poll(() => published.splice(0)).toContainEqual({ noun: 'saved_request', saved_request_id });
  await isShown();
  expect(await list()).toMatchObject([
    { name: 'First', method: 'POST', path: '/items', headers: [], body_kind: 'json', body: '{"a":1}' },
    { name: 'Second', method: 'GET', path: '/items?limit=2', headers: [['X-One', '1']], body: '', saved_request_id },
  ]);
  expect(await list('github')).toEqual([]);
  const renamed = await service.api<Answer>('PATCH', `/apps/${app}/requests/${saved_request_id}`, { name: 'A' });
  expect(renamed.body.saved_request).toMatchObject({ name: 'A', path: '/items?limit=2' });
  await isShown();
  expect((await service.api('PATCH', `/apps/github/requests/${saved_request_id}`, { name: 'B' })).status).toBe(404);
  expect((await service.api('DELETE', `/apps/github/requests/${saved_request_id}`)).status).toBe(404);
  expect((await service.api('DELETE', `/apps/${app}/requests/${saved_request_id}`)).status).toBe(200);
  expect((await list()).map(({ name }) => name)).toEqual(['First']);
  await isShown();
  stop();
  const audit = await service.api<Reply<'auditList'>>('GET', '/audit');
  const entries = audit.body.entries.filter(({ resource_id }) => resource_id === saved_request_id);
  expect(entries.map(({ operation }) => operation)).toEqual([
    'savedRequestDelete',
    'savedRequestUpdate',
    'savedRequestCreate',
  ]);
});

it('is stored without the key of its app, whatever the name of its header', async () => {
  const place = { in: 'header', name: 'X-Warehouse' };
  app = await addCustomApp(service, echo.url, [{ method: 'API_KEY', place }]);
  await save({ name: 'Key', ...GET, headers: [['x-warehouse', 'hidden-key']] });
  expect(await list()).toMatchObject([{ headers: [['x-warehouse', MASK]] }]);
});

it('is stored without secrets', async () => {
  const { body } = await save({
    name: 'Secret',
    method: 'POST',
    path: '/items?api_key=hidden-one&limit=2',
    headers: [
      ['Authorization', 'Bearer hidden-two'],
      ['X-Api-Key', 'hidden-three'],
    ],
    body_kind: 'json',
    body: '{"password":"hidden-four","n":1}',
  });
  await save({ name: 'Form', method: 'POST', path: '/', body_kind: 'form', body: 'a=1&client_secret=hidden-five' });
  expect(body.saved_request).toMatchObject({
    path: `/items?api_key=${MASK}&limit=2`,
    headers: [
      ['Authorization', MASK],
      ['X-Api-Key', MASK],
    ],
    body: `{"password":"${MASK}","n":1}`,
  });
  const rows = await service.services.db.selectFrom('saved_requests').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('hidden');
});

it('has a free name, limits, and an app', async () => {
  await save({ name: 'One', ...GET });
  expect((await save({ name: 'oNE', ...GET })).body.message).toContain('already has the name');
  expect((await save({ name: 'Long', ...GET, body: 'x'.repeat(16_385) })).status).toBe(400);
  const headers = Array.from({ length: 5 }, (_, i) => [`X-${i}`, 'x'.repeat(8000)]);
  expect((await save({ name: 'Long', ...GET, headers })).body.message).toContain('32768 characters');
  expect((await save({ name: 'One', ...GET }, 'no-such-app')).status).toBe(404);
  for (let n = 1; n < SAVED_REQUESTS_MAX; n++) expect((await save({ name: `n ${n}`, ...GET })).status).toBe(200);
  expect((await save({ name: 'More', ...GET })).body.message).toContain('at most 50');
});

it('is not seen by another account', async () => {
  const { body } = await save({ name: 'One', ...GET }, 'github');
  const { key } = await addAccount(service.services.db, 'Other');
  expect(await list('github', key)).toEqual([]);
  const at = `/apps/github/requests/${body.saved_request.saved_request_id}`;
  expect((await service.api('PATCH', at, { name: 'Mine' }, { key })).status).toBe(404);
  expect((await service.api('DELETE', at, undefined, { key })).status).toBe(404);
  expect((await save({ name: 'One', ...GET }, 'github', key)).status).toBe(200);
  expect((await list('github')).length).toBe(1);
});

it('goes with its app', async () => {
  await save({ name: 'One', ...GET });
  expect((await service.api('DELETE', `/apps/${app}`)).status).toBe(200);
  expect(await list()).toEqual([]);
});
