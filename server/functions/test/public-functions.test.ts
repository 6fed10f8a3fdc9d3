/**
 * The response of every function operation to another account, as described by docs/reference/api.md and the OpenAPI document.
 */
import { beforeAll, expect, it } from 'vitest';
import { type Operation, operationNames, pathOf, routes } from '../../../contract/routes.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { HELLO, type HostedFunction, invoke, makeFunction } from './functions-support.ts';

const service = serviceForAll();
let key: string;
beforeAll(async () => {
  ({ key } = await service.secondAccount());
});

const READABLE: Operation[] = [
  'functionGet',
  'functionCode',
  'functionFiles',
  'functionTrust',
  'functionSymbols',
  'functionCopy',
  'functionStar',
  'functionUnstar',
  'versionList',
  'versionGet',
];
const BODIES: Partial<Record<Operation, unknown>> = {
  functionUpdate: { description: 'theirs' },
  functionCopy: { name: 'A copy' },
  shadowCreate: { version: 1 },
  gradualPut: { version: 1, percent: 10 },
  versionCreate: { files: { 'index.ts': HELLO } },
  envCreate: { env: [{ key: 'A', value: 'b' }] },
  envPut: { value: 'b' },
};
const asked = operationNames.filter((name) => routes[name].path.startsWith('/functions/{function_id}'));

async function statuses(fn: HostedFunction): Promise<Partial<Record<Operation, number>>> {
  const { run_id } = await invoke(service, fn);
  const params = { function_id: fn.function_id, run_id, shadow_id: newId(), version: '1', key: 'A' };
  const found: Partial<Record<Operation, number>> = {};
  for (const name of asked) {
    const answer = await service.api(routes[name].method, pathOf(name, params), BODIES[name], { key });
    found[name] = answer.status;
  }
  return found;
}
const expected = (isReadable: (name: Operation) => boolean) =>
  Object.fromEntries(asked.map((name) => [name, isReadable(name) ? 200 : 404]));

it('a PUBLIC function of another account can be read, starred and copied, and nothing else', async () => {
  const fn = await makeFunction(service, HELLO, { name: 'Shown', visibility: 'PUBLIC' });
  expect(await statuses(fn)).toEqual(expected((name) => READABLE.includes(name)));
});

it.each(['PRIVATE', 'UNLISTED'] as const)('a %s function of another account is 404 throughout', async (visibility) => {
  const fn = await makeFunction(service, HELLO, { name: `Hidden ${visibility}`, visibility });
  expect(await statuses(fn)).toEqual(expected(() => false));
});

it('the OpenAPI document describes it', async () => {
  type Described = { operationId: Operation; description: string };
  const { body } = await service.api<{ paths: Record<string, Record<string, Described>> }>('GET', '/openapi.json');
  const described = Object.values(body.paths).flatMap((path) => Object.values(path));
  for (const name of asked) {
    const { description = '' } = described.find(({ operationId }) => operationId === name) ?? {};
    expect(/while they are PUBLIC; otherwise 404/.test(description), name).toBe(READABLE.includes(name));
  }
});
