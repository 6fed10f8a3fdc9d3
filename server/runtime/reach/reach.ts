/**
 * What a version's code asks of the outside, read from its files without running it: the variables of its environment,
 * the hosts it names, the apps it calls through the gateway, the packages it takes in. Whatever can't be known by
 * reading (a name put together at run time, code made of text) is said with its place, so that a short list is never
 * taken for a whole one.
 *
 * read-files.ts finds it in the syntax trees of a parser, scope.ts knows what a name stands for. Both run in a thread
 * of their own (reach-worker.ts) with a limit of memory and time, as anybody's code is read here. An answer is kept by
 * the digest of the code, which never changes.
 */
import { Worker } from 'node:worker_threads';
import { createByteCache } from '../../lib/byte-cache.ts';
import { createLanes } from '../../lib/lanes.ts';

export type Place = { path: string; line: number };
export type Named = { name: string; places: Place[] };
/** ENV: a variable's name; ADDRESS: whom it calls; CODE: code that isn't in its files; FILE: a file that wasn't read. */
export type Unknown = Place & { about: 'ENV' | 'ADDRESS' | 'CODE' | 'FILE'; text: string };
export type Reach = { env: Named[]; hosts: Named[]; apps: Named[]; packages: Named[]; unknown: Unknown[] };

export type ReachReader = {
  /** Of the code with this digest; `files` is asked for its files when they are not known yet. */
  read(code_sha256: string, files: () => Promise<Record<string, string>>): Promise<Reach>;
  close(): Promise<void>;
};

const TIME_MS = 20_000;
const KEPT_BYTES = 8 * 1024 * 1024;

export function createReachReader(): ReachReader {
  const kept = createByteCache<Reach>(KEPT_BYTES);
  const lane = createLanes({ total: 1, each: 1 });
  const running = new Set<Worker>();
  let closed = false;

  return {
    async read(code_sha256, files) {
      const known = kept.get(code_sha256);
      if (known) return known;
      return lane.run('read', async () => {
        const again = kept.get(code_sha256);
        if (again) return again;
        const given = await files();
        if (closed) return unread('the service is stopping');
        const reach = await inThread(given, running);
        kept.set(code_sha256, reach, JSON.stringify(reach).length);
        return reach;
      });
    },
    async close() {
      closed = true;
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

async function inThread(files: Record<string, string>, running: Set<Worker>): Promise<Reach> {
  const worker = new Worker(new URL('reach-worker.ts', import.meta.url), {
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  running.add(worker);
  const { promise, resolve } = Promise.withResolvers<Reach>();
  const late = setTimeout(() => resolve(unread('it would take too long')), TIME_MS);
  worker.once('message', resolve);
  worker.once('error', (error: Error & { code?: string }) =>
    resolve(unread(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it would take too much memory' : 'it can’t be read')),
  );
  worker.once('exit', () => resolve(unread('it can’t be read')));
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    running.delete(worker);
    await worker.terminate();
  }
}

const unread = (text: string): Reach => ({
  env: [],
  hosts: [],
  apps: [],
  packages: [],
  unknown: [{ about: 'FILE', path: '', line: 1, text }],
});
