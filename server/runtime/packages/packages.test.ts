/** Functions with packages from a test registry, with locks written by npm. */
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildVersion } from '../build/build.ts';
import { BuildError } from '../build/build-error.ts';
import type { Runtime } from '../runtime.ts';
import { call, openRuntime, specOf, tempFolder } from '../testing.ts';
import { type NpmRegistry, type Sources, startNpmRegistry } from './npm-registry.ts';
import { createRegistry } from './registry.ts';

const one = (
  name: string,
  version: string,
  manifest: Record<string, unknown>,
  files: Record<string, string>,
): Sources => ({
  manifest: { name, version, ...manifest },
  files,
});

/** Too long for a tar header: one is split in two parts, the other needs an extended header. */
const LONG = `${'deep/'.repeat(25)}end.js`;
const LONGER = `${'x'.repeat(150)}.js`;
const PACKAGES = [
  one(
    'classic',
    '1.2.3',
    { main: 'lib', scripts: { install: 'touch /tmp/sluice-install-script-ran' } },
    {
      'lib/index.js':
        "const { sep } = require('path'); const other = require('@scope/dual'); exports.hello = (who) => other.hello(who) + sep + __dirname;",
    },
  ),
  one(
    '@scope/dual',
    '2.0.0',
    {
      exports: {
        '.': { import: './esm/index.js', require: './index.cjs' },
        './part/*': './parts/*.js',
        './hidden/*': null,
        './far': `./${LONG}`,
        './farther': `./${LONGER}`,
        './data': './data.json',
      },
      imports: { '#inner': { node: './inner.cjs', default: './nothing.js' } },
      sideEffects: false,
    },
    {
      'index.cjs': "exports.kind = 'cjs'; exports.hello = (who) => 'hello ' + who + ' ' + require('#inner');",
      'inner.cjs': "module.exports = 'inside';",
      'esm/package.json': '{"type":"module"}',
      'esm/index.js':
        "export { hello } from '../parts/a.js'; import babel from 'babelled'; export const kind = 'esm ' + babel.default;",
      'parts/a.js': "exports.hello = (who) => 'part ' + who;",
      'parts/hidden/b.js': 'exports.b = 1;',
      'data.json': '{"answer":42}',
      [LONG]: "module.exports = 'far';",
      [LONGER]: "module.exports = 'farther';",
    },
  ),
  one('babelled', '1.0.0', {}, { 'index.js': 'exports.__esModule = true; exports.default = "default";' }),
  one(
    'optional',
    '1.0.0',
    {},
    {
      'index.js':
        "let found; try { found = require('not-there'); } catch (error) { found = error.code; } let file; try { require('./build/native.node'); } catch (error) { file = error.code; } module.exports = [found, file];",
      'build/native.node': 'native',
    },
  ),
  one(
    'worldly',
    '1.0.0',
    {},
    {
      'index.js':
        "const load = (name) => { const é = 'é'; try { return require('./locale/' + name + '.js'); } catch (error) { return [error.code, require('../package' + name + '.json')]; } };\nmodule.exports = load;",
      'locale/en.js': 'module.exports = 1;',
    },
  ),
  one(
    'needy',
    '1.0.0',
    {},
    {
      'index.mjs': "import 'not-there';\nexport const x = 1;",
      'broken.js': 'let = = 1;',
      'up.js': "require('../../../../etc/passwd')",
    },
  ),
  one('shared', '1.0.0', {}, { 'index.js': "module.exports = 'shared 1';" }),
  one('shared', '2.0.0', {}, { 'index.js': "module.exports = 'shared 2';" }),
  one(
    'old',
    '1.0.0',
    { dependencies: { shared: '1.0.0' } },
    { 'index.js': "module.exports = 'old with ' + require('shared');" },
  ),
  one('looping', '1.0.0', { exports: { './*': './*.js', './*((a+)+)+$': './x.js' } }, { 'x.js': 'module.exports = 1' }),
];
const DEPENDENCIES = {
  classic: '^1.0.0',
  '@scope/dual': '2.0.0',
  babelled: '1.0.0',
  optional: '1.0.0',
  worldly: '1.0.0',
  needy: '1.0.0',
  shared: '2.0.0',
  old: '1.0.0',
  other: 'npm:shared@1.0.0',
  looping: '1.0.0',
};

let npm: NpmRegistry;
let lock: Record<string, string>;
let runtime: Runtime;
beforeAll(async () => {
  npm = await startNpmRegistry(PACKAGES);
  [lock, runtime] = await Promise.all([npm.lock(DEPENDENCIES), openRuntime()]);
});
afterAll(async () => {
  await runtime.close();
  npm.close();
});

const registryOf = (folder = tempFolder()) => createRegistry(npm.address, folder);

/** Publishes and calls a function with the packages above. */
async function answerOf(code: string) {
  const spec = await specOf({ ...lock, 'index.ts': code }, { registry: registryOf() });
  const { body, finish } = await call(runtime, spec);
  return { body: finish.error ? undefined : JSON.parse(body), error: finish.error };
}

