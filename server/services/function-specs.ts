import { createHash } from 'node:crypto';
import { type ByteCache, createByteCache } from '../lib/byte-cache.ts';
import type { FunctionSpec } from '../runtime/runtime.ts';
import * as environmentStore from '../store/environment.ts';
import type { FunctionsTable, FunctionVersionsTable } from '../store/function-tables.ts';
import type { Db } from '../store/schema.ts';
import type { Services } from './context.ts';
import { openValue } from './environment.ts';

const CACHE_BYTES = 64 * 1024 * 1024;
/** By database, as each service of a process has its own. */
const caches = new WeakMap<Db, ByteCache<FunctionSpec>>();

/**
 * What the runtime needs to run a version. Its key names everything that goes into it, sealed values included, so a
 * change anywhere makes another key, on every node, with the next run.
 */
export async function loadSpec(
  services: Pick<Services, 'db' | 'blobs' | 'vault'>,
  fn: FunctionsTable,
  version: FunctionVersionsTable,
): Promise<FunctionSpec> {
  const variables = await environmentStore.list(services.db, fn.account_id, fn.function_id);
  const parts = [fn.label, fn.network_policy, fn.allowed_hosts, variables.map(({ key, value }) => [key, value])];
  const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  const key = `${fn.function_id}/${version.version}/${fingerprint}`;
  const cache = caches.get(services.db) ?? createByteCache<FunctionSpec>(CACHE_BYTES);
  caches.set(services.db, cache);
  const kept = cache.get(key);
  if (kept) return kept;
  const [code, map] = await Promise.all([
    services.blobs.get(version.build_sha256),
    services.blobs.get(version.map_sha256),
  ]);
  const spec: FunctionSpec = {
    key,
    code: code.toString(),
    map: map.toString(),
    handler: version.handler,
    label: fn.label,
    env: Object.fromEntries(variables.map((row) => [row.key, openValue(services, row)])),
    networkPolicy: fn.network_policy,
    allowedHosts: JSON.parse(fn.allowed_hosts) as string[],
  };
  cache.set(key, spec, code.length + map.length);
  return spec;
}
