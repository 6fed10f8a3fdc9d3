import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing.ts';
import { buildVersion, type Source } from './build.ts';
import { BuildError } from './build-error.ts';

const HANDLER = 'export default { fetch: () => new Response() };';

async function problemsOf(source: Source) {
  const error = await buildVersion(source).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(BuildError);
  return (error as BuildError).problems;
}

test('TypeScript files become one module with a map back to each', async () => {
  const built = await buildVersion({
    files: {
      'src/index.ts':
        "import { greet } from './greet.js';\nexport const handler = (e: { who: string }) => greet(e.who);",
      'src/greet.ts':
        "import data from '../data.json';\nexport const greet = (who: string): string => data.hello + who;",
      'data.json': '{"hello": "Hello "}',
    },
    handler: 'src/index.handler',
  });
  const module = await import(`data:text/javascript,${encodeURIComponent(built.code)}`);
  expect(module.handler({ who: 'you' })).toBe('Hello you');
  expect(JSON.parse(built.map).sources.sort()).toEqual(['data.json', 'src/greet.ts', 'src/index.ts']);
  expect(built).toMatchObject({ entry: 'src/index.ts', handler: 'src/index.handler' });
});

test.each([
  ['index.ts', 'index.default'],
  ['index.mjs', 'index.default'],
  ['src/index.tsx', 'src/index.default'],
  ['main.js', 'main.default'],
])('%s is found without a handler', async (file, handler) => {
  expect(await buildVersion({ files: { [file]: HANDLER } })).toMatchObject({ entry: file, handler });
});

test.each([
  ['src/my.api.run', 'src/my.api.ts'],
  ['api.run', 'api/index.js'],
  ['api.mjs.run', 'api.mjs'],
])('the handler %s is in %s', async (handler, file) => {
  expect(await buildVersion({ files: { [file]: 'export function run() {}' }, handler })).toMatchObject({ entry: file });
});

test('CommonJS with require of built-in modules runs as a module', async () => {
  const files = {
    'index.js': "const { sep } = require('path');\nexports.handler = () => require('./b') + sep;",
    'b.cjs': 'module.exports = 1',
  };
  const { code } = await buildVersion({ files, handler: 'index.handler' });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(module.default.handler()).toBe('1/');
});

test('bare names of built-in modules are imported from node:', async () => {
  const { code } = await buildVersion({
    files: { 'index.js': `import { join } from 'path/posix';\n${HANDLER}\njoin('a');` },
  });
  expect(code).toContain('from "node:path/posix"');
});

test('a syntax error is reported with file, line and column', async () => {
  const files = { 'index.ts': `import './b.ts';\n${HANDLER}`, 'b.ts': "export const é = 'ß';\nlet é2 = 'ß', y: = 3;" };
  expect(await problemsOf({ files })).toEqual([{ file: 'b.ts', line: 2, column: 18, text: 'Unexpected "="' }]);
});

test.each([
  ['lodash', 'There is no package "lodash"'],
  ['./nope', 'There is no file "nope"'],
  ['b', 'is a file of this function'],
  ['../../../../etc/passwd', "is outside the function's files"],
  ['..', "is outside the function's files"],
  ['/etc/passwd', 'is an absolute path'],
  ['file:///etc/passwd', 'file: imports are not possible'],
  ['https://example.com/a.js', 'https: imports are not possible'],
  ['npm:left-pad', 'npm: imports are not possible'],
  ['data:text/javascript,1', 'data: imports are not possible'],
  ['node:nope', 'is not a built-in module'],
])('the import of %s is rejected with its position', async (specifier, text) => {
  for (const line of [
    `import ${JSON.stringify(specifier)};`,
    `export * from ${JSON.stringify(specifier)};`,
    `import(${JSON.stringify(specifier)});`,
  ]) {
    const problems = await problemsOf({ files: { 'index.ts': `${HANDLER}\n${line}`, 'b.ts': '' } });
    expect(problems).toEqual([
      expect.objectContaining({ file: 'index.ts', line: 2, text: expect.stringContaining(text) }),
    ]);
  }
});

test('a source map comment reads nothing from this machine', async () => {
  const secret = path.join(tempFolder(), 'secret.map');
  for (const content of [
    'top secret {',
    '{"version":3,"sources":["x"],"sourcesContent":["top secret"],"mappings":"AAAA"}',
  ]) {
    writeFileSync(secret, content);
    for (const comment of [
      `//# sourceMappingURL=file://${secret}`,
      `/*# sourceMappingURL=file://${secret} */`,
      `//# sourceMappingURL=../../../../..${secret}`,
    ]) {
      const built = await buildVersion({ files: { 'index.ts': `${HANDLER}\n${comment}\n` } });
      expect(JSON.parse(built.map).sources).toEqual(['index.ts']);
      expect(JSON.stringify(built)).not.toContain('top secret');
    }
  }
});