async function problemsOf(code: string, { files = lock, registry = registryOf() } = {}) {
  const thrown: unknown = await buildVersion({ files: { ...files, 'index.ts': code } }, registry).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(BuildError);
  return (thrown as BuildError).problems;
}

test.each([
  [
    'CommonJS with built-in modules and its own packages',
    "import { hello } from 'classic'; export default () => hello('you');",
    'hello you inside//function',
  ],
  [
    'the module that a package exports for import',
    "import * as dual from '@scope/dual'; export default () => [dual.kind, dual.hello('me')];",
    ['esm default', 'part me'],
  ],
  [
    'the module that it exports for require',
    "const dual = require('@scope/dual'); export default () => dual.kind;",
    'cjs',
  ],
  ['a path by a pattern', "import { hello } from '@scope/dual/part/a'; export default () => hello('it');", 'part it'],
  ['a JSON file', "import data from '@scope/dual/data'; export default () => data;", { answer: 42 }],
  [
    'paths longer than a tar header has room for',
    "import far from '@scope/dual/far'; import farther from '@scope/dual/farther'; export default () => [far, farther];",
    ['far', 'farther'],
  ],
  [
    'a package that tries a missing module',
    "import tried from 'optional'; export default () => tried;",
    ['MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'],
  ],
  [
    'two versions of one package',
    "import shared from 'shared'; import old from 'old'; export default () => [shared, old];",
    ['shared 2', 'old with shared 1'],
  ],
  ['another name for a package', "import other from 'other'; export default () => other;", 'shared 1'],
  ['an import at run time', "export default async () => (await import('shared')).default;", 'shared 2'],
])('%s', async (_, code, body) => {
  expect(await answerOf(code)).toEqual({ body, error: undefined });
});

test('only packages that the code imports are fetched, each once', async () => {
  const folder = tempFolder();
  const build = () =>
    buildVersion({ files: { ...lock, 'index.ts': "import 'classic'; export default () => 1;" } }, registryOf(folder));
  npm.asked.length = 0;
  const first = await build();
  expect(npm.asked.toSorted()).toEqual(['/@scope/dual/-/dual-2.0.0.tgz', '/classic/-/classic-1.2.3.tgz']);
  npm.asked.length = 0;
  expect((await build()).code).toBe(first.code);
  expect(npm.asked).toEqual([]);
});

test('a cached tarball that was modified is fetched again', async () => {
  const folder = tempFolder();
  const build = () =>
    buildVersion(
      { files: { ...lock, 'index.ts': "import x from 'shared'; export default () => x;" } },
      registryOf(folder),
    );
  const { code } = await build();
  for (const name of readdirSync(folder)) writeFileSync(path.join(folder, name), 'evil');
  npm.asked.length = 0;
  expect((await build()).code).toBe(code);
  expect(npm.asked).toEqual(['/shared/-/shared-2.0.0.tgz']);
});

test('cached tarballs beyond the limit are evicted, the oldest first', async () => {
  const folder = tempFolder();
  const registry = createRegistry(npm.address, folder, 1);
  for (const name of ['shared', 'old'])
    await buildVersion(
      { files: { ...lock, 'index.ts': `import x from '${name}'; export default () => x;` } },
      registry,
    );
  expect(readdirSync(folder).length).toBeLessThanOrEqual(1);
});

test('no script of a package runs', async () => {
  await answerOf("import { hello } from 'classic'; export default () => hello('x');");
  expect(readdirSync('/tmp')).not.toContain('sluice-install-script-ran');
});

test('a stack trace shows the files of packages', async () => {
  const { error } = await answerOf(
    "import { hello } from 'classic'; export default () => hello({ toString() { throw new Error('deep'); } });",
  );
  expect(error?.stack).toMatch(/at .*node_modules\/@scope\/dual\/index\.cjs:1:\d+/);
});

test.each([
  ['not-there', 'There is no package "not-there" in package-lock.json; add it with npm install'],
  ['@scope/dual/hidden/b', 'The package "@scope/dual" 2.0.0 has no "./hidden/b" to import'],
  ['@scope/dual/index.cjs', 'has no "./index.cjs" to import'],
  ['classic/../../../etc/passwd', 'is not the name of a package'],
  ['classic/nope', 'The package "classic" 1.2.3 has no "./nope" to import'],
  [`looping/${'a'.repeat(50)}!`, 'The package "looping" 1.0.0 has no'],
  ['..%2f', 'is not the name of a package'],
])('the import of %s is rejected with its position', async (specifier, text) => {
  expect(await problemsOf(`export default () => 1;\nimport ${JSON.stringify(specifier)};`)).toEqual([
    { file: 'index.ts', line: 2, column: 8, text: expect.stringContaining(text) },
  ]);
});

