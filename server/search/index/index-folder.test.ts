/**
 * The next process uses the index of an earlier one, except files that are damaged, of another format, or unreferenced.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeAll, functions, ids, many, order, place, removeAll, start } from '../test/code-search-support.ts';
import { createIndexFolder } from './index-folder.ts';
import { createFile, nameAt, readNames } from './segment-file.ts';

afterEach(closeAll);
afterAll(removeAll);

type Functions = ReturnType<typeof functions>;
const namesIn = (all: Functions) => readdirSync(all.folder).sort();
const filesIn = (all: Functions) => namesIn(all).map((name) => join(all.folder, name));
const holds = (all: Functions, text: string) => filesIn(all).some((path) => readFileSync(path).includes(text));

/** Moves the blobs away, so that nothing can be read from them. */
async function withoutBlobs(run: () => Promise<void>): Promise<void> {
  renameSync(place, `${place}-away`);
  try {
    await run();
  } finally {
    renameSync(`${place}-away`, place);
  }
}

/** Creates an index and closes it. */
async function kept(count = 150): Promise<{ all: Functions; made: string[] }> {
  const all = functions();
  const made = await many(all, count);
  const first = await start(all);
  expect(await ids(first, '"common-77"')).toEqual([made[77]]);
  await first.close();
  return { all, made };
}

describe('the next process', () => {
  it('searches existing segments without reading blobs, and reads new documents', async () => {
    const { all, made } = await kept();
    expect(filesIn(all).map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
    await withoutBlobs(async () => {
      const second = await start(all);
      expect(await ids(second, '"common-7"')).toEqual([made[7]]);
      expect(await ids(second, 'common-1', { limit: 100 })).toHaveLength(61);
      expect(second.size()).toMatchObject({ codes: 150, segments: 1 });
    });
    const late = await all.deploy('late', { 'index.ts': 'a late one' });
    const third = await start(all);
    expect(await ids(third, 'a late one')).toEqual([late.function_id]);
    expect(await ids(third, '"common-7"')).toEqual([made[7]]);
  });

  it('removes documents deleted meanwhile, even when none is left', async () => {
    const { all, made } = await kept();
    expect(holds(all, 'common-7"')).toBe(true);
    all.remove(made[7] ?? '');
    const second = await start(all, { purgeMs: 1 });
    expect(await ids(second, '"common-7"')).toEqual([]);
    await expect.poll(() => holds(all, 'common-7"')).toBe(false);
    expect(await ids(second, '"common-77"')).toEqual([made[77]]);
    await second.close();
    for (const id of made) all.remove(id);
    const third = await start(all, { purgeMs: 1 });
    await expect.poll(() => namesIn(all)).toEqual([]);
    expect(third.size()).toEqual({ codes: 0, segments: 0, codeBytes: 0, indexBytes: 0, freshBytes: 0 });
  });

  it('has each document once after an interrupted merge left both copies', async () => {
    const { all, made } = await kept();
    const [before = ''] = filesIn(all);
    const copy = readFileSync(before);
    for (const id of made.slice(0, 50)) all.remove(id);
    const second = await start(all, { purgeMs: 1 });
    await expect.poll(() => namesIn(all)).not.toContain(before.slice(-40));
    await expect.poll(() => second.size().codes).toBe(100);
    await second.close();
    const [after] = namesIn(all);
    writeFileSync(before, copy, { mode: 0o600 });
    const third = await start(all, { purgeMs: 1 });
    expect(await ids(third, '"common-77"')).toEqual([made[77]]);
    expect(await ids(third, '"common-7"')).toEqual([]);
    await expect.poll(() => namesIn(all)).toEqual([after]);
    expect(holds(all, 'common-7"')).toBe(false);
    expect(third.size().codes).toBe(100);
  });

  it('rewrites segments that overlap, so that one copy of each document is left', async () => {
    const all = functions();
    const made = await many(all, 200);
    const early = functions();
    const { page } = all.source;
    early.source.page = async (after) => (await page(after, 1000)).slice(0, 120);
    const folder = all.folder;
    const first = await start({ source: early.source, folder });
    expect(await ids(first, '"common-7"')).toEqual([made[7]]);
    await first.close();
    const rest = functions();
    rest.source.page = async (after) => (await page(after, 1000)).slice(80);
    const apart = await start(rest);
    expect(await ids(apart, '"common-190"')).toEqual([made[190]]);
    await apart.close();
    const [other = ''] = namesIn(rest);
    renameSync(join(rest.folder, other), join(folder, other));
    await withoutBlobs(async () => {
      const third = await start(all, { purgeMs: 1 });
      for (const n of [7, 100, 190]) expect(await ids(third, `"common-${n}"`)).toEqual([made[n]]);
      await expect.poll(() => filesIn(all).reduce((sum, path) => sum + count(path), 0)).toBe(200);
      for (const n of [8, 101, 191]) expect(await ids(third, `"common-${n}"`)).toEqual([made[n]]);
    });
    function count(path: string) {
      return readFileSync(path, 'utf8').split('export const name = "common-').length - 1;
    }
  });
});

/** Offsets of the parts of a segment file. */
function layoutOf(bytes: Buffer) {
  const footer = bytes.length - FOOTER_BYTES;
  const [codes = 0, grams = 0, common = 0, code = 0, lists = 0] = Array.from({ length: 7 }, (_, at) =>
    bytes.readUInt32LE(footer + MAGIC_BYTES + 4 * at),
  );
  return { code, words: code + lists, list: 4 * (common + grams + 1), names: footer - 32 * codes, footer };
}
const FOOTER_BYTES = 80;
const MAGIC_BYTES = 48;

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 0x40;
  return bytes;
}

