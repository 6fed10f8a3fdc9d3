/** Definitions in a version, references of a name, and the versions that define it. */
import { beforeAll, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { READER } from '../facts/code-reader.ts';
import { unreadCode } from '../store/code-facts.ts';
import { type HostedFunction, makeFunction, PATIENTLY } from './functions-support.ts';

const ENTRY = 'export default { fetch: () => new Response("") };\n';

const service = serviceForAll();
const stranger = forAll(() => service.secondAccount());
let fn: HostedFunction;

const symbolsOf = async (query = '', key = service.key) =>
  service.api<Reply<'functionSymbols'> & { message: string }>(
    'GET',
    `/functions/${fn.function_id}/symbols${query}`,
    undefined,
    { key },
  );
const deploy = async (files: Record<string, string>) => {
  const { status } = await service.api('POST', `/functions/${fn.function_id}/versions`, { files });
  expect(status).toBe(200);
};

beforeAll(async () => {
  fn = await makeFunction(service, { 'index.ts': ENTRY });
  await deploy({
    'index.ts': `import { Order } from "./lib/order.ts";\n${ENTRY}// Order\nconst text = "Order";\nnew Order().total();\n`,
    'lib/order.ts': 'export class Order {\n  total() {\n    return 1;\n  }\n}\n',
    'task.py': 'def total():\n  "total"\n  return total\n',
  });
  await deploy({ 'index.ts': `${ENTRY}class Order {}\n` });
  await deploy({ 'index.ts': ENTRY });
  await deploy({ 'index.ts': `${ENTRY}class Order { b = 1 }\n` });
  // A deploy does not wait long for its code to be read.
  await vi.waitFor(async () => expect(await unreadCode(service.services.db, READER, 1)).toEqual([]), PATIENTLY);
});

it('lists the definitions of a version by file and line', async () => {
  const { status, body } = await symbolsOf('?version=2');
  expect(status).toBe(200);
  expect(body).toMatchObject({ version: 2, truncated: false, named: null });
  expect(body.symbols).toEqual([
    expect.objectContaining({ path: 'index.ts', line: 2, name: 'fetch', kind: 'method' }),
    expect.objectContaining({ path: 'index.ts', line: 4, name: 'text', kind: 'variable', exported: false }),
    {
      path: 'lib/order.ts',
      line: 1,
      end_line: 5,
      name: 'Order',
      kind: 'class',
      container: null,
      exported: true,
    },
    expect.objectContaining({ path: 'lib/order.ts', line: 2, end_line: 4, name: 'total', container: 'Order' }),
    expect.objectContaining({ path: 'task.py', line: 1, end_line: 3, name: 'total', kind: 'function' }),
  ]);
});

it('finds where a name is used, in any file, and not in texts and comments', async () => {
  const { body } = await symbolsOf('?version=2&name=Order');
  expect(body.named?.references).toEqual([
    { path: 'index.ts', line: 1 },
    { path: 'index.ts', line: 5 },
    { path: 'lib/order.ts', line: 1 },
  ]);
  expect((await symbolsOf('?version=2&name=total')).body.named?.references).toEqual([
    { path: 'index.ts', line: 5 },
    { path: 'lib/order.ts', line: 2 },
    { path: 'task.py', line: 1 },
    { path: 'task.py', line: 3 },
  ]);
});

it('names the versions that define it', async () => {
  const { body } = await symbolsOf('?name=Order');
  expect(body.named?.defined_in).toEqual([
    { first_version: 2, last_version: 3 },
    { first_version: 5, last_version: 5 },
  ]);
  expect((await symbolsOf('?name=nothing')).body.named).toEqual({ name: 'nothing', references: [], defined_in: [] });
});

it('is for those who may read the code', async () => {
  expect((await symbolsOf('', stranger.key)).status).toBe(404);
  await service.api('PATCH', `/functions/${fn.function_id}`, { visibility: 'PUBLIC' });
  const { status, body } = await symbolsOf('?name=Order', stranger.key);
  expect([status, body.named?.defined_in]).toEqual([200, [{ first_version: 5, last_version: 5 }]]);
  expect((await symbolsOf('?version=2', stranger.key)).status).toBe(404);
  await service.api('PATCH', `/functions/${fn.function_id}`, { visibility: 'PRIVATE' });
});

it('reads code that was not read yet', async () => {
  await service.services.db.deleteFrom('code_documents').execute();
  expect((await symbolsOf('?version=3')).body.symbols.map(({ name }) => name)).toEqual(['fetch', 'Order']);
});

it.each([
  ['?version=0', 'version: expected'],
  ['?name=', 'name: expected'],
  [`?name=${'a'.repeat(201)}`, 'name: expected'],
])('refuses %s', async (query, message) => {
  const { status, body } = await symbolsOf(query);
  expect([status, body.message.toLowerCase()]).toEqual([400, expect.stringContaining(message)]);
});
