import { type ByteCache, createByteCache } from '../lib/byte-cache.ts';
import type { FunctionSpec } from '../runtime/runtime.ts';
import type { Db } from '../store/schema.ts';
import type { Callable } from './callables.ts';
import type { Services } from './context.ts';
import { openValue } from './environment.ts';
import { languageOf } from './hosted-function.ts';

const CACHE_BYTES = 64 * 1024 * 1024;
/** By database, as each service of a process has its own. */
const specs = new WeakMap<Db, ByteCache<FunctionSpec>>();

/** What the runtime needs to run it. */
export function loadSpec(
  services: Pick<Services, 'db' | 'blobs' | 'vault'>,
  callable: Callable,
): FunctionSpec | Promise<FunctionSpec> {
  const cache = specs.get(services.db) ?? createByteCache<FunctionSpec>(CACHE_BYTES);
  specs.set(services.db, cache);
  return cache.get(callable.key) ?? readSpec(services, callable, cache);
}

async function readSpec(
  services: Pick<Services, 'blobs' | 'vault'>,
  { fn, version, variables, key }: Callable,
  cache: ByteCache<FunctionSpec>,
): Promise<FunctionSpec> {
  const [code, map] = await Promise.all([
    services.blobs.get(version.build_sha256),
    services.blobs.get(version.map_sha256),
  ]);
  const spec: FunctionSpec = {
    key,
    language: languageOf(version.runtime),
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
