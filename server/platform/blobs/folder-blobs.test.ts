import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folderBlobs } from './folder-blobs.ts';
import { openBlobReader } from './open-blobs.ts';

function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const blobs = folderBlobs(join(folder, 'blobs'));
  const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return { blobs, files: () => files().filter((path) => statSync(path).isFile()) };
}

it('returns the stored bytes by their SHA-256', async () => {
  const { blobs } = scratch();
  const bytes = Buffer.from([0, 255, 10, 13]);
  const sha256 = await blobs.put(bytes);
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(await blobs.get(sha256)).toEqual(bytes);
  expect(await blobs.has(sha256)).toBe(true);
});

it('stores equal bytes once, even when written concurrently, and leaves no partial files', async () => {
  const { blobs, files } = scratch();
  const addresses = await Promise.all(Array.from({ length: 20 }, () => blobs.put(Buffer.from('same'))));
  expect(new Set(addresses).size).toBe(1);
  expect(files()).toHaveLength(1);
  expect(statSync(files()[0] ?? '').mode & 0o777).toBe(0o600);
});

it('removes a blob', async () => {
  const { blobs } = scratch();
  const sha256 = await blobs.put(Buffer.from('x'));
  await blobs.remove(sha256);
  await blobs.remove(sha256);
  expect(await blobs.has(sha256)).toBe(false);
  await expect(blobs.get(sha256)).rejects.toThrow(`blob ${sha256} does not exist`);
});

it('detects a damaged blob', async () => {
  const { blobs, files } = scratch();
  const sha256 = await blobs.put(Buffer.from('right'));
  writeFileSync(files()[0] ?? '', 'wrong');
  await expect(blobs.get(sha256)).rejects.toThrow(`blob ${sha256} is damaged`);
});

it.each(['', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/x`])('rejects the hash %j', async (address) => {
  await expect(scratch().blobs.get(address)).rejects.toThrow('is not a blob hash');
});

it('can be read from its description, as by a thread: large and small, missing and damaged', async () => {
  const { blobs, files } = scratch();
  const large = Buffer.alloc(700_000, 'large');
  const [largeSha, smallSha] = [await blobs.put(large), await blobs.put(Buffer.from('small'))];
  const reader = openBlobReader(structuredClone(blobs.description));
  for (const _ of [1, 2]) {
    expect(Buffer.from(await reader.read(largeSha)).equals(large)).toBe(true);
    expect((await reader.read(smallSha)).toString()).toBe('small');
  }
  for (const path of files()) writeFileSync(path, 'wrong');
  expect(() => reader.read(smallSha)).toThrow(expect.objectContaining({ cause_code: 'DAMAGED' }));
  await blobs.remove(smallSha);
  expect(() => reader.read(smallSha)).toThrow(expect.objectContaining({ cause_code: 'ENOENT' }));
});
