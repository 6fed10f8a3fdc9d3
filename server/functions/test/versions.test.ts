import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, HELLO, type HostedFunction, makeFunction } from './functions-support.ts';

const service = serviceForAll();

const says = (word: string) => ({
  'index.ts': `export default { fetch: () => new Response(${JSON.stringify(word)}) };`,
});
const publish = (fn: HostedFunction, body: unknown) =>
  service.api<{ version: Reply<'versionGet'>; message: string }>('POST', `/functions/${fn.function_id}/versions`, body);
const get = <T>(fn: HostedFunction, path: string) => service.api<T>('GET', `/functions/${fn.function_id}${path}`);

describe('publishing', () => {
  it('makes the new version live at once and keeps the old one unchanged', async () => {
    const fn = await makeFunction(service, says('one'), { name: 'Published' });
    const first = await get<Reply<'versionGet'>>(fn, '/versions/1');
    const { body } = await publish(fn, { files: says('two'), message: 'Says two' });
    expect(body.version).toMatchObject({ version: 2, serving: true, message: 'Says two', handler: 'index.default' });
    expect((await callAddress(service, fn.url, { headers: bearer(service.key) })).text).toBe('two');
    expect((await get(fn, '/versions/1')).body).toEqual({ ...first.body, serving: false });
    expect((await get<Reply<'functionFiles'>>(fn, '/files?version=1')).body).toEqual({
      version: 1,
      handler: 'index.default',
      files: says('one'),
    });
  });

  it('never replaces a live version by a broken one', async () => {
    const fn = await makeFunction(service, says('well'), { name: 'Kept' });
    const broken = await publish(fn, { files: { 'index.ts': 'export default {' } });
    expect(broken.status).toBe(400);
    expect((await publish(fn, { files: { 'other.ts': HELLO } })).body.message).toMatch(/needs a file "index"/);
    expect((await get<Reply<'versionList'>>(fn, '/versions')).body.versions).toHaveLength(1);
    expect((await callAddress(service, fn.url, { headers: bearer(service.key) })).text).toBe('well');
  });

  it('numbers concurrently published versions', async () => {
    const fn = await makeFunction(service, says('zero'), { name: 'Busy' });
    const answers = await Promise.all([1, 2, 3, 4].map((n) => publish(fn, { files: says(`${n}`) })));
    expect(answers.map((answer) => answer.body.version.version).sort()).toEqual([2, 3, 4, 5]);
    const { versions } = (await get<Reply<'versionList'>>(fn, '/versions')).body;
    expect(versions.filter((version) => version.serving).map((version) => version.version)).toEqual([5]);
  });
});

describe('reading', () => {
  it('lists newest first, in pages', async () => {
    const fn = await makeFunction(service, says('1'), { name: 'Paged' });
    for (const word of ['2', '3']) await publish(fn, { files: says(word) });
    const first = (await get<Reply<'versionList'>>(fn, '/versions?limit=2')).body;
    expect(first.versions.map((version) => version.version)).toEqual([3, 2]);
    const token = encodeURIComponent(first.next_token ?? '');
    const last = (await get<Reply<'versionList'>>(fn, `/versions?limit=2&next_token=${token}`)).body;
    expect(last.versions.map((version) => version.version)).toEqual([1]);
    expect(last.next_token).toBeNull();
    const other = await makeFunction(service, says('1'), { name: 'Another' });
    expect((await get(other, `/versions?limit=2&next_token=${token}`)).status).toBe(400);
  });

  it('of an unknown version in the path or the query is a 404, of an invalid number in the query a 400', async () => {
    const fn = await makeFunction(service, says('1'), { name: 'Missing' });
    for (const version of ['2', '0', 'x', '99999999999'])
      expect((await get(fn, `/versions/${version}`)).status).toBe(404);
    for (const path of ['/code?version=2', '/files?version=2', '/trust?version=2'])
      expect((await get(fn, path)).status, path).toBe(404);
    expect((await get(fn, '/code?version=x')).status).toBe(400);
  });
});

describe('the code download', () => {
  it('has exactly the hashed bytes', async () => {
    const files = { 'index.ts': HELLO, 'lib/b.ts': 'export const b = "ü";', 'a.md': '# a' };
    const fn = await makeFunction(service, files, { name: 'Downloaded' });
    const { body: code } = await get<Reply<'functionCode'>>(fn, '/code');
    const version = (await get<Reply<'versionGet'>>(fn, '/versions/1')).body;
    expect(code).toMatchObject({ sha256: version.code_sha256, size: version.code_size });
    const response = await fetch(code.download_url.replace('localhost', '127.0.0.1'));
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(code.sha256);
    expect(bytes.length).toBe(code.size);
    expect(JSON.parse(bytes.toString())).toEqual({ files });
  });

  it('returns nothing for a modified URL', async () => {
    const fn = await makeFunction(service, HELLO, { name: 'Signed' });
    const { download_url } = (await get<Reply<'functionCode'>>(fn, '/code')).body;
    const url = download_url.replace('localhost', '127.0.0.1');
    const at = url.length - 10;
    const forged = url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1);
    expect((await fetch(url)).status).toBe(200);
    const posted = await fetch(url, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(forged)).status).toBe(404);
    expect((await fetch(`${service.url}/downloads/junk`)).status).toBe(404);
  });

  it('has the same hash for the same files in any order', async () => {
    const one = await makeFunction(service, { 'index.ts': HELLO, 'b.ts': '1' }, { name: 'One' });
    const two = await makeFunction(service, { 'b.ts': '1', 'index.ts': HELLO }, { name: 'Two' });
    const sha = async (fn: HostedFunction) => (await get<Reply<'versionGet'>>(fn, '/versions/1')).body.code_sha256;
    expect(await sha(one)).toBe(await sha(two));
  });
});