/** Changes the footer and updates its checksum. */
function withFooter(bytes: Buffer, change: (footer: Buffer) => void): Buffer {
  const footer = bytes.subarray(bytes.length - FOOTER_BYTES);
  change(footer);
  footer.writeUInt32LE(crc32(footer.subarray(0, -4)), FOOTER_BYTES - 4);
  return bytes;
}

/** Changes the words and updates their checksums. */
function withWords(bytes: Buffer, change: (words: Buffer) => void): Buffer {
  const { words, names } = layoutOf(bytes);
  const all = bytes.subarray(words, names);
  change(all);
  return withFooter(bytes, (footer) => footer.writeUInt32LE(crc32(all), MAGIC_BYTES + 4 * 5));
}

describe('a damaged segment file', () => {
  const damages: [name: string, damage: (bytes: Buffer) => Buffer, reason: string][] = [
    ['is empty', () => Buffer.alloc(0), 'too short'],
    ['is truncated', (bytes) => bytes.subarray(0, bytes.length >> 1), 'unknown format or version'],
    ['lacks its first byte', (bytes) => bytes.subarray(1), 'its footer does not match the file'],
    ['has only a footer', (bytes) => bytes.subarray(-FOOTER_BYTES), 'its footer does not match the file'],
    ['is noise', (bytes) => Buffer.from(bytes.map((_, at) => (at * 7919) >> 3)), 'unknown format or version'],
    ['is zeroed except for its footer', (bytes) => bytes.fill(0, 0, layoutOf(bytes).footer), 'its words are damaged'],
    ['has a flipped bit in its footer', (bytes) => flip(bytes, bytes.length - 10), 'its footer is damaged'],
    ['has a flipped bit in its words', (bytes) => flip(bytes, layoutOf(bytes).names - 2), 'its words are damaged'],
    ['has a flipped bit in a hash', (bytes) => flip(bytes, layoutOf(bytes).names + 9), 'its hashes are damaged'],
    [
      'has a list that begins after its end',
      (bytes) => withWords(bytes, (words) => words.writeUInt32LE(0xffffffff, layoutOf(bytes).list)),
      'its words are inconsistent',
    ],
    [
      'is of another version',
      (bytes) => withFooter(bytes, (footer) => footer.fill('0', 15, 47)),
      'unknown format or version',
    ],
    [
      'claims four billion documents',
      (bytes) => withFooter(bytes, (to) => to.fill(255, 48, 52)),
      'its footer does not match the file',
    ],
    [
      'claims four billion of everything',
      (bytes) => withFooter(bytes, (to) => to.fill(255, 48, 68)),
      'its footer does not match the file',
    ],
    [
      'claims no documents',
      (bytes) => withFooter(bytes, (to) => to.fill(0, 48, 52)),
      'its footer does not match the file',
    ],
  ];

  it('is removed, and its documents are indexed again', async () => {
    const { all, made } = await kept();
    const [path = ''] = filesIn(all);
    const whole = readFileSync(path);
    for (const [name, damage, reason] of damages) {
      for (const each of filesIn(all)) rmSync(each);
      writeFileSync(path, damage(Buffer.from(whole)));
      const warnings: string[] = [];
      const search = await start(all, {
        log: { warn: (of: { err: Error }) => warnings.push(of.err.message), error() {} },
      });
      expect(await ids(search, '"common-77"'), name).toEqual([made[77]]);
      expect(warnings, name).toEqual([reason]);
      expect(search.size(), name).toMatchObject({ codes: 150, segments: 1 });
      await search.close();
      // The new file has the same documents.
      expect(
        filesIn(all).map((each) => readFileSync(each).length),
        name,
      ).toEqual([whole.length]);
    }
  });

  it.each<[string, (bytes: Buffer) => number]>([
    ['in code', () => 100],
    ['in a list', (bytes) => layoutOf(bytes).code + 100],
  ])('damaged %s: the search that reads it is truncated, the next one is complete', async (_, where) => {
    const { all, made } = await kept();
    const [path = ''] = filesIn(all);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill('x', where(bytes), where(bytes) + 300));
    const search = await start(all);
    const { truncated } = await search.search(order('common-1'));
    expect(truncated).toBe(true);
    await expect.poll(async () => (await search.search(order('common-1'))).truncated).toBe(false);
    expect(await ids(search, 'common-1')).toHaveLength(61);
    expect(await ids(search, '"common-77"')).toEqual([made[77]]);
  });

  it('may be a link or a folder: it is removed, and nothing outside of the index folder changes', async () => {
    const { all, made } = await kept();
    const outside = join(place, 'outside');
    const [path = ''] = filesIn(all);
    renameSync(path, outside);
    symlinkSync(outside, path);
    mkdirSync(path.replace(/.{8}\.segment$/, '00000000.segment'));
    writeFileSync(join(all.folder, 'something else'), 'x');
    const search = await start(all);
    expect(await ids(search, '"common-77"')).toEqual([made[77]]);
    await search.close();
    expect(statSync(outside).size).toBeGreaterThan(0);
    expect(namesIn(all)).toEqual([path.slice(-40)]);
  });
});

