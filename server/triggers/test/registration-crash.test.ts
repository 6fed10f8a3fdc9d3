/** The process is killed during a webhook registration: finally the app has one webhook or none, as recorded. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeAuthority } from '../../test/certificates.ts';
import { type Folder, freePort, type Spawned, scratch, start } from '../../test/spawned.ts';
import { type HookApp, startHookApp } from './hook-apps.ts';

const PATIENTLY = { timeout: 60_000, interval: 100 };

let folder: Folder;
let gitlab: HookApp;
let service: Spawned;
let restart: () => Promise<void>;
beforeAll(async () => {
  folder = scratch();
  const authority = makeAuthority('Somebody’s own');
  const file = join(folder.path, 'authority.pem');
  writeFileSync(file, authority.cert);
  gitlab = await startHookApp('gitlab', 0, authority.issue({ ip: '127.0.0.1' }));
  const port = await freePort();
  restart = async () => {
    service = await start(join(folder.path, 'data'), port, { NODE_EXTRA_CA_CERTS: file });
  };
  await restart();
});
afterAll(async () => {
  await service.kill('SIGTERM');
  await gitlab.close();
  folder.remove();
});

/** The app processes the request without a response: resolves after that. */
function doesAndIsSilent(method: string): Promise<void> {
  return new Promise((ok) => {
    gitlab.odd = (asked, usual) => {
      if (asked.method !== method) return undefined;
      usual();
      ok();
      return new Promise(() => {});
    };
  });
}

async function connect(): Promise<string> {
  const { body } = await service.call<{ connection_id: string }>('POST', '/connections', {
    app: 'gitlab-self-managed',
  });
  const { connection } = (await service.call<Reply<'connectionGet'>>('GET', `/connections/${body.connection_id}`)).body;
  const token = new URL(connection.url).searchParams.get('token');
  const answer = await fetch(`${service.url}/connect/api/session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'API_KEY', fields: { host: gitlab.url.slice('https://'.length), api_key: 'k' } }),
  });
  expect(answer.status).toBe(200);
  return body.connection_id;
}

it('killed between the registration at the app and the stored result, and again during the removal', {
  timeout: 240_000,
}, async () => {
  const connection_id = await connect();
  const posted = doesAndIsSilent('POST');
  const parameters = { project: 'acme/site' };
  const body = { source: 'gitlab-self-managed', event_type: 'push', connection_id, parameters };
  const making = service.call('POST', '/triggers', body).catch(() => undefined);
  await posted;
  await service.kill('SIGKILL');
  await making;
  expect(gitlab.hooks.map(({ id }) => id)).toEqual(['1']);

  gitlab.odd = () => undefined;
  await restart();
  const first = async () => (await service.call<Reply<'triggerList'>>('GET', '/triggers')).body.triggers[0];
  await expect.poll(async () => (await first())?.ingress?.hook, PATIENTLY).toBe('REGISTERED');
  expect((await first())?.ingress?.registration?.remote_id).toBe('2');
  expect(gitlab.hooks.map(({ id }) => id)).toEqual(['2']);

  const forgot = doesAndIsSilent('DELETE');
  const removing = service.call('DELETE', `/triggers/${(await first())?.trigger_id}`).catch(() => undefined);
  await forgot;
  await service.kill('SIGKILL');
  await removing;
  const asked = gitlab.asked.filter(({ method }) => method === 'DELETE').length;
  gitlab.odd = () => undefined;
  await restart();
  expect(await first()).toBeUndefined();
  await expect.poll(() => gitlab.asked.filter(({ method }) => method === 'DELETE').length, PATIENTLY).toBe(asked + 1);
  expect(gitlab.hooks).toEqual([]);
});
