/** Webhooks registered and removed through the connection of a trigger. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import type { AppDefinition } from '../../connections/apps/definition.ts';
import { PATIENTLY } from '../../functions/test/functions-support.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { addVendor, type HookApp, startHookApp } from './hook-apps.ts';
import { addressOf, hmacHex, patchTrigger, post, storedPayloads, type Trigger } from './ingress-support.ts';
import { make as makeFor, read, register, remove } from './registration-support.ts';

let github: HookApp;
let app = '';
let connection_id = '';
const service = serviceForAll();
beforeEach(async () => {
  github = await startHookApp('github');
  ({ app, connection_id } = await addVendor(service, 'github', github.url));
});
afterEach(() => github.close());

const REPOSITORY = { owner: 'acme', repository: 'site' };
const make = (more: Partial<Body<'triggerCreate'>> = {}) =>
  makeFor(service, { app, connection_id }, { parameters: REPOSITORY, ...more });
const rows = () => service.services.db.selectFrom('source_hooks').selectAll().where('app', '=', app).execute();
/** Makes the row due. */
const lookAgain = async () => {
  await service.services.db
    .updateTable('source_hooks')
    .set({ next_at: new Date(Date.now() - 1000).toISOString() })
    .where('next_at', 'is not', null)
    .execute();
  service.services.nudge('registrar');
};
const adding = ({ method }: { method: string }) => method === 'POST';

/** The same app, with parameters that accept any text. */
const loose = async (id: string) => {
  const row = await service.services.db
    .selectFrom('apps')
    .select('definition')
    .where('app', '=', id)
    .executeTakeFirstOrThrow();
  const definition = JSON.parse(row.definition) as AppDefinition;
  return { ...definition, event_types: definition.event_types.map((each) => ({ ...each, parameters: {} })) };
};

