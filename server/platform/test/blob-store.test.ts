/** Code in the database: nodes share nothing else, and each has a cache that may be lost at any time. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { bearer, callAddress, makeFunction } from '../../functions/test/functions-support.ts';
import { type Service, startService } from '../../test/service.ts';
import { type Folder, scratch } from '../../test/spawned.ts';
import { blobPath, digest } from '../blobs/blob-files.ts';
import { openBlobReader } from '../blobs/blob-reader.ts';

type Found = Reply<'functionSearch'>;

const MASTER_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
let service: Service;
let blobs: string;
const folders: Folder[] = [];
const others: Service[] = [];
beforeAll(async () => {
  service = await startService({ env: { SLUICE_MASTER_KEY: MASTER_KEY } });
  blobs = join(service.dataDir, 'blobs');
});
afterAll(async () => {
  for (const other of others) await other.stop();
  await service.stop();
  for (const folder of folders) folder.remove();
});

const code = (text: string) => `export default { fetch: () => new Response("${text}") };\n// ${text}\n`;
const search = async (q: string, of: Service = service) =>
  (await of.api<Found>('GET', `/functions/search?${new URLSearchParams({ q })}`, undefined, { key: service.key })).body;
const call = async (url: string, of: Service = service) =>
  (await callAddress(of, url.replace(`:${service.port}`, `:${of.port}`), { headers: bearer(service.key) })).text;
const db = () => service.services.db;

/** Another node of the database, with this data folder or an empty one. */
async function startNode(dataDir = emptyFolder()): Promise<Service> {
  const env = { SLUICE_MASTER_KEY: MASTER_KEY, DATABASE_URL: service.databaseUrl, SLUICE_DATA_DIR: dataDir };
  const other = await startService({ env });
  others.push(other);
  return other;
}

function emptyFolder(): string {
  const folder = scratch();
  folders.push(folder);
  return folder.path;
}

it('three nodes with a folder each call, read and find what one of them deployed', async () => {
  const before = await makeFunction(service, code('from before'));
  const nodes = [await startNode(), await startNode()];
  const since = await makeFunction(service, code('since then'));
  for (const node of nodes) {
    for (const [fn, text] of [
      [before, 'from before'],
      [since, 'since then'],
    ] as const) {
      expect(await call(fn.url, node)).toBe(text);
      const files = await node.api('GET', `/functions/${fn.function_id}/files`, undefined, { key: service.key });
      expect(JSON.stringify(files.body)).toContain(text);
      await expect.poll(() => search(`"${text}"`, node)).toMatchObject({ count: 1, truncated: false });
    }
  }
});

it('a cached file that is damaged or gone is read from the database', async () => {
  const fn = await makeFunction(service, code('cached'));
  const path = `/functions/${fn.function_id}/files`;
  const files = () => readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) => name.length > 60);
  for (const name of files()) writeFileSync(join(blobs, name), 'damaged');
  await service.restart();
  expect(await call(fn.url)).toBe('cached');
  expect(JSON.stringify((await service.api('GET', path)).body)).toContain('cached');
  rmSync(blobs, { recursive: true });
  await service.restart();
  expect(await call(fn.url)).toBe('cached');
  expect(files().length).toBeGreaterThan(0);
});

it('without a folder for the cache, code is deployed, called and found', async () => {
  renameSync(blobs, `${blobs}-away`);
  writeFileSync(blobs, 'not a folder');
  try {
    const fn = await makeFunction(service, code('uncached'));
    expect(await call(fn.url)).toBe('uncached');
    await expect.poll(() => search('"uncached"')).toMatchObject({ count: 1, truncated: false });
    await service.restart();
    expect(await call(fn.url)).toBe('uncached');
  } finally {
    rmSync(blobs);
    renameSync(`${blobs}-away`, blobs);
  }
});

it('code that is nowhere is a 503 with the cause', async () => {
  const fn = await makeFunction(service, code('nowhere'));
  const { code_sha256, build_sha256 } = await db()
    .selectFrom('function_versions')
    .select(['code_sha256', 'build_sha256'])
    .where('function_id', '=', fn.function_id)
    .executeTakeFirstOrThrow();
  for (const sha256 of [code_sha256, build_sha256]) {
    await db().deleteFrom('blobs').where('sha256', '=', sha256).execute();
    rmSync(blobPath(blobs, sha256), { force: true });
  }
  const at = `/functions/${fn.function_id}`;
  for (const { status, headers, body } of [
    await service.api('GET', `${at}/files`),
    await service.api('POST', `${at}:invoke`, {}),
  ]) {
    expect(status).toBe(503);
    expect(body['message']).toBe(
      'The code of this function is not in the database. Deploy it again; the log of the service has the cause.',
    );
    expect(headers.get('retry-after')).toBe('5');
  }
  expect(service.logged()).toContain('code could not be read from the database');
  // The same code, deployed again, replaces it.
  await makeFunction(service, code('nowhere'));
  expect(await call(fn.url)).toBe('nowhere');
});

