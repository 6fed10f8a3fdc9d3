/**
 * Reads what the code of functions defines and uses (runtime/facts/), and stores it by document for the search. A deploy
 * reads its code, for a short time. A worker reads what is left: code of before, of other nodes, and of deploys that did
 * not wait. The documents of a crash or of an earlier reader are found the same way: they are not stored yet.
 */
import { isDoneWithin } from '../../lib/time-limit.ts';
import { BlobUnavailable } from '../../platform/blobs/blobs.ts';
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { Exhausted } from '../../runtime/build/build-process.ts';
import type { CodeSymbol, Facts, Use } from '../../runtime/facts/facts.ts';
import { type CodeFacts, isRead, type StoredFact, storeFacts, unreadCode } from '../store/code-facts.ts';
import { readBundle } from '../versions/bundle.ts';

/** Increases when the reader finds more: then all code is read again. */
export const READER = 1;
const DEPLOY_MS = 1_000;
const POLL_MS = 300_000;
const AT_ONCE = 20;
/** While more documents are left, the pause is this many times the time of the last ones. */
const PAUSE_SHARE = 2;
/** The worker's turn among the builds of accounts. */
const TURN = 'code reader';

type Reading = Pick<Services, 'builder' | 'db' | 'log'>;

/** Reads the code of a deploy. What takes longer, or fails, is left to the worker: it fails no deploy. */
export async function readAtDeploy(
  services: Reading & Pick<Services, 'nudge'> & { account_id: string },
  code_sha256: string,
  files: Record<string, string>,
): Promise<void> {
  const { account_id, log, nudge } = services;
  const reading = read(services, account_id, code_sha256, () => files).catch((error: unknown) => {
    log.warn({ err: error, code_sha256 }, 'code of a deploy could not be read, will retry');
    nudge('codeReader');
  });
  await isDoneWithin(reading, DEPLOY_MS);
}

/** Reads the code of a document now, unless it was read. Throws TooManyBuilds. */
export function readNow(
  services: Reading & { account_id: string },
  code_sha256: string,
  files: () => Promise<Record<string, string>>,
): Promise<void> {
  return read(services, services.account_id, code_sha256, files);
}

async function read(
  { builder, db }: Reading,
  turn: string,
  code_sha256: string,
  files: () => Record<string, string> | Promise<Record<string, string>>,
): Promise<void> {
  if (await isRead(db, code_sha256, READER)) return;
  const facts = await builder.readFacts(turn, await files()).catch((error: unknown) => {
    // It would take too much the next time too.
    if (error instanceof Exhausted) return undefined;
    throw error;
  });
  await storeFacts(db, code_sha256, READER, facts ? storedFrom(facts) : { facts: [], isWhole: false });
}

/** Worker that reads the code of functions that was not read yet. */
export function createCodeReader(services: Reading & Pick<Services, 'blobs'>): Worker {
  const { blobs, db, log } = services;
  return createLoop({
    name: 'code reader',
    log,
    everyMs: POLL_MS,
    async work() {
      const startedMs = performance.now();
      const unread = await unreadCode(db, READER, AT_ONCE);
      for (const code_sha256 of unread) {
        const files = async () => readBundle(await blobs.get(code_sha256));
        await read(services, TURN, code_sha256, files).catch((error: unknown) => {
          if (!(error instanceof BlobUnavailable)) throw error;
          log.warn({ err: error, code_sha256 }, 'code could not be read for the search');
        });
      }
      return unread.length === AT_ONCE ? (performance.now() - startedMs) * PAUSE_SHARE : POLL_MS;
    },
  });
}

/** The rows of a document: one for each kind and name. */
export function storedFrom({ symbols, imports, hosts, env, isWhole }: Facts): CodeFacts {
  const uses = (kind: StoredFact['kind'], list: Use[]) =>
    list.map(({ name, version, places }): StoredFact => ({ kind, name, version, places: places.map(placeOf) }));
  const byName = Map.groupBy(symbols, ({ name }) => name);
  const definitions = [...byName].map(
    ([name, list]): StoredFact => ({ kind: 'symbol', name, version: null, places: list.map(symbolPlace) }),
  );
  return { facts: [...definitions, ...uses('imports', imports), ...uses('host', hosts), ...uses('env', env)], isWhole };
}

const placeOf = ({ path, line }: { path: string; line: number }): [string, number] => [path, line];
const symbolPlace = ({ path, line, end_line, kind, container, exported }: CodeSymbol): StoredFact['places'][number] => [
  path,
  line,
  end_line,
  kind,
  container,
  exported,
];
