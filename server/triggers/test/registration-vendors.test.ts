/** A webhook registered and removed at each app with a webhook API. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { openSecret } from '../ingress/source-secrets.ts';
import { addVendor, type HookApp, startHookApp } from './hook-apps.ts';
import { make, read, register, remove } from './registration-support.ts';

const service = serviceForAll();

/** The expected settings at each app, and the parameters of its triggers. */
describe.each([
  ['github', 'push', { owner: 'acme' }, ['push'], '/orgs/acme/hooks'],
  ['gitlab', 'issue.open', { project: 'acme/site' }, ['issues_events', 'confidential_issues_events'], undefined],
  ['stripe', 'invoice.paid', {}, ['invoice.paid'], undefined],
  ['linear', 'Issue.create', { team: 'WEB' }, ['Issue'], undefined],
  ['shopify', 'orders.create', {}, ['ORDERS_CREATE'], undefined],
  ['calendly', 'invitee.created', {}, ['invitee.created'], undefined],
] as const)('%s', (vendor, event_type, parameters, events, place) => {
  let there: HookApp;
  let theirs: { app: string; connection_id: string };
  beforeEach(async () => {
    there = await startHookApp(vendor);
    theirs = await addVendor(service, vendor, there.url);
  });
  afterEach(() => there.close());
  const listen = () => make(service, theirs, { event_type, parameters });
  const lose = () =>
    service.services.db
      .updateTable('source_hooks')
      .set({ remote_id: null, state: 'FAILED', tries: 2 })
      .where('app', '=', theirs.app)
      .execute();

  it('gets the URL, the event types and the secret, and removes them', async () => {
    const trigger = await listen();
    expect(trigger.ingress, JSON.stringify(there.asked)).toMatchObject({ hook: 'REGISTERED', message: null });
    const [hook] = there.hooks;
    expect(hook).toMatchObject({ url: trigger.ingress?.url, events, ...(place ? { place } : {}) });
    expect(trigger.ingress?.has_secret).toBe(vendor !== 'shopify');
    const row = await service.services.db
      .selectFrom('triggers')
      .selectAll()
      .where('trigger_id', '=', trigger.trigger_id)
      .executeTakeFirstOrThrow();
    expect(openSecret(service.services.vault, row)?.current ?? null).toBe(hook?.secret);
    expect(JSON.stringify((await read(service, trigger)).ingress)).not.toContain(hook?.secret ?? 'nothing');
    expect((await remove(service, trigger)).body.hook).toEqual({ state: 'REMOVED', message: null });
    expect(there.hooks).toEqual([]);
  });

  it('has one webhook after a second registration, and none after a deletion, although its ID was lost', async () => {
    const other = { id: 'other', place: place ?? '', url: 'https://elsewhere.example/h', secret: null, events: ['x'] };
    const trigger = await listen();
    there.hooks.push(other);
    await lose();
    expect((await register(service, trigger)).body.trigger.ingress).toMatchObject({ hook: 'REGISTERED' });
    expect(there.hooks).toHaveLength(2);
    await lose();
    expect((await remove(service, trigger)).body.hook?.state).toBe('REMOVED');
    expect(there.hooks).toEqual([other]);
  });

  it('that already removed the webhook does not prevent the deletion', async () => {
    const trigger = await listen();
    there.hooks.length = 0;
    expect((await remove(service, trigger)).body.hook).toEqual({ state: 'REMOVED', message: null });
  });
});

it('an error of Shopify in a 200 response is a rejection', async () => {
  const shopify = await startHookApp('shopify');
  const theirs = await addVendor(service, 'shopify', shopify.url);
  const refused = { webhookSubscription: null, userErrors: [{ message: 'Address is invalid' }] };
  shopify.odd = () => ({ status: 200, body: { data: { webhookSubscriptionCreate: refused } } });
  const { ingress } = await make(service, theirs, { event_type: 'orders.create', parameters: {} });
  expect(ingress).toMatchObject({
    hook: 'FAILED',
    message: 'The app rejected the request. Response: Address is invalid',
  });
  const group = await make(service, theirs, { event_type: '*', parameters: {} });
  expect(group.ingress).toMatchObject({ hook: 'MANUAL', message: expect.stringContaining('single event types only') });
  await shopify.close();
});
