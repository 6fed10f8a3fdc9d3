/** kill -9 while segments are merged or built; the next start uses the files that exist. */
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { embeddedIn, freePort, type Spawned, scratch, start } from '../../test/spawned.ts';

type Found = Reply<'functionSearch'>;
const PATIENTLY = { timeout: 120_000, interval: 1 };
const LINES = 100_000;

const folder = scratch();
let service: Spawned;
let port: number;
beforeAll(async () => {
  port = await freePort();
  service = await start(folder.path, port);
});
afterAll(async () => {
  await service.kill('SIGTERM');
  folder.remove();
});

async function execute(statement: string): Promise<void> {
  const client = new Client(embeddedIn(folder.path));
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** More than fits into memory: each document is added to a segment with those before it. */
async function deploy(name: string): Promise<string> {
  const files = {
    'index.ts': `export default { fetch: () => new Response("") };\n// here is ${name}\n`,
    'data.txt': Array.from(
      { length: LINES },
      (_, n) => `${name} of merged code, line ${n.toString(36)} ${n * 7919}\n`,
    ).join(''),
  };
  const { status, body } = await service.call<Reply<'functionCreate'>>('POST', '/functions', {
    name,
    runtime: 'nodejs24.x',
    files,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.function.function_id;
}

const search = async (q: string, more: Record<string, string> = {}): Promise<Found> => {
  for (;;) {
    const query = new URLSearchParams({ q, ...more });
    const { status, body } = await service.call<Found>('GET', `/functions/search?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    // An incomplete index sets `truncated`.
    if (!body.truncated) return body;
  }
};
const namesOf = ({ functions }: Found) => functions.map((fn) => fn.name).sort();

/** The index files that the process has open, with their sizes. */
function indexFiles(): Map<string, number> {
  const at = `/proc/${service.pid}/fd`;
  const files = new Map<string, number>();
  for (const fd of readdirSync(at)) {
    try {
      const path = readlinkSync(join(at, fd));
      if (path.startsWith(join(folder.path, 'search')))
        files.set(path.replace(' (deleted)', ''), statSync(join(at, fd)).size);
    } catch {
      // closed meanwhile
    }
  }
  return files;
}

/** Stops the process in the middle of a merge, when a new file is open and incomplete. */
function stoppedInMerge(before: Map<string, number>): boolean {
  const isMidway = () => {
    const now = indexFiles();
    const made = [...now].filter(([path]) => !before.has(path));
    const replaced = [...before].filter(([path]) => now.has(path)).reduce((sum, [, bytes]) => sum + bytes, 0);
    return made.some(([, bytes]) => bytes > 0 && bytes < replaced);
  };
  if (!isMidway()) return false;
  process.kill(service.pid, 'SIGSTOP');
  if (isMidway()) return true;
  process.kill(service.pid, 'SIGCONT');
  return false;
}

it.skipIf(process.platform !== 'linux')(
  'after kill -9 during a merge, the next start finds every function once, and none that was deleted',
  { timeout: 300_000 },
  async () => {
    const kept: string[] = [];
    const dropped: string[] = [];
    let isStopped = false;
    // Each deploy causes a merge; if one ends before it is noticed, the next is larger.
    for (let n = 0; n < 8 && !isStopped; n++) {
      const before = indexFiles();
      const name = `merged ${n}`;
      kept.push(name);
      await deploy(name);
      const goneName = `gone ${n}`;
      const gone = await deploy(goneName);
      dropped.push(goneName);
      expect((await service.call('DELETE', `/functions/${gone}`)).status).toBe(200);
      const asked = search(`"here is ${name}"`).catch(() => undefined);
      isStopped = await vi.waitFor(() => {
        if (stoppedInMerge(before)) return true;
        const now = indexFiles();
        if (now.size === 1 && ![...now.keys()].some((path) => before.has(path))) return false;
        throw new Error('no merge yet');
      }, PATIENTLY);
      if (isStopped) void service.kill('SIGKILL');
      await asked;
    }
    expect(isStopped).toBe(true);
    await service.ended;

    service = await start(folder.path, port);
    for (const history of ['false', 'true']) {
      const all = await search('"here is"', { history, limit: '100' });
      expect(namesOf(all)).toEqual(kept);
      for (const fn of all.functions) expect(fn.hit_count).toBe(1);
    }
    for (const name of kept) {
      const { functions } = await search(`/^${name} of merged code/ path:data`);
      expect(functions.map((fn) => [fn.name, fn.hit_count])).toEqual([[name, LINES]]);
    }
    for (const name of dropped) expect(namesOf(await search(`"${name} of"`))).toEqual([]);
    expect(namesOf(await search('gone'))).toEqual([]);
    // No unfinished file is left.
    expect(readdirSync(join(folder.path, 'search'))).not.toContainEqual(expect.not.stringMatching(/\.segment$/));
  },
);

const place = join(folder.path, 'search');
const namesIn = () => readdirSync(place);

it('after a restart, existing segments are searched, even without the blobs', { timeout: 300_000 }, async () => {
  const kept = namesOf(await search('"here is"'));
  const isKept = (text: string) => namesIn().some((name) => readFileSync(join(place, name)).includes(text));
  await expect.poll(() => kept.every((name) => isKept(`here is ${name}`)), PATIENTLY).toBe(true);
  await execute('alter table blobs rename to blobs_away');
  await service.kill('SIGTERM');
  service = await start(folder.path, port);
  expect(namesOf(await search('"here is"'))).toEqual(kept);
  await execute('alter table blobs_away rename to blobs');
});

it('after kill -9 during a segment build, the next start finds everything, and no unfinished file is left', {
  timeout: 300_000,
}, async () => {
  const known = namesOf(await search('"here is"'));
  // Too many to be read into memory first.
  const files = { 'index.ts': 'export default { fetch: () => new Response("") };\n' };
  const small = Array.from({ length: 70 }, (_, n) => ({
    name: `small ${n}`,
    runtime: 'nodejs24.x',
    files: { ...files, 'text.txt': `small one ${n}\n` },
  }));
  for (const each of small) expect((await service.call('POST', '/functions', each)).status).toBe(200);
  let killed: number | undefined;
  while (killed === undefined) {
    await service.kill('SIGTERM');
    rmSync(place, { recursive: true });
    const starting = start(folder.path, port);
    // The file name identifies its writer. If the file completes before it is noticed, the next start writes it again.
    const seen = await vi.waitFor(() => {
      const unfinished = namesIn().flatMap((name) => /-(\d+)-.*\.new$/.exec(name)?.[1] ?? []);
      if (unfinished.length === 0 && namesIn().length === 0) throw new Error('nothing yet');
      return unfinished.map(Number);
    }, PATIENTLY);
    if (seen[0] !== undefined) process.kill(seen[0], 'SIGKILL');
    service = await starting;
    if (seen[0] !== undefined && (await service.ended) === null) [killed] = seen;
  }
  expect(killed).toBe(service.pid);
  service = await start(folder.path, port);
  expect(namesOf(await search('"here is"'))).toEqual(known);
  expect(namesOf(await search('"small one"', { limit: '100' }))).toHaveLength(70);
  expect(namesIn().filter((name) => name.includes(`-${killed}-`))).toEqual([]);
});
