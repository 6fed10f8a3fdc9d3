import type { ByteCache } from '../../lib/byte-cache.ts';
import type { Services } from '../../platform/context.ts';
import type { FunctionSpec } from '../../runtime/function-spec.ts';
import { languageOf } from '../../runtime/languages/languages.ts';
import { within } from '../../runtime/network/network-policy.ts';
import { openValue } from '../environment.ts';
import { readBlob } from '../read-blob.ts';
import type { Callable } from './callables.ts';

/** What the runtime needs to run a callable. */
export function loadSpec(
  services: Pick<Services, 'memory' | 'blobs' | 'log' | 'vault' | 'settings'>,
  callable: Callable,
): FunctionSpec | Promise<FunctionSpec> {
  const { specs } = services.memory;
  return specs.get(callable.key) ?? readSpec(services, callable, specs);
}

async function readSpec(
  services: Pick<Services, 'blobs' | 'log' | 'vault' | 'settings'>,
  { fn, version, variables, key }: Callable,
  cache: ByteCache<FunctionSpec>,
): Promise<FunctionSpec> {
  const [code, map] = await Promise.all([
    readBlob(services, version.build_sha256),
    readBlob(services, version.map_sha256),
  ]);
  const network = within(
    { policy: fn.network_policy, allowedHosts: JSON.parse(fn.allowed_hosts) as string[] },
    services.settings.egress.hosts,
  );
  const spec: FunctionSpec = {
    account_id: fn.account_id,
    key,
    language: languageOf(version.runtime),
    code: code.toString(),
    map: map.toString(),
    handler: version.handler,
    label: fn.label,
    env: Object.fromEntries(variables.map((row) => [row.key, openValue(services, row)])),
    networkPolicy: network.policy,
    allowedHosts: network.allowedHosts,
  };
  cache.set(key, spec, code.length + map.length);
  return spec;
}