test.each([
  [
    'needy/index.mjs',
    {
      file: 'node_modules/needy/index.mjs',
      line: 1,
      column: 8,
      text: 'There is no package "not-there" in package-lock.json, which needy needs; add it with npm install',
    },
  ],
  ['needy/broken.js', { file: 'node_modules/needy/broken.js', line: 1, column: 7, text: 'Unexpected "="' }],
])('a problem in %s is reported with its position', async (specifier, problem) => {
  expect(await problemsOf(`import '${specifier}'; export default () => 1;`)).toEqual([problem]);
});

test('a package reads no file outside of its folder', async () => {
  const { code } = await buildVersion(
    { files: { ...lock, 'index.ts': "import 'needy/up.js'; export default () => 1;" } },
    registryOf(),
  );
  expect(code).not.toContain('root:');
  expect(code).toContain('Cannot find module');
});

test('a computed import of a package reads no file of this machine, and fails at run time', async () => {
  const { code } = await buildVersion(
    { files: { ...lock, 'index.ts': "import load from 'worldly'; export default () => load('en');" } },
    registryOf(),
  );
  expect(code).not.toContain('"dependencies"');
  const { error } = await answerOf("import load from 'worldly'; export default () => load('en');");
  expect(error?.message).toMatch(/package.*en\.json/);
});

const SHARED = "import 'shared'; export default () => 1;";
/** The lock with one entry changed. */
function changed(change: Record<string, unknown>): Record<string, string> {
  const value = JSON.parse(lock['package-lock.json'] ?? '');
  Object.assign(value.packages['node_modules/shared'], change);
  return { ...lock, 'package-lock.json': JSON.stringify(value) };
}
const digest = `sha512-${createHash('sha512').update('other').digest('base64')}`;

test.each([
  [{ integrity: digest }, 'its tarball in the registry does not match package-lock.json'],
  [{ integrity: undefined }, 'names no sha512 digest'],
  [{ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'names no sha512 digest'],
  [
    { resolved: 'http://169.254.169.254/shared.tgz' },
    'package-lock.json resolves it from http://169.254.169.254, not from 127.0.0.1',
  ],
  [{ resolved: 'git+ssh://git@github.com/a/b.git#abc' }, 'package-lock.json resolves it from git+ssh://github.com'],
  [{ resolved: 'file:../shared' }, 'package-lock.json resolves it from file://'],
  [{ link: true }, 'it is a link to a folder'],
  [{ version: '2.0.9', resolved: undefined }, 'returned 404 for /shared/-/shared-2.0.9.tgz'],
  [{ version: '../../x' }, 'expected the name and version of a package'],
  [{ name: '../x' }, 'expected the name and version of a package'],
])('a lock with %j is rejected with the name of the package', async (change, text) => {
  const problems = await problemsOf(SHARED, { files: changed(change) });
  expect(problems).toEqual([{ file: 'index.ts', line: 1, column: 8, text: expect.stringContaining(text) }]);
  expect(problems[0]?.text).toContain('shared');
});

test('a URL of the public registry means the configured one', async () => {
  const files = changed({ resolved: 'https://registry.npmjs.org/shared/-/shared-2.0.0.tgz' });
  const { code } = await buildVersion({ files: { ...files, 'index.ts': SHARED } }, registryOf());
  expect(code).toContain('shared 2');
});

test.each([
  ['{', 'Expected JSON'],
  ['{"lockfileVersion":1,"dependencies":{}}', 'lockfileVersion 2 or 3'],
  ['[]', 'lockfileVersion 2 or 3'],
])('%s is not a lock', async (text, message) => {
  expect(await problemsOf(SHARED, { files: { 'package-lock.json': text } })).toEqual([
    { file: 'package-lock.json', line: 1, column: 1, text: expect.stringContaining(message) },
  ]);
});

test('without a lock the missing file is named', async () => {
  expect((await problemsOf(SHARED, { files: { 'package.json': '{"dependencies":{"shared":"1"}}' } }))[0]?.text).toBe(
    'There is no package "shared"; a function has its own files, Node\'s built-in modules and the packages of its package-lock.json; where package.json names it, package-lock.json is missing',
  );
});

test('a registry that is unreachable, returns garbage or an endless body is reported with the package', async () => {
  const away = createRegistry('http://127.0.0.1:1', tempFolder());
  const files = changed({ resolved: undefined });
  expect((await problemsOf(SHARED, { files, registry: away }))[0]?.text).toMatch(
    /"shared" 2\.0\.0 .*can't be reached \(ECONNREFUSED\)/,
  );
  const rubbish = Buffer.from('rubbish');
  npm.instead.set('shared-2.0.0.tgz', (send) => send(200, rubbish));
  const integrity = `sha512-${createHash('sha512').update(rubbish).digest('base64')}`;
  expect((await problemsOf(SHARED, { files: changed({ integrity }) }))[0]?.text).toContain('its tarball is damaged');
  npm.instead.set('shared-2.0.0.tgz', (send) => send(200, Buffer.alloc(31 * 1024 * 1024)));
  expect((await problemsOf(SHARED))[0]?.text).toContain('its tarball has more than');
  npm.instead.clear();
});
