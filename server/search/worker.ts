/**
 * The thread that scans code. It keeps the bundles it read, asks for those it doesn't have, and tells of each function
 * as it is found, so that whoever waits has something when time is up.
 */
import { parentPort } from 'node:worker_threads';
import { createByteCache } from '../lib/byte-cache.ts';
import { readBundle } from './bundle.ts';
import { type CodeQuery, compileMatcher } from './matcher.ts';
import { type Found, type SourceFile, scanFiles } from './scan.ts';

export type ScanOrder = {
  scan: number;
  query: CodeQuery;
  context: number;
  limit: number;
  budgetMs: number;
  bundles: string[];
};
export type ToWorker = ScanOrder | { cancel: number } | { bundle: string; bytes: Uint8Array | null };
export type FromWorker =
  | { need: string }
  | { scan: number; index: number; found: Found }
  | { scan: number; truncated: boolean };

const CACHE_BYTES = 128 * 1024 * 1024;
const READ_AHEAD = 16;

const port = parentPort;
if (!port) throw new Error('search/worker.ts runs in a worker thread');
const say = (message: FromWorker) => port.postMessage(message);
const cache = createByteCache<SourceFile[]>(CACHE_BYTES);
const coming = new Map<string, PromiseWithResolvers<SourceFile[]>>();
const cancelled = new Set<number>();

function filesOf(bundle: string): Promise<SourceFile[]> | SourceFile[] {
  const kept = cache.get(bundle);
  if (kept) return kept;
  const asked = coming.get(bundle);
  if (asked) return asked.promise;
  const answer = Promise.withResolvers<SourceFile[]>();
  coming.set(bundle, answer);
  say({ need: bundle });
  return answer.promise;
}

/** A bundle that is gone, for its function was just deleted, has no files. */
function receive(bundle: string, bytes: Uint8Array | null): void {
  const files = bytes ? Object.entries(readBundle(bytes)) : [];
  if (bytes) cache.set(bundle, files, bytes.byteLength);
  coming.get(bundle)?.resolve(files);
  coming.delete(bundle);
}

async function scan({ scan: id, query, context, limit, budgetMs, bundles }: ScanOrder): Promise<void> {
  const deadline = performance.now() + budgetMs;
  const matcher = compileMatcher(query);
  let count = 0;
  for (const [index, bundle] of bundles.entries()) {
    for (const next of bundles.slice(index + 1, index + READ_AHEAD)) void filesOf(next);
    const files = await filesOf(bundle);
    if (performance.now() > deadline || cancelled.delete(id)) return say({ scan: id, truncated: true });
    const found = scanFiles(files, matcher, context);
    if (found.hit_count === 0) continue;
    if (count === limit) return say({ scan: id, truncated: true });
    count += 1;
    say({ scan: id, index, found });
  }
  cancelled.delete(id);
  say({ scan: id, truncated: false });
}

port.on('message', (message: ToWorker) => {
  if ('bundle' in message) receive(message.bundle, message.bytes);
  else if ('cancel' in message) cancelled.add(message.cancel);
  else void scan(message);
});
