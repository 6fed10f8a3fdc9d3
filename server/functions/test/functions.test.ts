import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, HELLO, type HostedFunction, makeFunction, PATIENTLY } from './functions-support.ts';

const service = serviceForAll();
const stranger = forAll(() => service.secondAccount());

const patch = (fn: HostedFunction, body: unknown) =>
  service.api<{ function: HostedFunction; message: string }>('PATCH', `/functions/${fn.function_id}`, body);
const names = async (query: string, key = service.key) => {
  const { body } = await service.api<Reply<'functionList'>>('GET', `/functions${query}`, undefined, { key });
  return body.functions.map((fn) => fn.name);
};

describe('creating', () => {
  it('publishes version 1 with the defaults of a private function', async () => {
    const fn = await makeFunction(service, HELLO, { name: 'Order Sync' });
    expect(fn).toMatchObject({
      name: 'Order Sync',
      description: '',
      runtime: 'nodejs24.x',
      visibility: 'PRIVATE',
      account_id: service.account_id,
      url: `http://order-sync.fn.localhost:${service.port}`,
      version: 1,
      network_policy: 'ALLOW_ALL',
      invoke_access: 'KEY',
      timeout_seconds: 10,
      star_count: 0,
      view_count: 0,
      starred: false,
    });
    expect(fn.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const read = await service.api('GET', `/functions/${fn.function_id}`);
    expect(read.body).toEqual({ function: fn });
  });

  it('gives each function a separate URL', async () => {
    const first = await makeFunction(service, HELLO, { name: 'Twice' });
    const second = await makeFunction(service, HELLO, { name: 'twice!' });
    expect(new URL(first.url).host).toBe(`twice.fn.localhost:${service.port}`);
    expect(new URL(second.url).host).toMatch(/^twice-[a-z0-9]{5}\.fn\.localhost/);
    const many = await Promise.all(Array.from({ length: 6 }, () => makeFunction(service, HELLO, { name: 'At once' })));
    expect(new Set(many.map((fn) => fn.url)).size).toBe(6);
    expect(new URL((await makeFunction(service, HELLO, { name: 'Größe ≤ 日本' })).url).host).toMatch(/^grosse\./);
    expect(new URL((await makeFunction(service, HELLO, { name: '日本' })).url).host).toMatch(/^function\./);
  });

  it('rejects a syntax error with file, line and column, and creates nothing', async () => {
    const files = {
      'index.ts': "import './lib/a.ts';\nexport default { fetch: () => new Response('x') };",
      'lib/a.ts': '\n\n  let 1x;',
    };
    const answer = await service.api('POST', '/functions', { name: 'Broken', runtime: 'nodejs24.x', files });
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toMatch(/^files: lib\/a\.ts:3:\d+: /);
    expect(answer.body['problems']).toEqual([
      { file: 'lib/a.ts', line: 3, column: expect.any(Number), text: expect.any(String) },
    ]);
    expect(await names('')).not.toContain('Broken');
  });

  it.each([
    [
      'a missing export',
      { files: { 'index.ts': 'export const other = 1' }, handler: 'index.run' },
      /needs an export "run"/,
    ],
    ['a missing file', { files: { 'index.ts': HELLO }, handler: 'src/app.default' }, /needs a file "src\/app"/],
    [
      'an import of a missing file',
      { files: { 'index.ts': `import './gone.ts';${HELLO}` } },
      /index\.ts:1:\d+: .*gone\.ts/,
    ],
    ['a package', { files: { 'index.ts': `import 'left-pad';${HELLO}` } }, /no package "left-pad"/],
    ['a path that climbs', { files: { '../index.ts': HELLO } }, /files\.\.\.\/index\.ts: expected a relative path/],
    ['no files', { files: {} }, /files: expected at least one file/],
    ['names that differ in case only', { files: { 'index.ts': HELLO, 'INDEX.ts': HELLO } }, /differ in case only/],
    [
      'a file that is a folder',
      { files: { 'index.ts': HELLO, a: '', 'A/b.ts': '' } },
      /"a" is a file, and the folder of/,
    ],
    [
      'half a character',
      { files: { 'index.ts': HELLO, 'a.txt': '\ud800' } },
      /files\.a\.txt: expected text without lone surrogates/,
    ],
    ['another runtime', { runtime: 'ruby3' }, /runtime: /],
    ['a handler without an export', { handler: 'index' }, /handler: expected file\.export/],
    ['public access to a private function', { invoke_access: 'ANYONE' }, /invoke_access: expected KEY/],
    ['an empty list of hosts', { network_policy: 'ALLOW_LIST' }, /allowed_hosts: expected at least one/],
    ['an unknown field', { label: 'mine' }, /label: unknown field/],
  ])('rejects %s', async (_, more, message) => {
    const body = { name: 'Refused', runtime: 'nodejs24.x', files: { 'index.ts': HELLO }, ...more };
    const answer = await service.api('POST', '/functions', body);
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toMatch(message);
  });
});

describe('listing', () => {
  it('returns functions of the caller, and with owner ALL public ones of every account', async () => {
    await makeFunction(service, HELLO, { name: 'Mine unlisted', visibility: 'UNLISTED' });
    await makeFunction(service, HELLO, { name: 'Theirs public', visibility: 'PUBLIC' }, stranger.key);
    await makeFunction(service, HELLO, { name: 'Theirs private' }, stranger.key);
    expect(await names('?visibility=UNLISTED')).toEqual(['Mine unlisted']);
    expect(await names('')).not.toContain('Theirs public');
    expect(await names('?owner=ALL')).toEqual(['Theirs public']);
    expect(await names('?owner=ALL&visibility=PUBLIC', stranger.key)).toEqual(['Theirs public']);
    for (const visibility of ['PRIVATE', 'UNLISTED']) {
      const answer = await service.api('GET', `/functions?owner=ALL&visibility=${visibility}`);
      expect(answer.status).toBe(400);
      expect(answer.body['message']).toMatch(/^visibility: /);
    }
  });

  it('pages newest first, and accepts no cursor of another list', async () => {
    const { key } = await service.secondAccount();
    for (const name of ['a', 'b', 'c']) await makeFunction(service, HELLO, { name }, key);
    const page = (query: string) =>
      service.api<Reply<'functionList'>>('GET', `/functions?${query}`, undefined, { key });
    const first = await page('limit=2');
    expect(first.body.functions.map((fn) => fn.name)).toEqual(['c', 'b']);
    const token = encodeURIComponent(first.body.next_token ?? '');
    const last = await page(`limit=2&next_token=${token}`);
    expect(last.body.functions.map((fn) => fn.name)).toEqual(['a']);
    expect(last.body.next_token).toBeNull();
    expect((await page(`visibility=PUBLIC&next_token=${token}`)).status).toBe(400);
    expect((await service.api('GET', `/functions?limit=2&next_token=${token}`)).status).toBe(400);
    expect((await page('next_token=junk')).status).toBe(400);
  });
});

describe('other accounts', () => {
  it('can only read public functions, which counts views of the code', async () => {
    const fn = await makeFunction(service, HELLO, { name: 'Shared', visibility: 'PUBLIC' });
    const hidden = await makeFunction(service, HELLO, { name: 'Hidden', visibility: 'UNLISTED' });
    const as = { key: stranger.key };
    for (const path of ['', '/versions', '/versions/1', '/code', '/files']) {
      expect((await service.api('GET', `/functions/${fn.function_id}${path}`, undefined, as)).status, path).toBe(200);
      expect((await service.api('GET', `/functions/${hidden.function_id}${path}`, undefined, as)).status, path).toBe(
        404,
      );
    }
    await service.api('GET', `/functions/${fn.function_id}/files`);
    const read = await service.api<{ function: HostedFunction }>('GET', `/functions/${fn.function_id}`);
    expect(read.body.function.view_count).toBe(2);
    for (const [method, path, body] of [
      ['GET', '/env', undefined],
      ['GET', '/runs', undefined],
      ['POST', ':invoke', {}],
      ['PATCH', '', { name: 'Stolen' }],
      ['POST', '/versions', { files: { 'index.ts': HELLO } }],
      ['PUT', '/env/A', { value: 'x' }],
      ['DELETE', '', undefined],
    ] as const)
      expect((await service.api(method, `/functions/${fn.function_id}${path}`, body, as)).status, path).toBe(404);
  });

  it('can star once, and remove the star', async () => {
    const fn = await makeFunction(service, HELLO, { name: 'Starred', visibility: 'PUBLIC' });
    const star = (method: string, key: string) =>
      service.api(method, `/functions/${fn.function_id}/star`, undefined, { key });
    const seen = async (key: string) =>
      (await service.api<{ function: HostedFunction }>('GET', `/functions/${fn.function_id}`, undefined, { key })).body
        .function;
    await star('PUT', stranger.key);
    await star('PUT', stranger.key);
    await star('PUT', service.key);
    expect(await seen(stranger.key)).toMatchObject({ star_count: 2, starred: true });
    await star('DELETE', stranger.key);
    await star('DELETE', stranger.key);
    expect(await seen(stranger.key)).toMatchObject({ star_count: 1, starred: false });
    expect(await seen(service.key)).toMatchObject({ star_count: 1, starred: true });
  });
});

describe('changing', () => {
  it('renames, which releases the old URL', async () => {
    const fn = await makeFunction(service, HELLO, { name: 'Old name' });
    const { body } = await patch(fn, { name: 'New name', description: 'what it does' });
    expect(body.function).toMatchObject({ name: 'New name', description: 'what it does', runtime: 'nodejs24.x' });
    expect((await callAddress(service, fn.url, { headers: bearer(service.key) })).status).toBe(404);
    expect((await callAddress(service, body.function.url, { headers: bearer(service.key) })).text).toBe('hello');
    const next = await makeFunction(service, HELLO, { name: 'Old name' });
    expect(next.url).toBe(fn.url);
    const same = await patch(fn, { name: 'new NAME' });
    expect(same.body.function.url).toBe(body.function.url);
  });

  it('publishes a version for another handler, and rolls back', async () => {
    const code = 'export const one = () => "one"; export const two = () => "two";';
    const fn = await makeFunction(service, code, { name: 'Two handlers', handler: 'index.one' });
    const call = async () => (await callAddress(service, fn.url, { headers: bearer(service.key) })).text;
    expect(await call()).toBe('"one"');
    expect((await patch(fn, { handler: 'index.two' })).body.function.version).toBe(2);
    expect(await call()).toBe('"two"');
    expect((await patch(fn, { version: 1 })).body.function.version).toBe(1);
    expect(await call()).toBe('"one"');
    const missing = await patch(fn, { handler: 'index.three' });
    expect(missing.status).toBe(400);
    expect(missing.body.message).toMatch(/^files: index\.ts:1:1: .*"three"/);
    const unknown = await patch(fn, { version: 9 });
    expect(unknown.status).toBe(400);
    expect(unknown.body.message).toMatch(/^version: .*1 to 2/);
    expect((await patch(fn, { version: 1, handler: 'index.two' })).status).toBe(400);
  });

  it('ends public access to a function that is made private', async () => {
    const fn = await makeFunction(service, HELLO, { name: 'Door', visibility: 'PUBLIC', invoke_access: 'ANYONE' });
    expect((await callAddress(service, fn.url)).status).toBe(200);
    const { body } = await patch(fn, { visibility: 'PRIVATE' });
    expect(body.function.invoke_access).toBe('KEY');
    expect((await callAddress(service, fn.url)).status).toBe(401);
    expect((await patch(fn, { invoke_access: 'ANYONE' })).status).toBe(400);
    expect((await patch(fn, { network_policy: 'ALLOW_LIST' })).status).toBe(400);
    const listed = await patch(fn, { network_policy: 'ALLOW_LIST', allowed_hosts: ['api.example.com'] });
    expect(listed.body.function).toMatchObject({ network_policy: 'ALLOW_LIST', allowed_hosts: ['api.example.com'] });
    expect((await patch(fn, { runtime: 'nodejs22.x' })).status).toBe(400);
  });
});

describe('deleting', () => {
  it('removes everything, and releases the URL', async () => {
    const fn = await makeFunction(service, HELLO, { name: 'Short lived' });
    const call = await callAddress(service, fn.url, { headers: bearer(service.key) });
    const run = `/functions/${fn.function_id}/runs/${call.headers['x-function-run-id']}`;
    await expect.poll(async () => (await service.api(`GET`, run)).body['status'], PATIENTLY).toBe('OK');
    expect((await service.api('DELETE', `/functions/${fn.function_id}`)).status).toBe(200);
    expect((await service.api('DELETE', `/functions/${fn.function_id}`)).status).toBe(404);
    for (const path of [`/functions/${fn.function_id}`, `/functions/${fn.function_id}/versions`, run, `${run}/logs`])
      expect((await service.api('GET', path)).status, path).toBe(404);
    expect((await callAddress(service, fn.url, { headers: bearer(service.key) })).status).toBe(404);
    const left = () =>
      service.services.db
        .selectFrom('run_logs')
        .select('run_id')
        .where('run_id', '=', String(call.headers['x-function-run-id']))
        .execute();
    await expect.poll(left, PATIENTLY).toEqual([]);
    expect((await makeFunction(service, HELLO, { name: 'Short lived' })).url).toBe(fn.url);
  });

  it('returns 404 for an unknown function', async () => {
    for (const id of [newId(), 'not-an-id']) expect((await service.api('GET', `/functions/${id}`)).status).toBe(404);
  });
});
