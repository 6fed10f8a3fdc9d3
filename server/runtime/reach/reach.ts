/**
 * What a version's code asks of the outside, read from its files without running it: the variables of its environment,
 * the hosts it names, the apps it calls through the gateway, the packages it imports. Whatever can't be known by
 * reading (a name put together at run time, code made of text) is said with its place, so that a short list is never
 * taken for a whole one.
 *
 * read-files.ts finds it in the syntax trees of a parser, scope.ts knows what a name stands for. Both run in a
 * build process (build/builder.ts) with a limit of memory and time, as anybody's code is read here. An answer is kept
 * by the digest of the code, which never changes.
 */

import { createByteCache } from '../../lib/byte-cache.ts';
import { Exhausted } from '../build/build-process.ts';
import type { Builder } from '../build/builder.ts';
import type { Reach } from './findings.ts';

export type ReachReader = {
  /**
   * Of the code with this digest, in the turn of the account that asks; `files` is asked for its files when they are
   * not known yet. Throws TooManyBuilds.
   */
  read(account_id: string, code_sha256: string, files: () => Promise<Record<string, string>>): Promise<Reach>;
};

const KEPT_BYTES = 8 * 1024 * 1024;

/** Reads code in a build process: parsing takes memory and time that only its author decides on. */
export function createReachReader(builder: Pick<Builder, 'readReach'>): ReachReader {
  const kept = createByteCache<Reach>(KEPT_BYTES);
  const reading = new Map<string, Promise<Reach>>();

  const read = async (account_id: string, code_sha256: string, files: () => Promise<Record<string, string>>) => {
    const reach = await builder.readReach(account_id, await files()).catch((error: unknown) => {
      if (error instanceof Exhausted) return unread(TEXT[error.reason]);
      throw error;
    });
    kept.set(code_sha256, reach, JSON.stringify(reach).length);
    return reach;
  };

  return {
    async read(account_id, code_sha256, files) {
      const known = kept.get(code_sha256);
      if (known) return known;
      const key = `${account_id} ${code_sha256}`;
      const begun = reading.get(key) ?? read(account_id, code_sha256, files).finally(() => reading.delete(key));
      reading.set(key, begun);
      return begun;
    },
  };
}

const TEXT: Record<Exhausted['reason'], string> = {
  NESTED: 'it is nested too deeply',
  MEMORY: 'it would take too much memory',
  TIME: 'it would take too long',
};

const unread = (text: string): Reach => ({
  env: [],
  hosts: [],
  apps: [],
  packages: [],
  unknown: [{ about: 'FILE', path: '', line: 1, text }],
});
