import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Runtime } from './runtime.ts';
import { call, openRuntime, specOf } from './testing.ts';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await openRuntime();
});
afterAll(() => runtime.close());

test('fifty concurrent runs each get exactly their lines, in order', async () => {
  const spec = await specOf(
    `import { later } from './later';
    let arrived = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => { open = resolve; });
    export default async ({ path }: { path: string }) => {
      console.log(path, 'begins');
      if (++arrived === 50) open();
      await all;
      for (let n = 0; n < 20; n++) {
        if (n % 3 === 0) await later(n);
        console.warn(path, n);
        queueMicrotask(() => console.debug(path, 'micro', n));
        await null;
      }
      await new Promise<void>((resolve) => setTimeout(() => { console.error(path, 'timer'); resolve(); }, 0));
      return path;
    };`.replace(
      "import { later } from './later';",
      'const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));',
    ),
  );
  const paths = Array.from({ length: 50 }, (_, index) => `/run-${index}`);
  const runs = await Promise.all(paths.map((path) => call(runtime, spec, { path })));
  for (const [index, { said, body }] of runs.entries()) {
    const path = paths[index];
    expect(body).toBe(`"${path}"`);
    const expected = Array.from({ length: 20 }, (_, n) => [`${path} ${n}`, `${path} micro ${n}`]).flat();
    expect(said).toEqual([`${path} begins`, ...expected, `${path} timer`]);
  }
});

test('console as in Node: levels, marks, objects, groups, counts; process.stdout and Deno.stderr too', async () => {
  const spec = await specOf(`import { writeSync } from 'node:fs';
    export default () => {
      console.log('%s is %d, %i%%, %j', 'x', 1.5, '7.9', { a: 1 }, 'rest', [1]);
      console.info({ a: new Map([[1, 2]]) });
      console.group('outer');
      console.debug('two\\nlines');
      console.groupEnd();
      console.trace('traced');
      console.count(); console.count();
      console.assert(1 === 2 as boolean, 'sums');
      console.assert(true);
      process.stdout.write('from process\\n');
      Deno.stderr.writeSync(new TextEncoder().encode('from Deno\\n'));
      writeSync(1, 'straight to the pipe\\n');
      console.log();
    };`);
  const { lines } = await call(runtime, spec);
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ['info', 'x is 1.5, 7%, {"a":1} rest [ 1 ]'],
    ['info', '{ a: Map(1) { 1 => 2 } }'],
    ['info', 'outer'],
    ['debug', '  two\n  lines'],
    ['debug', 'traced'],
    ['info', 'default: 1'],
    ['info', 'default: 2'],
    ['error', 'Assertion failed: sums'],
    ['info', 'from process'],
    ['error', 'from Deno'],
    ['info', 'straight to the pipe'],
    ['info', ''],
  ]);
  expect(lines.every(({ timestamp }, index) => timestamp >= (lines[index - 1]?.timestamp ?? 0))).toBe(true);
});

test('an error in a timer is reported to the run that set it, even with concurrent and earlier runs', async () => {
  const spec = await specOf(`export default async ({ path }: { path: string }) => {
      setTimeout(() => { throw new Error('by timeout of ' + path) }, 5);
      const interval = setInterval(() => { clearInterval(interval); throw new Error('by interval of ' + path) }, 5);
      setImmediate(() => { throw new Error('at once of ' + path) });
      await new Promise((resolve) => setTimeout(resolve, 30));
    };`);
  await call(runtime, spec);
  const runs = await Promise.all(['/a', '/b'].map((path) => call(runtime, spec, { path })));
  for (const [index, path] of ['/a', '/b'].entries())
    expect(runs[index]?.said.map((text) => text.split('\n')[0]).sort()).toEqual([
      `Uncaught Error: at once of ${path}`,
      `Uncaught Error: by interval of ${path}`,
      `Uncaught Error: by timeout of ${path}`,
    ]);
});

test('a long line of characters to escape is one line', async () => {
  const spec = await specOf("export default () => { console.log('\\u0001'.repeat(200_000)); console.log('next'); };");
  expect((await call(runtime, spec)).said.map(({ length }) => length)).toEqual([200_000, 4]);
});

test('a logged error shows positions in the files of the function', async () => {
  const spec = await specOf(
    "type A = 1;\n\nexport default () => {\n  console.error('failed:', new Error('here'));\n};",
  );
  expect((await call(runtime, spec)).said).toEqual(['failed: Error: here\n    at index_default (index.ts:4:28)']);
});

test('ten thousand lines are kept, then one says that the log was truncated', async () => {
  const spec = await specOf(
    'export default () => { for (let n = 0; n < 12_000; n++) console.log(n); throw new Error("still reported"); }',
  );
  const { said } = await call(runtime, spec);
  expect(said).toHaveLength(10_002);
  expect(said.slice(9_999)).toEqual([
    '9999',
    'Log truncated: a run keeps 10000 lines or 256 KB',
    expect.stringContaining('still reported'),
  ]);
});

test('lines that bypass the console count too', async () => {
  const spec = await specOf(
    "import { writeSync } from 'node:fs'; export default () => { for (let n = 0; n < 12_000; n++) writeSync(1, n + '\\n'); };",
  );
  expect((await call(runtime, spec)).said).toHaveLength(10_001);
});

test('256 KB are kept, and one huge line is dropped', async () => {
  const spec = await specOf(
    'export default ({ path }: { path: string }) => { if (path === "/one") console.log("x".repeat(5_000_000)); for (let n = 0; n < 400; n++) console.log("x".repeat(1024)); }',
  );
  expect((await call(runtime, spec)).said).toHaveLength(257);
  expect((await call(runtime, spec, { path: '/one' })).said).toEqual([expect.stringContaining('Log truncated')]);
});

test('a function that forges reports affects only itself', async () => {
  const spec = await specOf(`import { writeSync } from 'node:fs';
    const forged = ['x', [], ['end'], ['end', 'other'], ['throw', 'r', null], ['throw', 'r', { name: 1 }], ['log', 'r', 'now', 'loud', {}], ['pong'], ['ready']];
    export default async () => {
      for (const each of forged) writeSync(1, '\\x1e' + JSON.stringify(each) + '\\n');
      writeSync(1, '\\x1e{broken\\n');
      console.log('after');
      return 'ok';
    };`);
  const { body, finish, said } = await call(runtime, spec, { runId: 'r' });
  expect([body, finish.outcome, said.at(-1)]).toEqual(['"ok"', 'OK', 'after']);
});