test.each<[string, Record<string, string>, unknown]>([
  [
    'legacy decorators',
    {
      'index.ts':
        'const d = (_: object, key: string, it: PropertyDescriptor) => void (it.value = () => "decorated " + key);\nclass A {\n  @d m() {}\n}\nexport default () => new A().m();',
      'tsconfig.json': '{\n  // as in TypeScript 4\n  "compilerOptions": { "experimentalDecorators": true, },\n}',
    },
    'decorated m',
  ],
  [
    'a JSX factory',
    {
      'index.tsx': 'import { h } from "./h";\nexport default () => <b>x</b>;',
      'h.ts': 'export const h = (tag: string, _: unknown, ...inner: string[]) => tag + "(" + inner + ")";',
      'tsconfig.json': '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h" } }',
    },
    'b(x)',
  ],
  [
    'paths',
    {
      'src/index.ts': 'import { a } from "@/lib/a";\nimport b from "~b";\nexport default () => a + b;',
      'src/lib/a.ts': 'export const a = "a";',
      'src/b/index.ts': 'export default "b";',
      'tsconfig.json':
        '{ "extends": "../../etc/tsconfig.json", "compilerOptions": { "baseUrl": "./src", "paths": { "*": ["../../*"], "@/*": ["none/*", "*"], "~b": ["b"] } } }',
    },
    'ab',
  ],
])('%s are read from tsconfig.json', async (_, files, expected) => {
  const { code } = await buildVersion({ files });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(module.default()).toBe(expected);
});

test('an invalid tsconfig.json is reported', async () => {
  expect(await problemsOf({ files: { 'index.ts': HANDLER, 'tsconfig.json': '{' } })).toEqual([
    { file: 'tsconfig.json', line: 1, column: 1, text: expect.stringContaining('Expected JSON') },
  ]);
});

test('an import of a computed path reads no file of this machine', async () => {
  const folder = tempFolder();
  writeFileSync(path.join(folder, 'secret.json'), '{"top":"secret"}');
  const near = path.relative(process.cwd(), folder);
  for (const up of ['.', '../..', near, `${'../'.repeat(20)}.${folder}`, `${'../'.repeat(600)}.${folder}`])
    for (const code of [
      `(name) => import(\`./${up}/\${name}.json\`)`,
      `(name) => require("./${up}/" + name + ".json")`,
      `(name) => import(name ? "./${up}/" + name : "./x")`,
      `(name) => requ\\u0069re(\`./${up}/\${name}\`)`,
    ]) {
      const [problem, ...more] = await problemsOf({ files: { 'index.js': `export default ${code};` } });
      expect([problem?.file, problem?.line, more.length <= 1]).toEqual(['index.js', 1, true]);
      expect(problem?.text).toMatch(/computed at run time|There is no such file/);
      expect(JSON.stringify(problem)).not.toMatch(/secret|package\.json/);
    }
});

test('a string that mentions source maps is unchanged', async () => {
  const { code } = await buildVersion({ files: { 'index.js': 'export default () => "sourceMappingURL=";' } });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(module.default()).toBe('sourceMappingURL=');
});

test.each([
  [{ 'index.ts': 'export const run = 1, stop = 2;' }, 'index.default', 'index.ts exports run and stop'],
  [{ 'index.ts': 'export type run = 1;' }, 'index.run', 'index.ts exports nothing'],
  [{ 'index.js': 'exports.run = () => 1;' }, 'index.walk', 'needs an export "walk"'],
  [{ 'a.ts': HANDLER, 'b.txt': '' }, 'b.default', 'needs a file "b"; found a.ts'],
  [{ 'a.ts': HANDLER }, undefined, 'Expected a file index.ts'],
  [{ 'a.ts': HANDLER }, 'default', 'should be a file and an export'],
  [{ 'a.ts': HANDLER }, '.default', 'should be a file and an export'],
] as [Record<string, string>, string | undefined, string][])('%j has no handler %s', async (files, handler, text) => {
  expect(await problemsOf({ files, handler })).toEqual([
    expect.objectContaining({ line: 1, text: expect.stringContaining(text) }),
  ]);
});

test.each(['../a.ts', '/a.ts', 'a/../b.ts', './a.ts', 'a//b.ts', 'a\\b.ts', 'a/', '..'])(
  'the path %s is rejected',
  async (file) => {
    expect(await problemsOf({ files: { 'index.ts': HANDLER, [file]: '' } })).toEqual([
      expect.objectContaining({ file, text: expect.stringContaining('relative path') }),
    ]);
  },
);

test('too many files, too many bytes and names that differ in case only are rejected', async () => {
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}.ts`, '']));
  expect((await problemsOf({ files: many }))[0]?.text).toContain('at most 1000 files, got 1001');
  expect((await problemsOf({ files: { 'index.ts': ' '.repeat(10 * 1024 ** 2 + 1) } }))[0]?.text).toContain(
    '10485760 bytes',
  );
  expect((await problemsOf({ files: { 'index.ts': HANDLER, 'Index.ts': '' } }))[0]?.text).toContain(
    'differ in case only',
  );
});
