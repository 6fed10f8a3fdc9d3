/** A new master key: values sealed with the old one are rewrapped, and remain readable without the old one. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf } from '../../accounts/test/authenticator.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { makeEvent, makeTrigger, only, whenAll } from '../../deliveries/test/delivery-support.ts';
import { signIn } from '../../test/browser.ts';
import { type Service, startService } from '../../test/service.ts';
import { sinkForAll } from '../../test/shared-set-up.ts';
import { type Folder, scratch } from '../../test/spawned.ts';

const OLD = `k1:${randomBytes(32).toString('base64')}`;
const NEW = `k2:${randomBytes(32).toString('base64')}`;

const sink = sinkForAll();
let first: Service;
let folder: Folder;
beforeAll(async () => {
  folder = scratch();
  first = await startService({ env: { SLUICE_MASTER_KEY: OLD, SLUICE_DATA_DIR: folder.path } });
});
afterAll(async () => {
  await first.stop();
  folder.remove();
});

/** Another service on the same database, called with the first one's key. */
async function startWith(ring: string): Promise<Service> {
  const env = { DATABASE_URL: first.databaseUrl, SLUICE_MASTER_KEY: ring, SLUICE_DATA_DIR: folder.path };
  const next = await startService({ env });
  const api: Service['api'] = (method, path, body, call) => next.api(method, path, body, { key: first.key, ...call });
  return { ...next, api };
}

/** The number of values per sealed column, in all tables, that use the key. */
async function under(key: string): Promise<Record<string, number>> {
  const { db } = first.services;
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and data_type = 'text'`.execute(db);
  const found: Record<string, number> = {};
  for (const { table, column } of columns) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where starts_with(${sql.ref(column)}, ${`v1.${key}.`})
    `.execute(db);
    const { count } = only(rows);
    if (count > 0) found[`${table}.${column}`] = count;
  }
  return found;
}

it('all sealed values are rewrapped, only then the old key can be removed, and everything still works', async () => {
  const app = await addApp(first, sink.url);
  await connect(first, app, { api_key: 'secret-of-the-app' });
  const trigger = await makeTrigger(first, [{ url: `${sink.url}/signed`, headers: { 'x-token': 'a kept secret' } }], {
    source: 'standard-webhooks',
    event_type: 'webhook.received',
    parameters: {},
    secret: `whsec_${randomBytes(32).toString('base64')}`,
  });
  const { trigger_id } = trigger;
  const { destination_id } = only(trigger.destinations);
  await first.api('POST', `/triggers/${trigger_id}/destinations/${destination_id}/secret:rotate`, {});
  const made = await first.api<{ function: { function_id: string } }>('POST', '/functions', {
    name: 'sealed',
    runtime: 'nodejs24.x',
    files: { 'index.ts': 'export default { fetch: (_, env) => new Response(env.TOKEN) };' },
  });
  const { function_id } = made.body.function;
  await first.api('PUT', `/functions/${function_id}/env/TOKEN`, { value: 'of the function' });
  await first.api('PUT', '/apps/github/credentials/OAUTH2', { client_id: 'c', client_secret: 's' });
  const once = { headers: { 'idempotency-key': 'only-once' } };
  const before = await first.api(
    'POST',
    '/triggers',
    { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '0 0 1 1 *' } },
    once,
  );
  const owner = await signIn(first);
  const begun = await owner.call<{ authenticator: { key: string } }>('POST', '/session/authenticator');
  const sealed = await under('k1');
  expect(Object.keys(sealed).sort()).toEqual([
    'app_credentials.client_secret',
    'authenticators.secret',
    'connections.credentials',
    'destinations.headers',
    'destinations.previous_secret',
    'destinations.signing_secret',
    'env_variables.value',
    'idempotency.answer',
    'settings.value',
    'triggers.ingress_token',
    'triggers.source_secret',
  ]);

  await expect(startWith(NEW)).rejects.toThrow('The master key is not the one');
  const both = await startWith(`${NEW},${OLD}`);
  await expect.poll(() => both.logged()).toContain('older keys can be removed');
  expect(await under('k1')).toEqual({});
  expect(await under('k2')).toEqual(sealed);
  await both.stop();

  const alone = await startWith(NEW);
  await whenAll(alone, await makeEvent(alone, trigger_id), 'SUCCEEDED');
  expect(only(sink.received('/signed')).headers).toMatchObject({ 'x-token': 'a kept secret' });
  expect((await alone.api('GET', `/${app}/any`)).status).toBe(200);
  expect(
    sink
      .received('/any')
      .map(({ headers }) => JSON.stringify(headers))
      .join(),
  ).toContain('secret-of-the-app');
  const { body } = await alone.api<{ run: { response: { body: string } } }>(
    'POST',
    `/functions/${function_id}:invoke`,
    {},
  );
  expect(body.run.response.body).toBe('of the function');
  const confirmed = await (await signIn(alone)).call('POST', '/session/authenticator:confirm', {
    code: codeOf(begun.body.authenticator.key),
  });
  expect(confirmed.status).toBe(200);
  const again = await alone.api(
    'POST',
    '/triggers',
    { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '0 0 1 1 *' } },
    once,
  );
  expect(again.body).toEqual(before.body);
  await alone.stop();
});