it('unreadable code makes searches that cover it truncated, is logged, and is found when it is restored', async () => {
  const other = await service.secondAccount();
  await makeFunction(service, code('readable sentence'), { name: 'Readable' });
  const lost = await makeFunction(service, code('unreadable sentence'), { name: 'Lost' });
  const { body } = await service.api<Reply<'functionCode'>>('GET', `/functions/${lost.function_id}/code`);
  const row = await db().selectFrom('blobs').selectAll().where('sha256', '=', body.sha256).executeTakeFirstOrThrow();
  await db().deleteFrom('blobs').where('sha256', '=', body.sha256).execute();
  rmSync(blobPath(blobs, body.sha256));
  // The index is rebuilt from the database.
  rmSync(join(service.dataDir, 'search'), { recursive: true, force: true });
  await service.restart();
  expect(await search('"readable sentence"')).toMatchObject({ count: 1, truncated: true });
  expect(await search('/unread[a]ble sentence/')).toMatchObject({ count: 0, truncated: true });
  const stream = await fetch(`${service.url}/api/functions/search?q=${encodeURIComponent('"sentence"')}`, {
    headers: { authorization: `Bearer ${service.key}`, accept: 'text/event-stream' },
  });
  const done = /^event: done\ndata: (.*)$/m.exec(await stream.text())?.[1];
  expect(JSON.parse(done ?? '')).toMatchObject({ count: 1, truncated: true });
  // Searches that do not cover it are complete.
  const { body: elsewhere } = await service.api<Found>('GET', '/functions/search?q=%22sentence%22', undefined, other);
  expect(elsewhere).toMatchObject({ count: 0, truncated: false });
  expect(await search('Readable')).toMatchObject({ truncated: false });
  const lines = service
    .logged()
    .split('\n')
    .filter((line) => line.includes('documents could not be read'))
    .map((line) => JSON.parse(line) as object);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatchObject({ level: 40, cause: 'ENOENT', documents: 1 });
  await db().insertInto('blobs').values(row).execute();
  await expect.poll(() => search('"unreadable sentence"')).toMatchObject({ count: 1, truncated: false });
});

it('code that is stored while a node reads others is missing until it is read again', async () => {
  const { blobs: store } = service.services;
  // It is alone in its portion.
  const large = await store.put(Buffer.alloc(9_000_000, 'large'));
  const late = Buffer.from('stored late');
  const reader = openBlobReader({ ...store.description, folder: emptyFolder() });
  const read: unknown[] = [];
  for await (const each of reader.readAll([large, digest(late), large])) {
    read.push(each instanceof Error ? each.message : digest(each));
    if (read.length === 1) await store.put(late);
  }
  expect(read).toEqual([large, `blob ${digest(late)} does not exist`, large]);
  for await (const each of reader.readAll([digest(late)])) expect(each).toEqual(late);
});

it('an installation of before is refused without its folder, and stores its code in the database with it', async () => {
  const fn = await makeFunction(service, code('of old'));
  const stored = () => db().selectFrom('blobs').select('sha256').orderBy('sha256').execute();
  const before = await stored();
  // A cache may lack some of it: here it is whole, as before.
  for (const { sha256 } of before) await service.services.blobs.get(sha256);
  await db().deleteFrom('blobs').execute();
  await db().deleteFrom('settings').where('name', '=', 'code_in_database').execute();
  const empty = emptyFolder();
  const refusal = await startNode(empty).then(
    () => ({ message: 'it started' }),
    (error: unknown) => error as { message: string; hint: string },
  );
  expect(refusal).toMatchObject({
    message: `The database does not have the code of its functions yet, and the folder ${join(empty, 'blobs')} has none of it.`,
    hint: expect.stringContaining('the data folder that the nodes shared before'),
  });
  await service.restart();
  expect(await stored()).toEqual(before);
  expect(await call(fn.url, await startNode())).toBe('of old');
});

it('a file of a node of before is imported while its version refers to it', async () => {
  const { blobs: store } = service.services;
  const text = Buffer.from('written by another version');
  const sha256 = digest(text);
  mkdirSync(join(blobs, sha256.slice(0, 2)), { recursive: true });
  writeFileSync(blobPath(blobs, sha256), text);
  const sweep = (used: string[]) => store.sweep({ used: async () => new Set(used), olderThanMs: Date.now() - 1e9 });
  await sweep([sha256]);
  rmSync(blobPath(blobs, sha256));
  expect(await store.get(sha256)).toEqual(text);
});

it('a sweep removes only old unreferenced blobs, and keeps one that is stored again meanwhile', async () => {
  const { blobs: store } = service.services;
  const age = (sha256: string) =>
    db().updateTable('blobs').set({ put_at: '2026-01-01T00:00:00Z' }).where('sha256', '=', sha256).execute();
  const [used, unused, young, again] = await Promise.all(
    ['used', 'unused', 'young', 'again'].map((text) => store.put(Buffer.from(text))),
  );
  for (const sha256 of [used, unused, again]) await age(sha256 as string);
  let asked = 0;
  const removed = await store.sweep({
    olderThanMs: Date.parse('2026-01-02T00:00:00Z'),
    async used(all) {
      // Between the question and the removal.
      if (asked++ === 0) await store.put(Buffer.from('again'));
      return new Set(all.filter((sha256) => sha256 === used));
    },
  });
  expect(removed).toBe(1);
  expect(await Promise.all([used, unused, young, again].map((sha256) => store.has(sha256 as string)))).toEqual([
    true,
    false,
    true,
    true,
  ]);
});
