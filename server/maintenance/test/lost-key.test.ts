/** An installation whose master key is lost gets a new one: everything that was not sealed is kept. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, getConnection, newConnection, onLink, tokenOf } from '../../connections/test/connecting.ts';
import { HELLO, makeFunction } from '../../functions/test/functions-support.ts';
import { now } from '../../lib/clock.ts';
import { ownDatabase } from '../../test/faults/database.ts';
import { runScript } from '../../test/operator-script.ts';
import { type Service, startService } from '../../test/service.ts';
import { sinkForAll } from '../../test/shared-set-up.ts';
import { hmacHex, listenTo, post } from '../../triggers/test/ingress-support.ts';

const keyOf = (byte: number) => `k1:${Buffer.alloc(32, byte).toString('base64')}`;
const SECRET = 'the secret that the source signs with';
const sink = sinkForAll();

/** A database, a data folder for `npm run replace-key`, and a way to start and stop a service with a key. */
async function installation() {
  const database = await ownDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-lost-key-'));
  let service: Service | undefined;
  const stop = async () => {
    await service?.stop();
    service = undefined;
  };
  onTestFinished(async () => {
    await stop();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    stop,
    async start(key: string) {
      service = await startService({ env: { DATABASE_URL: database.url, SLUICE_MASTER_KEY: key } });
      return service;
    },
    async replaceKey(args: string[] = [], env: Record<string, string> = {}) {
      const settings = { cwd: dataDir, DATABASE_URL: database.url, SLUICE_DATA_DIR: dataDir, ...env };
      const { code, stdout, stderr } = await runScript('replace-key', args, settings);
      return { code, output: stdout + stderr };
    },
  };
}

/** One of each thing with a secret. */
async function fill(service: Service) {
  const app = await addApp(service, sink.url);
  const connection_id = await newConnection(service, app);
  const link = await getConnection(service, connection_id);
  await onLink(service, tokenOf(link.url), { method: 'API_KEY', fields: { api_key: 'key of the app' } });
  const at = now();
  const client = { account_id: service.account_id, method: 'OAUTH2' as const, scopes: null, raw_basic: false };
  const times = { created_at: at, updated_at: at };
  await service.services.db
    .insertInto('app_credentials')
    .values([
      { ...client, ...times, app: 'public-client', client_id: 'public', client_secret: null },
      { ...client, ...times, app: 'client', client_id: 'confidential', client_secret: 'sealed with the lost key' },
    ])
    .execute();
  const fn = await makeFunction(service, HELLO, { name: 'Nightly' });
  await service.api('POST', `/functions/${fn.function_id}/env`, { env: [{ key: 'TOKEN', value: 'secret value' }] });
  const hook = await listenTo(service, 'webhook', 'webhook.received', {
    name: 'Orders',
    parameters: { verification: 'hmac', header: 'x-signature' },
    secret: SECRET,
    destinations: [{ url: `${sink.url}/in`, headers: { 'X-Team': 'value of the header' } }],
  });
  const signed = (body: string) => post(hook.url, body, { 'x-signature': hmacHex(SECRET, body) });
  expect((await signed('{"n":1}')).status).toBe(200);
  await expect.poll(() => sink.received('/in').length).toBe(1);
  return { connection_id, fn, trigger: hook.trigger, signed, path: new URL(hook.url).pathname };
}

it('keeps events, code and URLs, and removes what no key opens', async () => {
  const { start, stop, replaceKey, dataDir } = await installation();
  const before = await start(keyOf(1));
  const { key } = before;
  const { connection_id, fn, trigger, path } = await fill(before);
  expect(await getConnection(before, connection_id)).toMatchObject({ status: 'ACTIVE' });
  const destinationOf = async (service: Service) =>
    (await service.api<Reply<'destinationGet'>>('GET', destinationAt(trigger), undefined, { key })).body.destination;
  const destinationAt = ({ trigger_id, destinations }: typeof trigger) =>
    `/triggers/${trigger_id}/destinations/${destinations[0]?.destination_id}`;
  const destination = await destinationOf(before);
  expect(await replaceKey()).toMatchObject({ code: 1, output: expect.stringContaining('Stop it first') });
  await stop();

  const listed = await replaceKey();
  expect(listed.code).toBe(0);
  for (const line of ['Nightly: TOKEN', '  Orders', `${connection_id} (app-`, `${sink.url}/in`, 'Nothing was changed'])
    expect(listed.output).toContain(line);
  expect(listed.output).not.toContain('secret value');
  expect(await replaceKey(['--all'])).toMatchObject({ code: 2 });
  expect(await replaceKey([], { SLUICE_MASTER_KEY: keyOf(1) })).toMatchObject({
    code: 1,
    output: expect.stringContaining('it is not lost, and nothing was changed'),
  });

  expect((await replaceKey(['--remove-secrets'])).code).toBe(0);
  const made = readFileSync(join(dataDir, 'master.key'), 'utf8').trim();
  const after = await start(made);
  const api = <T>(method: string, at: string, body?: unknown) => after.api<T>(method, at, body, { key });
  expect((await api<Reply<'holdGet'>>('GET', '/account/hold')).body.hold).toMatchObject({ cause: 'KEY' });
  expect((await api<Reply<'connectionGet'>>('GET', `/connections/${connection_id}`)).body.connection).toMatchObject({
    status: 'FAILED',
    metadata: { failure: { code: 'KEY_LOST' } },
  });
  const { trigger: kept } = (await api<Reply<'triggerGet'>>('GET', `/triggers/${trigger.trigger_id}`)).body;
  expect(kept.ingress).toMatchObject({ has_secret: false, signing_secret: null });
  expect(kept.ingress?.url.endsWith('/••••••••')).toBe(true);
  const { headers, signing_secret } = await destinationOf(after);
  expect([destination.headers, headers]).toEqual([{ 'X-Team': expect.any(String) }, {}]);
  expect(signing_secret).not.toBe(destination.signing_secret);
  expect((await api<Reply<'envList'>>('GET', `/functions/${fn.function_id}/env`)).body.env).toEqual([]);
  expect(
    (await api<{ run: { response: object } }>('POST', `/functions/${fn.function_id}:invoke`, {})).body.run,
  ).toMatchObject({ response: { body: 'hello' } });

  const clients = await after.services.db.selectFrom('app_credentials').select('app').execute();
  expect(clients).toEqual([{ app: 'public-client' }]);

  expect((await api('POST', '/account/hold:release')).status).toBe(403);
  await after.services.db.deleteFrom('settings').where('name', '=', 'hold').execute();
  await after.services.hold.look();
  const url = `${after.url}${path}`;
  // Its secret is missing: no request is accepted, signed or not.
  const body = '{"n":2}';
  for (const headers of [{}, { 'x-signature': hmacHex(SECRET, body) }, { 'x-signature': hmacHex('', body) }])
    expect((await post(url, body, headers)).status).toBe(401);
  const again = 'the secret that the owner enters again';
  expect((await api('PATCH', `/triggers/${trigger.trigger_id}`, { secret: again })).status).toBe(200);
  expect((await post(url, body, { 'x-signature': hmacHex(again, body) })).status).toBe(200);
  await expect.poll(() => sink.received('/in').length).toBe(2);
});

it('continues after it was killed between the key and the database', async () => {
  const { start, stop, replaceKey } = await installation();
  await start(keyOf(1));
  await stop();
  const other = { SLUICE_MASTER_KEY: keyOf(2) };
  await expect(start(keyOf(2))).rejects.toThrow('The master key is not the one');
  expect((await replaceKey(['--remove-secrets'], other)).code).toBe(0);
  expect((await replaceKey(['--remove-secrets'], other)).code).toBe(1);
  expect((await start(keyOf(2))).url).toContain('http');
});
