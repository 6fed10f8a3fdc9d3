/** The history of resources: what each update changed, before and after, without secrets, by whom and on which page. */
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../contract/operations.ts';
import { signIn } from './browser.ts';
import { forAll, serviceForAll, sinkForAll } from './shared-set-up.ts';

type Entry = Reply<'auditList'>['entries'][number];

const sink = sinkForAll();
const service = serviceForAll();
const owner = forAll(() => signIn(service));

const historyOf = async (id: string) =>
  (await service.api<{ entries: Entry[] }>('GET', `/audit?resource_id=${id}`)).body.entries;
async function ok<T>(method: string, path: string, body: object): Promise<T> {
  const answer = await service.api<T>(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}
const value = (field: string, before: unknown, after: unknown) => ({ field, before, after, masked: false, cut: false });

async function newTrigger() {
  const { trigger } = await ok<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    name: 'orders',
    destinations: [{ url: `${sink.url}/a`, name: 'erp', headers: { 'x-token': 'a-secret-of-the-erp' } }],
  });
  return { trigger_id: trigger.trigger_id, destination_id: trigger.destinations[0]?.destination_id ?? '' };
}

describe('the history of a resource', () => {
  it('has the values before and after of what differs, by key or by page', async () => {
    const { trigger_id } = await newTrigger();
    await ok('PATCH', `/triggers/${trigger_id}`, { name: 'orders 2', description: null, filter: { data: { a: 1 } } });
    const page = `/triggers/${trigger_id}/settings`;
    await owner.call('PATCH', `/triggers/${trigger_id}`, { filter: null }, { 'sluice-page': page });
    const [last, first, created] = await historyOf(trigger_id);
    expect(first).toMatchObject({
      operation: 'triggerUpdate',
      actor_type: 'API_KEY',
      page: null,
      changes: [value('name', 'orders', 'orders 2'), value('filter', null, { data: { a: 1 } })],
    });
    expect(last).toMatchObject({ actor_type: 'USER', page, changes: [value('filter', { data: { a: 1 } }, null)] });
    expect(created).toMatchObject({ operation: 'triggerCreate', changes: [] });
  });

  it('takes a page only from a session, and only a path', async () => {
    const { trigger_id } = await newTrigger();
    const rename = (name: string, page: string) => [{ name }, { 'sluice-page': page }] as const;
    const at = `/triggers/${trigger_id}`;
    await service.api('PATCH', at, rename('one', '/triggers')[0], { headers: { 'sluice-page': '/triggers' } });
    for (const page of ['https://example.com/', 'x'.repeat(400), '/a b'])
      await owner.call('PATCH', at, ...rename(page, page));
    for (const entry of await historyOf(trigger_id)) expect(entry.page).toBe(null);
  });

  it('never has a secret', async () => {
    const { trigger_id, destination_id } = await newTrigger();
    const at = `/triggers/${trigger_id}/destinations/${destination_id}`;
    await ok('PATCH', at, { headers: { 'x-token': 'another-secret-of-it' }, name: 'erp 2' });
    await ok('PATCH', at, { url: `${sink.url.replace('//', '//user:passw0rd-in-url@')}/b` }).catch(() => undefined);
    await ok('PATCH', `/triggers/${trigger_id}`, { secret: 'a-new-secret-of-the-source' }).catch(() => undefined);
    const entries = [...(await historyOf(destination_id)), ...(await historyOf(trigger_id))];
    expect(entries.find(({ changes }) => changes.length === 2)?.changes).toEqual([
      value('name', 'erp', 'erp 2'),
      { field: 'headers', before: expect.anything(), after: expect.anything(), masked: true, cut: false },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/secret-of|passw0rd/);
  });

  it('leaves out long values', async () => {
    const { trigger_id, destination_id } = await newTrigger();
    await ok('PATCH', `/triggers/${trigger_id}/destinations/${destination_id}`, {
      body_template: JSON.stringify({ text: 'x'.repeat(5_000) }),
    });
    const [last] = await historyOf(destination_id);
    expect(last?.changes).toEqual([{ field: 'body_template', before: null, after: null, masked: false, cut: true }]);
  });

  it('covers functions, keys, members, apps, connections, saved filters and searches, and the account', async () => {
    const files = { 'index.ts': 'export default { fetch: () => new Response() };' };
    const made = await ok<Reply<'functionCreate'>>('POST', '/functions', { name: 'f', runtime: 'nodejs24.x', files });
    const { function_id } = made.function;
    await ok('PATCH', `/functions/${function_id}`, { timeout_seconds: 7, network_policy: 'DENY_ALL' });
    expect((await historyOf(function_id))[0]?.changes).toEqual([
      value('network_policy', 'ALLOW_ALL', 'DENY_ALL'),
      value('timeout_seconds', made.function.timeout_seconds, 7),
    ]);

    const { api_key } = await ok<Reply<'apiKeyCreate'>>('POST', '/api-keys', { name: 'k', scopes: ['settings:read'] });
    await ok('PATCH', `/api-keys/${api_key.key_id}`, { name: 'k2', scopes: ['events:read'] });
    expect((await historyOf(api_key.key_id))[0]?.changes).toEqual([
      value('name', 'k', 'k2'),
      value('scopes', ['settings:read'], ['events:read']),
    ]);

    const methods = [{ method: 'API_KEY', place: { in: 'header', name: 'x-api-key' } }];
    await ok('POST', '/apps', { app: 'ledger', name: 'Ledger', base_url: sink.url, methods });
    await ok('PATCH', '/apps/ledger', { name: 'The ledger', methods });
    expect((await historyOf('ledger'))[0]?.changes).toEqual([value('name', 'Ledger', 'The ledger')]);

    const { connection_id } = await ok<Reply<'connectionCreate'>>('POST', '/connections', { app: 'ledger' });
    await ok('PATCH', `/connections/${connection_id}`, { tags: ['a'], end_user: { id: 'u1' } });
    expect((await historyOf(connection_id))[0]?.changes).toEqual([
      value('tags', [], ['a']),
      value('end_user', null, { id: 'u1', email: null, name: null }),
    ]);

    const { saved_filter } = await ok<Reply<'savedFilterCreate'>>('POST', '/events/filters', {
      name: 'failed',
      filter: { status: 'FAILED' },
    });
    await ok('PATCH', `/events/filters/${saved_filter.saved_filter_id}`, { name: 'all failed' });
    expect((await historyOf(saved_filter.saved_filter_id))[0]?.changes).toEqual([
      value('name', 'failed', 'all failed'),
    ]);

    const { saved_search } = await ok<Reply<'savedSearchCreate'>>('POST', '/search/saved', { name: 's', q: '"a"' });
    await ok('PATCH', `/search/saved/${saved_search.saved_search_id}`, { q: '"b"', case: 'yes' });
    expect((await historyOf(saved_search.saved_search_id))[0]?.changes).toEqual([
      value('q', '"a"', '"b"'),
      value('case', 'auto', 'yes'),
    ]);

    const { body } = await owner.call<Reply<'memberCreate'>>('POST', '/account/members', {
      email: 'h@example.com',
      role: 'VIEWER',
    });
    const { user_id } = body.member;
    await owner.call('PATCH', `/account/members/${user_id}`, { role: 'ADMIN' });
    expect((await historyOf(user_id))[0]?.changes).toEqual([value('role', 'VIEWER', 'ADMIN')]);

    await owner.call('PATCH', '/account', { name: 'Renamed' });
    expect((await historyOf(service.account_id))[0]?.changes).toEqual([value('name', expect.any(String), 'Renamed')]);
  });
});
