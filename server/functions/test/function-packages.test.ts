/** Functions with a package-lock.json, published through the API with packages from a test registry. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NpmRegistry, startNpmRegistry } from '../../runtime/packages/npm-registry.ts';
import { type Service, startService } from '../../test/service.ts';
import { type HostedFunction, invoke, makeFunction } from './functions-support.ts';

let npm: NpmRegistry;
let service: Service;
let lock: Record<string, string>;
beforeAll(async () => {
  npm = await startNpmRegistry([
    {
      manifest: { name: 'greeting', version: '1.0.0' },
      files: { 'index.js': "exports.greet = (who) => 'Hello ' + who;" },
    },
  ]);
  service = await startService({ env: { SLUICE_NPM_REGISTRY: npm.address } });
  lock = await npm.lock({ greeting: '1.0.0' });
});
afterAll(async () => {
  await service.stop();
  npm.close();
});

const CODE = "import { greet } from 'greeting';\nexport default () => greet('you');";

test('a function uses the packages of its lock; only its files are stored', async () => {
  const files = { ...lock, 'index.ts': CODE };
  const fn = await makeFunction(service, files);
  expect((await invoke(service, fn)).response).toMatchObject({ status: 200, body: 'Hello you' });
  const kept = await service.api('GET', `/functions/${fn.function_id}/files`);
  expect(kept.body['files']).toEqual(files);
});

test('a rolled-back version needs no registry, nor does a deploy with cached packages', async () => {
  const fn: HostedFunction = await makeFunction(service, { ...lock, 'index.ts': CODE });
  const files = { ...lock, 'index.ts': CODE.replace('you', 'again') };
  npm.asked.length = 0;
  expect((await service.api('POST', `/functions/${fn.function_id}/versions`, { files })).status).toBe(200);
  expect((await invoke(service, fn)).response?.body).toBe('Hello again');
  await service.api('PATCH', `/functions/${fn.function_id}`, { version: 1 });
  expect((await invoke(service, fn)).response?.body).toBe('Hello you');
  expect(npm.asked).toEqual([]);
});

test('a package that is not in the lock publishes nothing and is reported with its position', async () => {
  const fn = await makeFunction(service);
  const files = { ...lock, 'index.ts': "export default () => 1;\nimport 'farewell';" };
  const { status, body } = await service.api('POST', `/functions/${fn.function_id}/versions`, { files });
  const text = 'There is no package "farewell" in package-lock.json; add it with npm install';
  expect(status).toBe(400);
  expect(body).toMatchObject({ type: 'Bad Request', problems: [{ file: 'index.ts', line: 2, column: 8, text }] });
  expect((await invoke(service, fn)).response?.body).toBe('hello');
});
