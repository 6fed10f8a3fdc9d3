/** What a function's code accesses, as the API returns it, and copies of functions of other accounts. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type HostedFunction, makeFunction } from './functions-support.ts';

type Trust = Reply<'functionTrust'>['trust'];

const FIRST = {
  'index.ts': `import { call } from './lib/call.ts';
export default {
  fetch(request: Request, env: Record<string, string>) {
    return call(env.API_KEY);
  },
};
`,
  'lib/call.ts': `export const call = (key: string) => fetch('https://api.acme.com/v1', { headers: { key } });\n`,
  'notes.md': 'https://not.code.example/',
};
const SECOND = {
  'index.ts': `export default {
  fetch: async (request: Request, env: Record<string, string>) => {
    await fetch(\`\${env.GATEWAY_URL}/slack/api/chat.postMessage\`);
    return fetch(env[await request.text()] + env.REGION);
  },
};
`,
  'notes.md': 'other notes',
};

const trustOf = async (fn: HostedFunction, query = '', key = service.key) =>
  service.api<{ trust: Trust; message: string }>('GET', `/functions/${fn.function_id}/trust${query}`, undefined, {
    key,
  });
const names = (list: { name: string }[]) => list.map(({ name }) => name);

const service = serviceForAll();
const stranger = forAll(() => service.secondAccount());
const shared = forAll(() =>
  makeFunction(
    service,
    FIRST,
    {
      name: 'Shared',
      description: 'For all',
      visibility: 'PUBLIC',
      network_policy: 'ALLOW_LIST',
      allowed_hosts: ['api.acme.com'],
      timeout_seconds: 42,
    },
    stranger.key,
  ),
);
beforeAll(async () => {
  const { status } = await service.api(
    'POST',
    `/functions/${shared.function_id}/versions`,
    { files: SECOND },
    stranger,
  );
  expect(status).toBe(200);
});

describe('what the code accesses', () => {
  it('is reported for any version, with positions', async () => {
    const { body } = await trustOf(shared, '?version=1');
    expect(body.trust).toEqual({
      version: 1,
      network_policy: 'ALLOW_LIST',
      allowed_hosts: ['api.acme.com'],
      env: [{ name: 'API_KEY', places: [{ path: 'index.ts', line: 4 }] }],
      hosts: [{ name: 'api.acme.com', places: [{ path: 'lib/call.ts', line: 1 }] }],
      apps: [],
      packages: [],
      unknown: [],
      changes: null,
    });
  });

  it('is reported for the live version, with what is new since a version, and what is unknown', async () => {
    const { body } = await trustOf(shared, '?since=1');
    expect(body.trust).toMatchObject({ version: 2, hosts: [] });
    expect(names(body.trust.env)).toEqual(['REGION']);
    expect(names(body.trust.apps)).toEqual(['slack']);
    expect(body.trust.unknown.map(({ about, line }) => [about, line])).toEqual([
      ['ADDRESS', 4],
      ['ENV', 4],
    ]);
    expect(body.trust.changes).toEqual({
      since: 1,
      files: [
        { path: 'index.ts', change: 'CHANGED' },
        { path: 'lib/call.ts', change: 'REMOVED' },
        { path: 'notes.md', change: 'CHANGED' },
      ],
      env: { added: ['REGION'], removed: ['API_KEY'] },
      hosts: { added: [], removed: ['api.acme.com'] },
      apps: { added: ['slack'], removed: [] },
      packages: { added: [], removed: [] },
    });
    expect((await trustOf(shared, '?since=2')).body.trust.changes).toBeNull();
  });

  it('does not count as a view of the code', async () => {
    const { body } = await service.api<{ function: HostedFunction & { view_count: number } }>(
      'GET',
      `/functions/${shared.function_id}`,
    );
    expect(body.function.view_count).toBe(0);
  });

  it('reports an unknown version', async () => {
    expect((await trustOf(shared, '?since=7')).body.message).toMatch(/^since: expected .* public versions/);
    expect((await trustOf(shared, '?version=7')).body.message).toBe('Version not found');
    expect((await trustOf(shared, '?since=x')).status).toBe(400);
  });

  it('is reported even for code that is slow to read', async () => {
    const line = `process.env.K; fetch('https://a.example/' + x); const a = { b: [1, 2, 3], c: () => ({ ...d }) };\\n`;
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`f${at}.js`, line.repeat(600)]));
    const big = await makeFunction(service, { ...FIRST, ...files }, { name: 'Big' });
    expect(names((await trustOf(big)).body.trust.env)).toEqual(['API_KEY', 'K']);
  });
});

describe('a copy', () => {
  const copy = (fn: HostedFunction, body: unknown, key = service.key) =>
    service.api<Reply<'functionCopy'> & { message: string }>('POST', `/functions/${fn.function_id}:copy`, body, {
      key,
    });

  it('is PRIVATE, owned by the caller, with the same restrictions, and reports missing variables', async () => {
    const { status, body } = await copy(shared, { name: 'My own', version: 1 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      env: ['API_KEY'],
      copied_from: { function_id: shared.function_id, version: 1 },
      function: {
        name: 'My own',
        description: 'For all',
        account_id: service.account_id,
        visibility: 'PRIVATE',
        invoke_access: 'KEY',
        network_policy: 'ALLOW_LIST',
        allowed_hosts: ['api.acme.com'],
        timeout_seconds: 42,
        version: 1,
      },
    });
    const { body: read } = await service.api<Reply<'functionFiles'>>(
      'GET',
      `/functions/${body.function.function_id}/files`,
    );
    expect(read.files).toEqual(FIRST);
    const { body: audit } = await service.api<Reply<'auditList'>>('GET', '/audit?limit=1');
    expect(audit.entries[0]).toMatchObject({ operation: 'functionCopy', resource_id: body.function.function_id });
  });

  it('is created only from readable code', async () => {
    const hidden = await makeFunction(service, FIRST, { name: 'Hidden' }, stranger.key);
    expect((await copy(hidden, { name: 'x' })).status).toBe(404);
    expect((await trustOf(hidden)).status).toBe(404);
    expect((await copy(hidden, { name: 'x' }, stranger.key)).status).toBe(200);
    expect((await copy(shared, { name: 'x', version: 9 })).body.message).toMatch(/^version: expected/);
    expect((await copy(shared, {})).body.message).toMatch(/^name: /);
  });
});
