/** Which versions of a PUBLIC function other accounts can read, in every operation with a version. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { up } from '../../platform/database/migrations/019-public-versions.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { type HostedFunction, makeFunction } from './functions-support.ts';

const service = serviceForAll();
const other = forAll(() => service.secondAccount());

const code = (text: string) => ({
  'index.ts': `export default { fetch: () => new Response("x") };\n// ${text} line\n`,
});
const at = ({ function_id }: HostedFunction) => `/functions/${function_id}`;
const change = async (fn: HostedFunction, body: object) =>
  expect((await service.api('PATCH', at(fn), body)).status).toBe(200);
const publish = async (fn: HostedFunction, text: string) =>
  expect((await service.api('POST', `${at(fn)}/versions`, { files: code(text) })).status).toBe(200);

/** What another account can read of the versions 1 to `last`, by each operation. */
async function readable(fn: HostedFunction, last: number) {
  const ask = <T>(method: string, path: string, body?: object) =>
    service.api<T>(method, path, body, { key: other.key });
  const listed = await ask<Reply<'versionList'>>('GET', `${at(fn)}/versions`);
  const versions = listed.body.versions.map(({ version }) => version).sort();
  const query = new URLSearchParams({ q: `/${fn.name} [a-z]+ line/`, owner: 'ALL', history: 'true' });
  // An incomplete index sets `truncated`.
  const whole = { status: 200, body: { truncated: false } };
  await expect.poll(() => ask('GET', `/functions/search?${query}`)).toMatchObject(whole);
  const found = await ask<Reply<'functionSearch'>>('GET', `/functions/search?${query}`);
  const hits = found.body.functions.flatMap((each) => each.hits.map(({ first_version }) => first_version ?? 0)).sort();
  for (let version = 1; version <= last; version++) {
    const isReadable = versions.includes(version);
    for (const path of [
      `/versions/${version}`,
      `/files?version=${version}`,
      `/code?version=${version}`,
      `/trust?version=${version}`,
    ])
      expect([path, (await ask('GET', at(fn) + path)).status]).toEqual([path, isReadable ? 200 : 404]);
    expect((await ask('GET', `${at(fn)}/trust?since=${version}`)).status).toBe(isReadable ? 200 : 400);
    const copied = await ask<{ message: string }>('POST', `${at(fn)}:copy`, { name: 'copy', version });
    expect(copied.status).toBe(isReadable ? 200 : 400);
    if (!isReadable) expect(copied.body.message).toMatch(/^version: expected one of this function's public versions/);
  }
  expect(hits).toEqual(versions);
  return versions;
}

it('are those since it was made PUBLIC and those rolled back to, and none from before it was hidden', async () => {
  const fn = await makeFunction(service, code('hidden alpha'), { name: 'hidden' });
  await publish(fn, 'hidden beta');
  await publish(fn, 'hidden gamma');
  await change(fn, { visibility: 'PUBLIC' });
  expect(await readable(fn, 3)).toEqual([3]);
  await publish(fn, 'hidden delta');
  expect(await readable(fn, 4)).toEqual([3, 4]);
  // The live version can be read, and stays public.
  await change(fn, { version: 1 });
  expect(await readable(fn, 4)).toEqual([1, 3, 4]);
  await change(fn, { version: 4 });
  expect(await readable(fn, 4)).toEqual([1, 3, 4]);
  const own = await service.api<Reply<'versionList'>>('GET', `${at(fn)}/versions`);
  expect(own.body.versions.map((each) => [each.version, each.public])).toEqual([
    [4, true],
    [3, true],
    [2, false],
    [1, true],
  ]);
  const { body: uses } = await service.api<Reply<'functionUses'>>('GET', `${at(fn)}/uses`);
  expect(uses.versions).toEqual({ all: 4, public: 3 });

  for (const visibility of ['UNLISTED', 'PRIVATE']) {
    await change(fn, { visibility });
    expect((await service.api('GET', `${at(fn)}/versions`, undefined, other)).status).toBe(404);
    await change(fn, { visibility: 'PUBLIC' });
    expect(await readable(fn, 4)).toEqual([4]);
  }
  // The owner reads and finds all of them, including in a search of all accounts.
  for (let version = 1; version <= 4; version++)
    expect((await service.api('GET', `${at(fn)}/files?version=${version}`)).status).toBe(200);
  const found = await service.api<Reply<'functionSearch'>>(
    'GET',
    '/functions/search?q=%22hidden%22&owner=ALL&history=true',
  );
  expect(found.body.functions).toMatchObject([{ first_version: 1, last_version: 4 }]);
});

it('include those published and rolled back to in the change that makes the function PUBLIC', async () => {
  const fn = await makeFunction(service, code('shown alpha'), { name: 'shown', visibility: 'PUBLIC' });
  await publish(fn, 'shown beta');
  expect(await readable(fn, 2)).toEqual([1, 2]);
  await change(fn, { visibility: 'PRIVATE' });
  await publish(fn, 'shown gamma');
  await change(fn, { visibility: 'PUBLIC', version: 2 });
  expect(await readable(fn, 3)).toEqual([2]);
});

it('are the live ones after the upgrade, as earlier publications are unknown', async () => {
  const fn = await makeFunction(service, code('upgraded alpha'), { name: 'upgraded', visibility: 'PUBLIC' });
  await publish(fn, 'upgraded beta');
  const { db } = service.services;
  await sql`alter table function_versions drop column is_public`.execute(db);
  await up(db as never);
  const { body } = await service.api<Reply<'versionList'>>('GET', `${at(fn)}/versions`, undefined, other);
  expect(body.versions.map(({ version }) => version)).toEqual([2]);
});