describe('an index folder that cannot be written', () => {
  const large = (n: number) => ({ 'index.ts': `// ${n}\n${`line ${n} of a large function\n`.repeat(180_000)}` });

  it('leaves documents in memory, is tried once, and is written when possible', async () => {
    for (const purgeMs of [undefined, 1]) {
      const all = functions();
      const warnings: string[] = [];
      const log = { warn: (_: unknown, text?: string) => void warnings.push(text ?? ''), error() {} };
      const search = await start(all, { log, ...(purgeMs ? { purgeMs } : {}) });
      expect(await ids(search, 'large')).toEqual([]);
      rmSync(all.folder, { recursive: true });
      writeFileSync(all.folder, 'no folder');
      for (let n = 0; n < 3; n++) {
        const { function_id } = await all.deploy('large', large(n));
        expect(await ids(search, `line ${n} of`)).toEqual([function_id]);
      }
      await expect.poll(() => warnings.length).toBeGreaterThan(0);
      expect(search.size()).toMatchObject({ codes: 3, segments: 0 });
      if (!purgeMs) expect(warnings).toHaveLength(1);
      rmSync(all.folder);
      if (purgeMs) await expect.poll(() => search.size().freshBytes).toBeLessThan(4 * 1024 * 1024);
      expect(await ids(search, 'of a large')).toHaveLength(3);
    }
  });
});

