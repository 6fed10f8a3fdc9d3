/**
 * Which trigger an address belongs to, so that a request costs no query. A change is forgotten at once (`forgetHook`,
 * after its commit): on this node, and on the others as soon as they hear of it, at the latest within TTL_MS. Lookups
 * that are going on are shared, and one that began before a change is forgotten with the rest. Addresses that belong to
 * nobody are not remembered: they would push the others out.
 */
import { apart, type PushSource } from '../../apps/source.ts';
import type { Db } from '../../store/schema.ts';
import * as store from '../../store/triggers.ts';
import { findApp } from '../apps.ts';
import type { Services } from '../context.ts';
import { tell } from '../neighbours.ts';
import { checkOf, completed } from './checks.ts';
import type { Check } from './signature.ts';
import { openSecret, type SourceSecret } from './source-secrets.ts';

/** A trigger as its address knows it. */
export type Hook = {
  account_id: string;
  trigger_id: string;
  event_type: string;
  parameters: Record<string, unknown>;
  source: PushSource;
  check: Check;
  secret: SourceSecret | null;
};

const TTL_MS = 5_000;
const MAX_HOOKS = 10_000;

type Entry = { found: Promise<Hook | undefined>; atMs: number };
/** By database, as each service of a process has its own. */
const caches = new WeakMap<Db, Map<string, Entry>>();

/** The trigger whose address has this hash. */
export function findHook(services: Services, ingress_hash: string): Promise<Hook | undefined> {
  const cache = cacheOf(services.db);
  const entry = cache.get(ingress_hash);
  if (entry && performance.now() - entry.atMs < TTL_MS) return entry.found;
  const found = look(services, ingress_hash);
  cache.delete(ingress_hash);
  cache.set(ingress_hash, { found, atMs: performance.now() });
  const oldest = cache.size > MAX_HOOKS ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  const dropIfMine = () => cache.get(ingress_hash)?.found === found && cache.delete(ingress_hash);
  found.then((hook) => hook ?? dropIfMine(), dropIfMine);
  return found;
}

/** To be called after the commit of whatever changed the trigger. */
export function forgetHook(db: Db, ingress_hash: string | null): void {
  if (ingress_hash === null) return;
  dropHook(db, ingress_hash);
  tell(db, { forget: 'hook', id: ingress_hash });
}

/** On this node only: another one said so. */
export function dropHook(db: Db, ingress_hash: string): void {
  cacheOf(db).delete(ingress_hash);
}

export function dropAllHooks(db: Db): void {
  cacheOf(db).clear();
}

async function look(services: Services, ingress_hash: string): Promise<Hook | undefined> {
  const row = await store.withIngressHash(services.db, ingress_hash);
  if (!row) return undefined;
  const definition = (await findApp(services, row.account_id, row.source))?.definition;
  if (definition?.source?.transport !== 'push') return undefined;
  const parameters = apart(definition.source, JSON.parse(row.parameters) as Record<string, unknown>);
  return {
    account_id: row.account_id,
    trigger_id: row.trigger_id,
    event_type: row.event_type,
    parameters,
    source: completed(definition.source, parameters),
    check: checkOf(definition, definition.source, parameters),
    secret: openSecret(services.vault, row),
  };
}

function cacheOf(db: Db): Map<string, Entry> {
  const cache = caches.get(db) ?? new Map<string, Entry>();
  caches.set(db, cache);
  return cache;
}
