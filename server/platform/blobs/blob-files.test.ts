import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type BlobFiles, blobPath, digest, openBlobFiles } from './blob-files.ts';
import { openBlobReader } from './blob-reader.ts';
import { BlobUnavailable } from './blobs.ts';

function scratch(maxBytes = 1_000_000) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-blobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = openBlobFiles(join(folder, 'blobs'), maxBytes);
  return {
    folder: join(folder, 'blobs'),
    files,
    async write(text: string, usedAt?: number) {
      const bytes = Buffer.from(text);
      const sha256 = digest(bytes);
      await files.write(sha256, bytes);
      if (usedAt !== undefined) utimesSync(blobPath(join(folder, 'blobs'), sha256), usedAt, usedAt);
      return sha256;
    },
    names: () =>
      readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.length > 2),
  };
}

it('returns what was written, and nothing for a file that is missing or damaged', async () => {
  const { folder, files, write, names } = scratch();
  const sha256 = await write('\0 binary');
  expect(await files.read(sha256)).toEqual(Buffer.from('\0 binary'));
  expect(statSync(blobPath(folder, sha256)).mode & 0o777).toBe(0o600);
  writeFileSync(blobPath(folder, sha256), 'wrong');
  expect(await files.read(sha256)).toBeUndefined();
  expect(names()).toEqual([]);
  expect(await files.read(digest(Buffer.from('never')))).toBeUndefined();
});

it('leaves no partial files when the same blob is written concurrently', async () => {
  const { write, names } = scratch();
  await Promise.all(Array.from({ length: 20 }, () => write('same')));
  expect(names()).toHaveLength(1);
});

it('removes the least recently used files beyond its limit', async () => {
  const { files, write } = scratch(1000);
  const texts = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(90, '.'));
  const written: string[] = [];
  for (const [n, text] of texts.entries()) written.push(await write(text, 1000 + n));
  // Reading renews the age.
  await write('first again', 1);
  const used = await write('used', 1);
  await files.read(used);
  await expect
    .poll(async () => (await listed(files)).find(({ sha256 }) => sha256 === used)?.usedAtMs)
    .toBeGreaterThan(2000);
  await files.trim();
  const left = await listed(files);
  expect(left.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1000);
  expect(left.map(({ sha256 }) => sha256)).toContain(used);
  expect(left.map(({ sha256 }) => sha256)).toContain(written.at(-1));
  expect(left.map(({ sha256 }) => sha256)).not.toContain(written[0]);
});

it('trims itself while it is written', async () => {
  const { files, write } = scratch(1000);
  for (let n = 0; n < 200; n++) await write(`${n}`.padEnd(50, '.'));
  const bytes = (await listed(files)).reduce((sum, { size }) => sum + size, 0);
  expect(bytes).toBeLessThanOrEqual(1150);
  expect(bytes).toBeGreaterThan(500);
});

it('removes partial files that a crash left an hour ago', async () => {
  const { folder, files, write, names } = scratch();
  const sha256 = await write('whole');
  const half = join(blobPath(folder, sha256), '../half.new');
  writeFileSync(half, 'ha');
  await listed(files);
  expect(names()).toHaveLength(2);
  utimesSync(half, 1, 1);
  await listed(files);
  expect(names().map((name) => name.slice(3))).toEqual([sha256]);
});

it.runIf(process.getuid?.() !== 0)('a folder that cannot be written or read fails no operation', async () => {
  const { folder, files, write } = scratch();
  const sha256 = await write('readable');
  chmodSync(folder, 0o000);
  onTestFinished(() => chmodSync(folder, 0o700));
  await write('another');
  await files.remove(sha256);
  expect(await listed(files)).toEqual([]);
  expect(await files.read(sha256)).toBeUndefined();
});

it('a file in place of the folder fails no operation', async () => {
  const { folder, files, write } = scratch();
  writeFileSync(folder, 'not a folder');
  const sha256 = await write('another');
  await files.remove(sha256);
  await files.trim();
  expect(await listed(files)).toEqual([]);
  expect(await files.read(sha256)).toBeUndefined();
});

it.each(['', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/x`])('rejects the hash %j', async (address) => {
  await expect(scratch().files.read(address)).rejects.toThrow('is not a blob hash');
});

it('is read in order by a thread, which gets errors for missing ones', async () => {
  const { folder, write } = scratch();
  const [one, two] = [await write('one'), await write('two')];
  const reader = openBlobReader(structuredClone({ folder }));
  const found = await all(reader.readAll([two, digest(Buffer.from('never')), one]));
  expect(found.map((each) => (each instanceof BlobUnavailable ? each.cause_code : String(each)))).toEqual([
    'two',
    'ENOENT',
    'one',
  ]);
});

const listed = async (files: BlobFiles) => (await all(files.list())).flat();

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of given) found.push(each);
  return found;
}