describe('files of other processes', () => {
  it('are removed when no process writes them any more', async () => {
    const { all, made } = await kept();
    const [name = ''] = namesIn(all);
    const search = await start(all);
    expect(await ids(search, '"common-77"')).toEqual([made[77]]);
    await search.close();
    const begun = createFile(all.folder);
    const [own = ''] = namesIn(all).filter((each) => each.endsWith('.new'));
    const dead = own.replace(/-\d+-/, `-${spawnSync('true').pid}-`);
    const [recent, old] = [0, 1].map((n) => `0000000${n}-1-${randomUUID()}.new`) as [string, string];
    for (const each of [dead, recent, old]) writeFileSync(join(all.folder, each), 'x');
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(join(all.folder, old), hourAgo, hourAgo);
    const next = await start(all);
    expect(await ids(next, '"common-77"')).toEqual([made[77]]);
    await next.close();
    expect(namesIn(all)).toEqual([name, own, recent].sort());
    begun.abandon();
    expect(namesIn(all)).toEqual([name, recent].sort());
  });

  it('stay while a node may need them, and are removed after having unreferenced documents for long', async () => {
    const { all } = await kept();
    const [name = ''] = namesIn(all);
    const path = join(all.folder, name);
    writeFileSync(join(all.folder, `${'0'.repeat(32)}.segment`), 'noise');
    const [first = ''] = await addressesIn(path);
    const everything = () => true;
    const butOne = (sha256: string) => sha256 !== first;
    const none = () => false;
    const look = (deadMs: number, ...asked: [(sha256: string) => boolean, (name: string) => boolean]) => {
      const files = createIndexFolder(all.folder, { warn() {} }, deadMs);
      return files.look(...asked).finally(() => files.settled());
    };
    // The noise may be a segment of another version.
    expect(await look(60_000, everything, none)).toBe(true);
    expect(namesIn(all)).toHaveLength(2);
    expect(await look(0, everything, none)).toBe(false);
    expect(namesIn(all)).toEqual([name]);
    expect(await look(60_000, butOne, none)).toBe(true);
    expect(await look(0, butOne, (each) => each === name)).toBe(false);
    expect(namesIn(all)).toEqual([name]);
    expect(await look(0, butOne, none)).toBe(false);
    expect(namesIn(all)).toEqual([]);
  });

  it('are one file after two nodes rewrote the same segment, and both nodes find everything', async () => {
    const { all, made } = await kept();
    const nodes = [await start(all, { purgeMs: 1 }), await start(all, { purgeMs: 1 })];
    for (const node of nodes) expect(await ids(node, '"common-77"')).toEqual([made[77]]);
    for (const id of made.slice(0, 50)) all.remove(id);
    for (const node of nodes) expect(await ids(node, '"common-7"')).toEqual([]);
    for (const node of nodes) await expect.poll(() => node.size().codes).toBe(100);
    await expect.poll(() => holds(all, 'common-7"')).toBe(false);
    expect(namesIn(all)).toHaveLength(1);
    for (const node of nodes) expect(await ids(node, '"common-78"')).toEqual([made[78]]);
  });
});

async function addressesIn(path: string): Promise<string[]> {
  const addresses = await readNames(path);
  return Array.from({ length: 150 }, (_, place) => nameAt(addresses, place));
}
