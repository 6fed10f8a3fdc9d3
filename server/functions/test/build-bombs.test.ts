/** Code that exhausts its build: rejected with the name of the file, and the next deploy of every account works. */
import { describe, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { HELLO, invoke, makeFunction } from './functions-support.ts';

// Depth or memory is exhausted before this time, however slow the machine is.
const service = serviceForAll({ buildMs: 200_000 });

const deploy = (files: Record<string, string>, runtime = 'nodejs24.x', key?: string) =>
  service.api<{ message: string; problems?: { file: string; text: string }[] }>(
    'POST',
    '/functions',
    { name: 'Bomb', runtime, files },
    key ? { key } : {},
  );

/** A failed build is repeated to find the file. */
const TWO_BUILDS = { timeout: 240_000 };

describe('a file nested 300,000 deep', TWO_BUILDS, () => {
  it('is rejected with its name, and the next deploy of the same and of another account works', async () => {
    const nested = `export default ${'('.repeat(300_000)}1${')'.repeat(300_000)}`;
    const answer = await deploy({ 'index.ts': "import './deep.ts';\n".concat(HELLO), 'deep.ts': nested });
    expect([answer.status, answer.body.problems?.[0]?.file]).toEqual([400, 'deep.ts']);
    expect(answer.body.message).toMatch(/nested too deeply/);
    expect((await invoke(service, await makeFunction(service))).response?.body).toBe('hello');
    const other = await service.secondAccount();
    await makeFunction(service, HELLO, {}, other.key);
  });
});

const doubled = Array.from({ length: 40 }, (_, at) => `A${at + 1} = \`\${A${at}}\${A${at}}\``).join();
const deep = (open: string, close: string, count: number) => `${open.repeat(count)}1${close.repeat(count)}`;

describe('other code that exhausts a compiler', TWO_BUILDS, () => {
  it.each<[string, string, string, RegExp]>([
    ['brackets', 'big.json', '['.repeat(3_000_000), /nested too deeply|too much memory/],
    ['templates', 'big.ts', `export default ${deep('`${', '}`', 500_000)}`, /nested too deeply/],
    ['tags', 'big.tsx', `export default ${deep('<a>', '</a>', 400_000)}`, /nested too deeply/],
    ['operators', 'big.js', `export default ${'!'.repeat(8_000_000)}1`, /nested too deeply/],
    ['a constant that doubles', 'big.ts', `export enum E { A0 = "aaaaaaaaaaaaaaaa", ${doubled} }`, /too much memory/],
  ])('%s are rejected with the name of the file, and the next deploy works', async (_, file, text, message) => {
    const code = `import * as big from './${file}';\nexport default () => String(big);`;
    const answer = await deploy({ 'index.ts': code, [file]: text, 'a.ts': HELLO });
    expect([answer.status, answer.body.problems?.[0]?.file]).toEqual([400, file]);
    expect(answer.body.message).toMatch(message);
    expect((await deploy({ 'index.ts': HELLO })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['a tsconfig.json of brackets', { 'tsconfig.json': '['.repeat(8_000) }],
    ['a tsconfig.json of comments', { 'tsconfig.json': '/*'.repeat(8_000) }],
    ['a tsconfig.json that is large', { 'tsconfig.json': ' '.repeat(1_000_000) }],
    ['a package-lock.json of brackets', { 'package-lock.json': '['.repeat(3_000_000) }],
    ['a hundred thousand imports of nothing', { 'more.ts': 'import "./nothing";\n'.repeat(100_000) }],
    ['a hundred thousand mistakes in one line', { 'more.ts': 'a b;'.repeat(100_000) }],
  ])('%s: 400 with a short message', async (_, files) => {
    const answer = await deploy({ 'index.ts': `import './more.ts';\n${HELLO}`, 'more.ts': '', ...files });
    expect(answer.status).toBe(400);
    expect(answer.body.problems?.length).toBeLessThanOrEqual(100);
    expect((await deploy({ 'index.ts': HELLO })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['its own tsconfig.json', { 'tsconfig.json': '{"extends":"./tsconfig.json"}' }],
    ['types of types', { 'more.ts': `export type A = ${deep('Array<', '>', 300_000)};` }],
    ['a long line', { 'more.ts': `export const a = "${'a'.repeat(8_000_000)}";` }],
    ['a long list', { 'more.ts': `export const a = [${'1,'.repeat(1_000_000)}];` }],
    ['an uploaded source map', { 'more.ts': `//# sourceMappingURL=data:application/json,${'['.repeat(1_000_000)}` }],
    [
      'a source map with many mappings',
      {
        'more.js': '//# sourceMappingURL=more.js.map',
        'more.js.map': `{"version":3,"mappings":"${';A'.repeat(2_000_000)}"}`,
      },
    ],
  ])('%s is built', async (_, files) => {
    const answer = await deploy({
      'index.ts': `import * as more from './more';\nexport default () => typeof more;`,
      'more.ts': '',
      ...files,
    });
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  });
});

describe('Python', TWO_BUILDS, () => {
  it.each<[string, string]>([
    ['brackets', `x = ${deep('(', ')', 300_000)}`],
    ['operators', `x = ${'-'.repeat(3_000_000)}1`],
    ['blocks', Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}if 1:\n`).join('')],
    ['members', `x = a${'.b'.repeat(1_000_000)}`],
    ['a power', 'x = 9**9**9**9'],
  ])('%s: 400 or a version, and the next deploy works', async (_, text) => {
    const handler = 'def handler(event, context):\n    return "hello"\n';
    const answer = await deploy({ 'main.py': `${text}\n${handler}` }, 'python3.12');
    expect([200, 400], answer.body.message).toContain(answer.status);
    expect((await deploy({ 'main.py': handler }, 'python3.12')).status).toBe(200);
  });
});

it('the report of what the code accesses works for any text', async () => {
  const texts = [
    deep('(', ')', 20_000),
    '!'.repeat(40_000) + 1,
    `a${'.b'.repeat(40_000)}`,
    `[${'1,'.repeat(500_000)}]`,
  ];
  for (const text of texts) {
    const fn = await makeFunction(service, `export default () => 1;\nexport const x = () => ${text};\nprocess.env.A;`);
    const answer = await service.api<{ trust: { env: { name: string }[]; unknown: { text: string }[] } }>(
      'GET',
      `/functions/${fn.function_id}/trust`,
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { env, unknown } = answer.body.trust;
    expect(env.length + unknown.length).toBeGreaterThan(0);
  }
});

it('an account with too many queued builds gets a 429, another does not', async () => {
  const slow = deploy({ 'index.ts': `import './big.ts';\n${HELLO}`, 'big.ts': `x = [${'a(),'.repeat(1_000_000)}];` });
  const other = await service.secondAccount();
  const many = Array.from({ length: 50 }, () => deploy({ 'index.ts': HELLO }));
  const beside = await deploy({ 'index.ts': HELLO }, 'nodejs24.x', other.key);
  const answers = await Promise.all([slow, ...many]);
  expect(beside.status).toBe(200);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) {
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
});
