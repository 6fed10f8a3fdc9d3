/**
 * What stands ready to be called: a function, the version that serves, and its variables, so that a call costs no query.
 * A change is forgotten at once (`forgetFunction`, after its commit): on this node, and on the others as soon as they
 * hear of it, at the latest within TTL_MS. Lookups that are going on are shared, and those that began before a change are
 * forgotten with the rest. What isn't there is not kept: a function that was just made must be found.
 */
import { createHash } from 'node:crypto';
import * as environmentStore from '../store/environment.ts';
import type { EnvVariablesTable, FunctionsTable, FunctionVersionsTable } from '../store/function-tables.ts';
import * as functionStore from '../store/functions.ts';
import type { Db } from '../store/schema.ts';
import type { Services } from './context.ts';
import { chooseVersion } from './hosted-function.ts';
import { tell } from './neighbours.ts';

export type Callable = {
  fn: FunctionsTable;
  version: FunctionVersionsTable;
  variables: EnvVariablesTable[];
  /** Names everything that goes into a process, sealed values included: a change anywhere makes another. */
  key: string;
};

const TTL_MS = 5_000;
const MAX_FUNCTIONS = 2_000;

type Entry = { found: Promise<Callable | undefined>; known?: Callable; atMs: number };
/** By database, as each service of a process has its own. */
const byLabel = new WeakMap<Db, Map<string, Entry>>();

/** The function at this label that was called lately, without waiting. */
export function knownCallable(db: Db, label: string): Callable | undefined {
  const entry = byLabel.get(db)?.get(label);
  return entry?.known && performance.now() - entry.atMs < TTL_MS ? entry.known : undefined;
}

/** The function at this label as it is served; undefined where there is none. */
export function callableWithLabel(services: Pick<Services, 'db'>, label: string): Promise<Callable | undefined> {
  const cache = byLabel.get(services.db) ?? new Map<string, Entry>();
  byLabel.set(services.db, cache);
  const entry = cache.get(label);
  if (entry && performance.now() - entry.atMs < TTL_MS) return entry.found;
  const found = look(services, label);
  cache.delete(label);
  const made: Entry = { found, atMs: performance.now() };
  cache.set(label, made);
  const oldest = cache.size > MAX_FUNCTIONS ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  const dropIfMine = () => cache.get(label)?.found === found && cache.delete(label);
  found.then((callable) => {
    if (callable) made.known = callable;
    else dropIfMine();
  }, dropIfMine);
  return found;
}

async function look(services: Pick<Services, 'db'>, label: string): Promise<Callable | undefined> {
  const fn = await functionStore.withLabel(services.db, label);
  return fn && callableOf(services, fn);
}

/** A version of a function, the serving one by default, with what it is run with now. */
export async function callableOf(
  services: Pick<Services, 'db'>,
  fn: FunctionsTable,
  number?: number | undefined,
): Promise<Callable> {
  const [version, variables] = await Promise.all([
    chooseVersion(services, fn, number),
    environmentStore.list(services.db, fn.account_id, fn.function_id),
  ]);
  const parts = [fn.label, fn.network_policy, fn.allowed_hosts, variables.map(({ key, value }) => [key, value])];
  const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { fn, version, variables, key: `${fn.function_id}/${version.version}/${fingerprint}` };
}

/** To be called after the commit of whatever changed the function, its versions or its variables. */
export function forgetFunction(db: Db, function_id: string): void {
  dropFunction(db, function_id);
  tell(db, { forget: 'function', id: function_id });
}

/** On this node only: another one said so. */
export function dropFunction(db: Db, function_id: string): void {
  const cache = byLabel.get(db);
  // Of what is being looked up nobody knows yet whose it is.
  for (const [label, { known }] of cache ?? [])
    if (!known || known.fn.function_id === function_id) cache?.delete(label);
}

export function dropAllFunctions(db: Db): void {
  byLabel.get(db)?.clear();
}
