import { describe, expect, it } from 'vitest';
import { signIn } from '../../test/browser.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Entry = { audit_id: string; at: string; operation: string; resource_id: string | null; request_id: string };
type Page = { entries: Entry[]; next_token: string | null };

const service = serviceForAll();
const owner = forAll(() => signIn(service));

const read = async (query = '') => (await service.api<Page>('GET', `/audit${query}`)).body;
const makeKey = (name: string, headers: Record<string, string> = {}) =>
  service.api<{ api_key: { key_id: string } }>('POST', '/api-keys', { name }, { headers });

describe('the audit list', () => {
  it('has actor, operation, resource, time, IP address and request', async () => {
    const { body } = await makeKey('audited', { 'x-request-id': 'req-42' });
    const { entries } = await read('?limit=1');
    expect(entries).toEqual([
      {
        audit_id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        actor_type: 'API_KEY',
        actor_id: expect.any(String),
        actor_name: 'First key',
        key_id: expect.any(String),
        operation: 'apiKeyCreate',
        resource_id: body.api_key.key_id,
        request_id: 'req-42',
        outcome: 'SUCCEEDED',
        changes: [],
        page: null,
        ip: expect.stringContaining('127.0.0.1'),
      },
    ]);
    await owner.call('PATCH', '/account', { name: 'My account' });
    expect((await read('?limit=1')).entries[0]).toMatchObject({
      actor_type: 'USER',
      actor_name: 'admin',
      operation: 'accountUpdate',
      resource_id: service.account_id,
    });
  });

  it('has no entries for rejected requests and reads', async () => {
    const before = (await read('?limit=1')).entries[0]?.audit_id;
    await service.api('POST', '/api-keys', { name: '' });
    await service.api('DELETE', `/api-keys/${service.account_id}`);
    await service.api('POST', '/account/members', { email: 'a@example.com', role: 'ADMIN' });
    await service.api('GET', '/api-keys');
    expect((await read('?limit=1')).entries[0]?.audit_id).toBe(before);
  });

  it('begins with the first start', async () => {
    const { entries } = await read('?limit=200');
    expect(entries.slice(-2).map((entry) => entry.operation)).toEqual(['apiKeyCreate', 'memberCreate']);
    expect(entries.at(-1)).toMatchObject({ actor_type: 'SYSTEM', actor_id: null });
  });

  it('is paginated, newest first, each row once', async () => {
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await makeKey(name);
    const all = (await read('?limit=200')).entries;
    expect(all.map((entry) => entry.at)).toEqual(
      all
        .map((entry) => entry.at)
        .toSorted()
        .toReversed(),
    );
    const seen: string[] = [];
    let token: string | null = '';
    while (token !== null) {
      const page: Page = await read(`?limit=2${token && `&next_token=${token}`}`);
      seen.push(...page.entries.map((entry) => entry.audit_id));
      token = page.next_token;
    }
    expect(seen).toEqual(all.map((entry) => entry.audit_id));
  });

  it('is filtered by operation, actor, resource and time', async () => {
    const { body } = await makeKey('filtered');
    const resource = `?resource_id=${body.api_key.key_id}`;
    const { entries } = await read(resource);
    expect(entries).toHaveLength(1);
    const at = encodeURIComponent(entries[0]?.at ?? '');
    const later = encodeURIComponent(new Date(Date.parse(entries[0]?.at ?? '') + 1000).toISOString());
    expect((await read(`${resource}&operation=apiKeyCreate`)).entries).toHaveLength(1);
    expect((await read(`${resource}&operation=apiKeyDelete`)).entries).toHaveLength(0);
    expect((await read(`${resource}&actor_id=${service.account_id}`)).entries).toHaveLength(0);
    expect((await read(`${resource}&since=${at}`)).entries).toHaveLength(1);
    expect((await read(`${resource}&since=${later}`)).entries).toHaveLength(0);
    expect((await read(`${resource}&until=${later}`)).entries).toHaveLength(1);
    expect((await read('?until=1970-01-01T00:00:00Z')).entries).toHaveLength(0);
  });

  it('accepts a token only for the list that returned it', async () => {
    const { next_token } = await read('?limit=1');
    const other = await service.secondAccount();
    const status = async (query: string, key = service.key) =>
      (await service.api('GET', `/audit${query}`, undefined, { key })).status;
    expect(await status(`?limit=3&next_token=${next_token}`)).toBe(200);
    expect(await status(`?operation=apiKeyCreate&next_token=${next_token}`)).toBe(400);
    expect(await status(`?next_token=${next_token}`, other.key)).toBe(400);
    expect(await status('?next_token=junk')).toBe(400);
    for (const query of ['?limit=-1', '?limit=1.5', '?since=yesterday', '?actor_id=me', '?limit=1&limit=2'])
      expect(await status(query)).toBe(400);
    expect(await status('?limit=0')).toBe(200);
  });

  it('returns only the rows of the account', async () => {
    const other = await service.secondAccount();
    const soon = new Date(Date.now() + 60_000).toISOString();
    const made = await service.api<{ api_key: { key_id: string } }>(
      'POST',
      '/api-keys',
      { name: 'theirs', expires_at: soon },
      { key: other.key },
    );
    const { body } = await service.api<Page>('GET', '/audit', undefined, { key: other.key });
    expect(body.entries.map(({ resource_id }) => resource_id)).toEqual([made.body.api_key.key_id]);
  });
});
