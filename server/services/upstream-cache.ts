/**
 * Where calls of each account go, so that a call costs no query. A change is forgotten at once (`forgetUpstreams`, after
 * its commit): on this node, and on the others as soon as they hear of it, at the latest within TTL_MS. Lookups that are
 * going on are shared, and those that began before a change are forgotten with the rest. Refusals are not kept: what was
 * just made must work.
 */
import type { Db } from '../store/schema.ts';
import { tell } from './neighbours.ts';

const TTL_MS = 5_000;
const MAX_ACCOUNTS = 2_000;
const MAX_PER_ACCOUNT = 500;

type Entry<T> = { found: Promise<T>; known?: T; atMs: number };
/** By database, as each service of a process has its own; then by account. */
const caches = new WeakMap<Db, Map<string, Map<string, Entry<unknown>>>>();

/** What `remembered` would answer from memory, without waiting. */
export function recall<T>(db: Db, account_id: string, key: string): T | undefined {
  const entry = caches.get(db)?.get(account_id)?.get(key) as Entry<T> | undefined;
  return entry?.known !== undefined && performance.now() - entry.atMs < TTL_MS ? entry.known : undefined;
}

/** What `look` answers for this key of the account, from memory when it was asked within TTL_MS. */
export function remembered<T>(db: Db, account_id: string, key: string, look: () => Promise<T>): Promise<T> {
  const accounts = caches.get(db) ?? new Map<string, Map<string, Entry<unknown>>>();
  caches.set(db, accounts);
  const ofAccount = (accounts.get(account_id) ?? new Map<string, Entry<unknown>>()) as Map<string, Entry<T>>;
  const entry = ofAccount.get(key);
  if (entry && performance.now() - entry.atMs < TTL_MS) return entry.found;
  const found = look();
  ofAccount.delete(key);
  const made: Entry<T> = { found, atMs: performance.now() };
  ofAccount.set(key, made);
  dropOldest(ofAccount, MAX_PER_ACCOUNT);
  accounts.set(account_id, ofAccount);
  dropOldest(accounts, MAX_ACCOUNTS);
  found.then(
    (known) => {
      made.known = known;
    },
    () => ofAccount.get(key)?.found === found && ofAccount.delete(key),
  );
  return found;
}

/** To be called after the commit of whatever changed a connection of the account. */
export function forgetUpstreams(db: Db, account_id: string): void {
  dropUpstreams(db, account_id);
  tell(db, { forget: 'upstreams', id: account_id });
}

/** On this node only: another one said so. */
export function dropUpstreams(db: Db, account_id: string): void {
  caches.get(db)?.delete(account_id);
}

export function dropAllUpstreams(db: Db): void {
  caches.get(db)?.clear();
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  const oldest = map.size > max ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