describe('a trigger of an app with a webhook API', () => {
  it('registers the webhook through its connection, and accepts requests with that secret', async () => {
    const trigger = await make({ event_type: 'issues.opened' });
    const [hook] = github.hooks;
    expect(hook).toMatchObject({ place: '/repos/acme/site/hooks', url: trigger.ingress?.url, events: ['issues'] });
    expect(github.asked[0]?.headers).toMatchObject({ authorization: 'Bearer k3y', 'user-agent': 'sluice' });
    expect(trigger.ingress).toMatchObject({
      hook: 'REGISTERED',
      message: null,
      registration: { connection_id, place: '/repos/acme/site/hooks', remote_id: hook?.id, next_try_at: null },
    });
    const payload = JSON.stringify({ action: 'opened', repository: { name: 'site', owner: { login: 'acme' } } });
    const headers = { 'x-github-event': 'issues', 'x-github-delivery': '1' };
    const signed = { ...headers, 'x-hub-signature-256': `sha256=${hmacHex(hook?.secret ?? '', payload)}` };
    expect((await post(addressOf(service, trigger), payload, signed)).status).toBe(200);
    expect(await storedPayloads(service, trigger)).toEqual([payload]);
  });

  it('accepts the repository with its owner', async () => {
    const parameters = { repository: 'acme/site' };
    const trigger = await make({ event_type: 'issues.opened', parameters });
    expect(trigger.parameters).toEqual(parameters);
    const [hook] = github.hooks;
    expect(hook?.place).toBe('/repos/acme/site/hooks');
    const sent = async (name: string, login: string, id: string) => {
      const payload = JSON.stringify({ action: 'opened', repository: { name, owner: { login } } });
      const headers = { 'x-github-event': 'issues', 'x-github-delivery': id };
      const signed = { ...headers, 'x-hub-signature-256': `sha256=${hmacHex(hook?.secret ?? '', payload)}` };
      expect((await post(addressOf(service, trigger), payload, signed)).status).toBe(200);
      return payload;
    };
    const payload = await sent('site', 'acme', '1');
    await sent('site', 'other', '2');
    await sent('other', 'acme', '3');
    expect(await storedPayloads(service, trigger)).toEqual([payload]);
    const both = await service.api<{ message: string }>('PATCH', `/triggers/${trigger.trigger_id}`, {
      parameters: { owner: 'acme', repository: 'acme/site' },
    });
    expect([both.status, both.body.message]).toEqual([
      400,
      'parameters.repository: expected a name without a slash, because owner is also given',
    ]);
  });

  it('has the webhook removed when it is deleted', async () => {
    const trigger = await make();
    expect((await remove(service, trigger)).body).toEqual({ hook: { state: 'REMOVED', message: null } });
    expect(github.hooks).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('is deleted if the webhook is already gone', async () => {
    const trigger = await make();
    github.hooks.length = 0;
    expect((await remove(service, trigger)).body.hook?.state).toBe('REMOVED');
  });

  it('without a place is set up manually, and reports the missing parameters', async () => {
    const { ingress } = await make({ parameters: {} });
    expect(ingress).toMatchObject({ hook: 'MANUAL', registration: null });
    expect(ingress?.message).toContain('parameters.owner');
    expect(github.asked).toEqual([]);
  });

  it('without a connection is set up manually', async () => {
    const trigger = await make({ connection_id: null });
    expect(trigger.ingress).toMatchObject({ hook: 'MANUAL', message: null });
    expect((await remove(service, trigger)).body).toEqual({});
    expect(github.asked).toEqual([]);
  });

  it('registers the new place when its parameters change, and removes the first', async () => {
    const trigger = await make();
    await patchTrigger(service, trigger, { parameters: { owner: 'acme' } });
    expect(github.hooks.map(({ place }) => place)).toEqual(['/orgs/acme/hooks']);
    await patchTrigger(service, trigger, { name: 'another name' });
    await patchTrigger(service, trigger, { parameters: { owner: 'acme', branch: 'main' } });
    expect(github.asked.filter(adding)).toHaveLength(2);
    await patchTrigger(service, trigger, { connection_id: null });
    expect(github.hooks).toEqual([]);
    expect((await read(service, trigger)).ingress).toMatchObject({ hook: 'MANUAL' });
  });

  it('updates a rotated secret at the app', async () => {
    const trigger = await make();
    const { body } = await service.api<{ trigger: Trigger }>('POST', `/triggers/${trigger.trigger_id}/secret:rotate`);
    expect(github.hooks.map(({ secret }) => secret)).toEqual([body.trigger.ingress?.signing_secret]);
    expect(body.trigger.ingress?.hook).toBe('REGISTERED');
  });
});

it.each(['..', '../..', 'a/../../b', ''])(
  'a place such as %j leaves its part of the app’s API never',
  async (owner) => {
    await service.services.db
      .updateTable('apps')
      .set({ definition: JSON.stringify(await loose(app)) })
      .where('app', '=', app)
      .execute();
    await make({ parameters: { owner, repository: 'site' } });
    expect(github.asked.filter(({ path }) => !/^\/(repos\/[^/]+|orgs)\/[^/]+\/hooks/.test(path))).toEqual([]);
    expect(github.hooks.filter(({ place }) => place.includes('..'))).toEqual([]);
  },
);

describe('an app that rejects the request', () => {
  it('is quoted, without the secret or the URL', async () => {
    github.odd = ({ body }) => ({ status: 403, body: { message: `Resource not accessible: ${body}` } });
    const { ingress, trigger_id } = await make();
    expect(ingress?.hook).toBe('FAILED');
    expect(ingress?.message).toContain('admin:repo_hook');
    expect(ingress?.message).toContain('Resource not accessible');
    const token = ingress?.url.split('/').at(-1) ?? 'none';
    const secrets = github.asked.map(({ body }) => (JSON.parse(body) as { config: { secret: string } }).config.secret);
    for (const hidden of [token, ...secrets]) expect(ingress?.message).not.toContain(hidden);
    expect((await rows())[0]).toMatchObject({ state: 'FAILED', next_at: null });
    github.odd = () => undefined;
    expect((await register(service, { trigger_id } as Trigger)).body.trigger.ingress).toMatchObject({
      hook: 'REGISTERED',
      message: null,
    });
    expect(github.hooks).toHaveLength(1);
  });

  it('leaves nothing to remove', async () => {
    github.odd = () => ({ status: 404, body: { message: 'Not Found' } });
    const trigger = await make();
    expect(trigger.ingress?.hook).toBe('FAILED');
    const before = github.asked.length;
    expect((await remove(service, trigger)).body).toEqual({});
    expect(github.asked).toHaveLength(before);
  });

  it('because the webhook exists gets it replaced once', async () => {
    const trigger = await make();
    // The row is lost, as after restoring the database from a backup.
    await service.services.db.deleteFrom('source_hooks').where('app', '=', app).execute();
    const answer = await register(service, trigger);
    expect(answer.body.trigger.ingress).toMatchObject({ hook: 'REGISTERED', registration: { remote_id: '2' } });
    expect(github.hooks).toHaveLength(1);
  });

  it('to remove keeps the webhook; the response and the audit log name it', async () => {
    const trigger = await make();
    github.odd = ({ method }) => (method === 'DELETE' ? { status: 403, body: { message: 'Forbidden' } } : undefined);
    const { body } = await remove(service, trigger);
    expect(body.hook).toMatchObject({ state: 'LEFT' });
    expect(body.hook?.message).toContain('hook 1 in /repos/acme/site/hooks');
    const audit = await service.api<Reply<'auditList'>>('GET', '/audit?operation=hookLeft');
    expect(audit.body.entries.map(({ resource_id }) => resource_id)).toContain(
      `${app} hook 1 in /repos/acme/site/hooks`,
    );
    expect(await rows()).toEqual([]);
  });
});

describe('an unreachable app', () => {
  it('gets the registration later', async () => {
    const port = Number(new URL(github.url).port);
    await github.close();
    const trigger = await make();
    expect(trigger.ingress).toMatchObject({ hook: 'PENDING', registration: { remote_id: null } });
    expect(trigger.ingress?.message).toContain('could not be reached');
    expect(trigger.ingress?.registration?.next_try_at).not.toBeNull();
    github = await startHookApp('github', port);
    await lookAgain();
    await expect.poll(async () => (await read(service, trigger)).ingress?.hook, PATIENTLY).toBe('REGISTERED');
    expect(github.hooks).toHaveLength(1);
  });

  it('does not delay a deletion, and removes the webhook when it is reachable', async () => {
    const trigger = await make();
    github.odd = () => 'hang up';
    expect((await remove(service, trigger)).body.hook).toMatchObject({ state: 'REMOVING' });
    expect((await service.api('GET', `/triggers/${trigger.trigger_id}`)).status).toBe(404);
    expect(github.hooks).toHaveLength(1);
    github.odd = () => undefined;
    await lookAgain();
    await expect.poll(() => github.hooks, PATIENTLY).toEqual([]);
    await expect.poll(rows, PATIENTLY).toEqual([]);
  });

  it.each([
    ['nonsense', 'nonsense'],
    ['half of a hook', '{"id":'],
    ['no id', '{}'],
    ['a list', '[]'],
    ['what is nested too deeply', '['.repeat(5000)],
    ['null', 'null'],
  ])('or a response %s leaves no webhook', async (_, nonsense) => {
    github.odd = (asked, usual) => {
      if (!adding(asked)) return undefined;
      usual();
      return nonsense;
    };
    const trigger = await make();
    expect(trigger.ingress?.hook).toBe('PENDING');
    expect(github.hooks).toHaveLength(1);
    github.odd = () => undefined;
    expect((await remove(service, trigger)).body.hook?.state).toBe('REMOVED');
    expect(github.hooks).toEqual([]);
  });

  it('or a slow one does not delay responses', async () => {
    let go = () => {};
    const gate = new Promise<void>((ok) => {
      go = ok;
    });
    github.odd = async (asked, usual) => {
      const answer = usual();
      if (adding(asked)) await gate;
      return answer;
    };
    const trigger = await make();
    expect(trigger.ingress).toMatchObject({ hook: 'PENDING', message: null });
    // Deleted while the app is processing the request: the webhook is then removed.
    expect((await remove(service, trigger)).body.hook).toEqual({ state: 'REMOVING', message: null });
    go();
    await expect.poll(() => github.hooks, PATIENTLY).toEqual([]);
    await expect.poll(rows, PATIENTLY).toEqual([]);
  });

  it('a deleted connection is reported; its webhooks must be removed manually', async () => {
    const trigger = await make();
    await service.api('DELETE', `/connections/${connection_id}`);
    expect((await remove(service, trigger)).body.hook).toMatchObject({ state: 'LEFT' });
  });
});

describe('a crash between request and stored result', () => {
  /** The row as it is then: the app has the hook, and the result is unknown. */
  const forget = () =>
    service.services.db
      .updateTable('source_hooks')
      .set({
        state: 'PENDING',
        remote_id: null,
        tries: 0,
        leased: true,
        next_at: new Date(Date.now() + 60_000).toISOString(),
      })
      .where('app', '=', app)
      .execute();

  it('results in one webhook with a known ID', async () => {
    const trigger = await make();
    await forget();
    expect((await read(service, trigger)).ingress?.hook).toBe('PENDING');
    await lookAgain();
    await expect.poll(async () => (await read(service, trigger)).ingress?.hook, PATIENTLY).toBe('REGISTERED');
    expect(github.hooks.map(({ id }) => id)).toEqual(['2']);
    expect((await read(service, trigger)).ingress?.registration?.remote_id).toBe('2');
  });

  it('results in none if the trigger is deleted meanwhile; other webhooks remain', async () => {
    const other = {
      id: '77',
      place: '/repos/acme/site/hooks',
      url: 'https://elsewhere.example/hook',
      secret: null,
      events: [],
    };
    github.hooks.push(other);
    const trigger = await make();
    await forget();
    expect((await remove(service, trigger)).body.hook).toEqual({ state: 'REMOVING', message: null });
    await lookAgain();
    await expect.poll(() => github.hooks, PATIENTLY).toEqual([other]);
    await expect.poll(rows, PATIENTLY).toEqual([]);
  });

  it('with a late result is undone', async () => {
    let went = () => {};
    const arrived = new Promise<void>((ok) => {
      went = ok;
    });
    let go = () => {};
    const gate = new Promise<void>((ok) => {
      go = ok;
    });
    let first = true;
    github.odd = async (asked, usual) => {
      if (!(adding(asked) && first)) return undefined;
      first = false;
      went();
      await gate;
      return usual();
    };
    const making = make();
    await arrived;
    // The lease expired: the registrar claims the row and registers another webhook.
    await lookAgain();
    await expect.poll(async () => (await rows())[0]?.state, PATIENTLY).toBe('REGISTERED');
    const mine = (await rows())[0]?.remote_id;
    github.hooks.splice(0);
    go();
    await making;
    await expect.poll(() => github.asked.filter(({ method }) => method === 'DELETE').length, PATIENTLY).toBe(1);
    expect((await rows())[0]?.remote_id).toBe(mine);
    expect(github.hooks).toEqual([]);
  });
});

describe('registering again', () => {
  it('replaces the existing webhook', async () => {
    const trigger = await make();
    const again = await Promise.all([
      register(service, trigger),
      register(service, trigger),
      register(service, trigger),
    ]);
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await read(service, trigger)).ingress?.hook).toBe('REGISTERED');
    expect(github.hooks).toHaveLength(1);
  });

  it('is a 400 if the app has no webhook API', async () => {
    const manual = await register(service, await make({ connection_id: null }));
    expect([manual.status, manual.body.message]).toEqual([400, expect.stringMatching(/^connection_id: expected/)]);
    const placeless = await register(service, await make({ parameters: {} }));
    expect([placeless.status, placeless.body.message]).toEqual([
      400,
      expect.stringMatching(/^parameters: .*parameters.owner/),
    ]);
    const clock = await service.api<{ trigger: Trigger }>('POST', '/triggers', {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
    });
    expect((await register(service, clock.body.trigger)).status).toBe(400);
  });
});
