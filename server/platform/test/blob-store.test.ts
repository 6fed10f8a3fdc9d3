/**
 * The blob store: a node with a different folder does not start, and one that loses its folder reports it at every
 * entry point.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { bearer, callAddress, makeFunction } from '../../functions/test/functions-support.ts';
import { type Service, startService } from '../../test/service.ts';
import { type Folder, scratch } from '../../test/spawned.ts';

type Found = Reply<'functionSearch'>;

let service: Service;
let blobs: string;
const folders: Folder[] = [];
beforeAll(async () => {
  service = await startService({ env: { SLUICE_MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}` } });
  blobs = join(service.dataDir, 'blobs');
});
afterAll(async () => {
  await service.stop();
  for (const folder of folders) folder.remove();
});
afterEach(() => {
  if (existsSync(`${blobs}-away`)) renameSync(`${blobs}-away`, blobs);
});

const code = (text: string) => `export default { fetch: () => new Response("${text}") };\n// ${text}\n`;
const readiness = async () => {
  const response = await fetch(`${service.url}/readyz`);
  return { status: response.status, body: (await response.json()) as { checks: Record<string, object> } };
};
const search = async (q: string) =>
  (await service.api<Found>('GET', `/functions/search?${new URLSearchParams({ q })}`)).body;

/** The refusal of another node with this data folder. */
async function refusalOf(dataDir: string): Promise<{ message: string; hint: string }> {
  const env = {
    SLUICE_MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    DATABASE_URL: service.databaseUrl,
    SLUICE_DATA_DIR: dataDir,
  };
  return startService({ env }).then(
    async (other) => {
      await other.stop();
      return { message: 'it started', hint: '' };
    },
    (error: unknown) => error as { message: string; hint: string },
  );
}

function newFolder(): string {
  const folder = scratch();
  folders.push(folder);
  return folder.path;
}

it('a node with a different folder, or none, is refused with the folder; the right one starts', async () => {
  expect((await refusalOf(service.dataDir)).message).toBe('it started');
  const empty = newFolder();
  const other = newFolder();
  mkdirSync(join(other, 'blobs'));
  writeFileSync(join(other, 'blobs', '.id'), 'another\n');
  const id = readFileSync(join(blobs, '.id'), 'utf8').trim();
  for (const [folder, why] of [
    [empty, 'it has no .id file (ENOENT)'],
    [other, `its id is another, not ${id}`],
  ] as const) {
    const { message, hint } = await refusalOf(folder);
    expect(message).toContain(join(folder, 'blobs'));
    expect(message).toContain(why);
    expect(hint).toContain('SLUICE_DATA_DIR');
  }
});

it('an older installation gets its id in the folder with the code, and in no other', async () => {
  await makeFunction(service, code('from before'));
  const { db } = service.services;
  const forget = () => db.deleteFrom('settings').where('name', '=', 'blob_store').execute();
  await forget();
  rmSync(join(blobs, '.id'));
  const empty = newFolder();
  expect(await refusalOf(empty)).toMatchObject({
    message: expect.stringContaining(`${join(empty, 'blobs')} has none of the code that this database names`),
    hint: expect.stringContaining('SLUICE_DATA_DIR'),
  });
  expect(existsSync(join(empty, 'blobs', '.id'))).toBe(false);
  await service.restart();
  const id = readFileSync(join(blobs, '.id'), 'utf8').trim();
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const named = service.services.db.selectFrom('settings').select('value').where('name', '=', 'blob_store');
  expect(await named.execute()).toEqual([{ value: id }]);
  // After a restore of an older database the id is still in the folder.
  await service.services.db.deleteFrom('settings').where('name', '=', 'blob_store').execute();
  await service.restart();
  expect(
    await service.services.db.selectFrom('settings').select('value').where('name', '=', 'blob_store').execute(),
  ).toEqual([{ value: id }]);
});

it('while the folder is gone, /readyz, calls and files are 503 with the cause', async () => {
  const fn = await makeFunction(service, code('unread'));
  expect(await readiness()).toMatchObject({ status: 200, body: { checks: { blobs: { ok: true } } } });
  renameSync(blobs, `${blobs}-away`);
  await expect.poll(readiness).toMatchObject({
    status: 503,
    body: { status: 'not ready', checks: { blobs: { ok: false, cause: expect.stringContaining('ENOENT') } } },
  });
  expect(JSON.stringify((await readiness()).body)).not.toContain(service.dataDir);
  const at = `/functions/${fn.function_id}`;
  for (const { status, headers, body } of [
    await service.api('GET', `${at}/files`),
    await service.api('POST', `${at}:invoke`, {}),
  ]) {
    expect(status).toBe(503);
    expect(body['message']).toContain('cannot be read from the blob store (ENOENT)');
    expect(headers.get('retry-after')).toBe('5');
  }
  const called = await callAddress(service, fn.url, { headers: bearer(service.key) });
  expect(called.status).toBe(503);
  expect(called.text).toContain('ENOENT');
  expect(service.logged()).toContain('code could not be read from the blob store');
  renameSync(`${blobs}-away`, blobs);
  await expect.poll(readiness).toMatchObject({ status: 200 });
  expect((await callAddress(service, fn.url, { headers: bearer(service.key) })).text).toBe('unread');
});

it('unreadable code makes searches that cover it truncated, is logged, and is found when it is restored', async () => {
  const other = await service.secondAccount();
  await makeFunction(service, code('readable sentence'), { name: 'Readable' });
  const { body } = await service.api<Reply<'functionCode'>>(
    'GET',
    `/functions/${(await makeFunction(service, code('unreadable sentence'), { name: 'Lost' })).function_id}/code`,
  );
  const file = join(blobs, body.sha256.slice(0, 2), body.sha256);
  renameSync(file, `${file}.away`);
  // The index is rebuilt from the blobs.
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
  const { body: others } = await service.api<Found>('GET', '/functions/search?q=%22sentence%22', undefined, other);
  expect(others).toMatchObject({ count: 0, truncated: false });
  expect(await search('Readable')).toMatchObject({ truncated: false });
  const lines = service
    .logged()
    .split('\n')
    .filter((line) => line.includes('documents could not be read'))
    .map((line) => JSON.parse(line) as object);
  // One per process, for any number of reads.
  expect([1, 2]).toContain(lines.length);
  for (const line of lines) expect(line).toMatchObject({ level: 40, cause: 'ENOENT', documents: 1 });
  renameSync(`${file}.away`, file);
  await expect.poll(() => search('"unreadable sentence"')).toMatchObject({ count: 1, truncated: false });
});
