/**
 * Reports what a version's code accesses outside the function, without running it: environment variables, hosts, apps
 * called through the gateway, imported packages. Whatever static analysis cannot determine (a computed name, code
 * created from text) is reported with its position, so that a short list is not taken for a complete one.
 *
 * read-files.ts reads the syntax trees of a parser, scope.ts resolves names. Both run in a build process
 * (build/builder.ts) with memory and time limits, as the code is untrusted. A result is cached by the digest of the
 * code, which never changes.
 */

import { createByteCache } from '../../lib/byte-cache.ts';
import { Exhausted } from '../build/build-process.ts';
import type { Builder } from '../build/builder.ts';
import type { Reach } from './findings.ts';

export type ReachReader = {
  /**
   * Reads the code with this digest, in the account's turn; `files` provides it when the result is not cached. Throws
   * TooManyBuilds.
   */
  read(account_id: string, code_sha256: string, files: () => Promise<Record<string, string>>): Promise<Reach>;
};

const KEPT_BYTES = 8 * 1024 * 1024;

/** Reads code in a build process, as parsing needs memory and time that only its author controls. */
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
