import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { blobPath, folderBlobs } from './folder-blobs.ts';

const HOUR_MS = 3_600_000;

function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sweep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const blobs = folderBlobs(folder);
  const referred = new Set<string>();
  /** Called when the sweep queries references, for the first and the second time. */
  let asked: (time: number) => Promise<unknown> = async () => {};
  return {
    folder,
    blobs,
    referred,
    whileAsked(given: typeof asked) {
      asked = given;
    },
    age(path: string) {
      const then = new Date(Date.now() - 2 * HOUR_MS);
      utimesSync(path, then, then);
    },
    sweep() {
      let time = 0;
      const used = async (sha256s: string[]) => {
        const known = new Set(sha256s.filter((each) => referred.has(each)));
        await asked(++time);
        return known;
      };
      return blobs.sweep({ used, olderThanMs: Date.now() - HOUR_MS });
    },
    names: () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/')),
  };
}

it('removes only old unreferenced blobs', async () => {
  const { folder, blobs, referred, age, sweep, names } = scratch();
  const [used, unused, young] = await Promise.all(
    ['used', 'unused', 'young'].map((text) => blobs.put(Buffer.from(text))),
  );
  referred.add(used ?? '');
  for (const sha256 of [used, unused]) age(blobPath(folder, sha256 ?? ''));
  expect(await sweep()).toBe(1);
  expect([await blobs.has(used ?? ''), await blobs.has(unused ?? ''), await blobs.has(young ?? '')]).toEqual([
    true,
    false,
    true,
  ]);
  expect(names()).toHaveLength(2);
  expect(await sweep()).toBe(0);
});

it('keeps a blob that is written again at any moment of the sweep', async () => {
  const { folder, blobs, age, sweep, whileAsked, names } = scratch();
  const bytes = Buffer.from('put again');
  for (const moment of [1, 2]) {
    const sha256 = await blobs.put(bytes);
    age(blobPath(folder, sha256));
    whileAsked(async (time) => time === moment && (await blobs.put(bytes)));
    await sweep();
    expect(await blobs.get(sha256), `at ${moment}`).toEqual(bytes);
    expect(names(), `at ${moment}`).toHaveLength(1);
  }
});

it('restores a renamed blob that is referenced by then', async () => {
  const { folder, blobs, referred, age, sweep, whileAsked } = scratch();
  const sha256 = await blobs.put(Buffer.from('late'));
  age(blobPath(folder, sha256));
  whileAsked(async (time) => time === 1 && referred.add(sha256));
  expect(await sweep()).toBe(0);
  expect(await blobs.has(sha256)).toBe(true);
});

it('cleans up after a crash: partial files and renamed ones', async () => {
  const { folder, blobs, referred, age, sweep, names } = scratch();
  const [used, unused] = await Promise.all(['used', 'unused'].map((text) => blobs.put(Buffer.from(text))));
  referred.add(used ?? '');
  for (const sha256 of [used, unused]) {
    const path = blobPath(folder, sha256 ?? '');
    age(path);
    renameSync(path, `${path}.aside`);
  }
  const half = join(blobPath(folder, used ?? ''), '../half.new');
  writeFileSync(half, 'ha');
  expect(await sweep()).toBe(1);
  expect(names().length).toBe(2);
  age(half);
  await sweep();
  expect(names().map((name) => name.slice(3))).toEqual([used]);
});

it('loses nothing during concurrent sweeps and writes of the same bytes', async () => {
  const { folder, blobs, sweep, age } = scratch();
  const bytes = Buffer.from('contended');
  const sha256 = await blobs.put(bytes);
  for (let round = 0; round < 100; round++) {
    age(blobPath(folder, sha256));
    const [, , put] = await Promise.all([sweep(), sweep(), blobs.put(bytes), sweep()]);
    expect(await blobs.get(put)).toEqual(bytes);
  }
});
