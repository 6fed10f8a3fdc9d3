/** Publishes versions with several megabytes of packages, first from the registry and then from the cache. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sources, startNpmRegistry } from '../../server/runtime/packages/npm-registry.ts';
import { p50, p95 } from './cold.ts';
import { startHost } from './host.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** Packages without dependencies, some with many files, some with one large file. Their bundle has about 4 MB. */
const NAMES = ['stripe', 'undici', 'zod', 'kysely', 'hono', 'jose', 're2js', 'cronstrue', 'ipaddr.js'];
const MANIFEST_FIELDS = ['name', 'version', 'type', 'main', 'module', 'exports', 'imports', 'sideEffects'];

export type Deploy = { bundleMb: number; firstMs: number; p50Ms: number; p95Ms: number };

export async function deploy(times: number): Promise<Deploy> {
  const packages = NAMES.map(packageOf);
  const registry = await startNpmRegistry(packages);
  const host = await startHost({ SLUICE_NPM_REGISTRY: registry.address });
  try {
    const lock = await registry.lock(
      Object.fromEntries(packages.map(({ manifest }) => [manifest.name, manifest.version])),
    );
    const imports = NAMES.map((name, n) => `import * as p${n} from '${name}';`).join('\n');
    const code = (n: number) =>
      `${imports}\nexport default { fetch: () => Response.json([${n}, ${NAMES.map((_, i) => `Object.keys(p${i}).length`).join(', ')}]) };`;
    const startMs = performance.now();
    const fn = await host.publish('', { files: { ...lock, 'index.ts': code(0) } });
    const firstMs = performance.now() - startMs;
    const ms: number[] = [];
    for (let n = 1; n <= times; n++) {
      const began = performance.now();
      const files = { ...lock, 'index.ts': code(n) };
      const deployed = await host.service.call('POST', `/functions/${fn.function_id}/versions`, { files });
      if (deployed.status !== 200) throw new Error(JSON.stringify(deployed.body).slice(0, 500));
      ms.push(performance.now() - began);
    }
    const { status, text } = await host.call(fn);
    if (status !== 200) throw new Error(`the deployed function responded ${status}: ${text.slice(0, 200)}`);
    return { bundleMb: (await host.builtBytes(fn)) / 1e6, firstMs, p50Ms: p50(ms), p95Ms: p95(ms) };
  } finally {
    await host.stop();
    registry.close();
  }
}

/** Reads the manifest and code of an installed package. */
function packageOf(name: string): Sources {
  const folder = join(MODULES, name);
  const all = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Sources['manifest'];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?js(on)?$/.test(file) && !/node_modules/.test(file) && file !== 'package.json')
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  const manifest = Object.fromEntries(Object.entries(all).filter(([key]) => MANIFEST_FIELDS.includes(key)));
  return { manifest: { ...manifest, name, version: all.version }, files: Object.fromEntries(files) };
}
