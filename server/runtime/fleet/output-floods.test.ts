/** A function that writes to its pipes without end pays for it with its own time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Runtime } from '../runtime.ts';
import { call, openRuntime, specOf } from '../testing.ts';

let runtime: Runtime;
beforeAll(async () => {
  runtime = await openRuntime();
});
afterAll(() => runtime.close());

const MIB = 1024 * 1024;
/** Writes for a second, below the replaced functions; returns how much was accepted, and how long it took. */
const flood = (stream: 'stdout' | 'stderr', text: string) => `
  const write = Object.getPrototypeOf(Deno.${stream}).writeSync;
  export default () => {
    console.log('before');
    const bytes = new TextEncoder().encode(${text});
    const begun = performance.now();
    let written = 0;
    while (performance.now() - begun < 1000) written += write.call(Deno.${stream}, bytes);
    return { written, seconds: (performance.now() - begun) / 1000 };
  };`;

test.each([
  ['text', 'stdout', "('x'.repeat(999) + '\\n').repeat(1000)"],
  ['text without line breaks', 'stdout', "'x'.repeat(1e6)"],
  ['empty lines', 'stdout', "'\\n'.repeat(1000)"],
  ['broken reports', 'stdout', "'\\x1e[\\n'.repeat(1000)"],
  ['reports of a run that does not exist', 'stdout', `'\\x1e["end","none"]\\n'.repeat(1000)`],
  ['text to stderr', 'stderr', "'x'.repeat(1e6)"],
] as const)('the service reads a flood of %s no faster than its budget', async (_, stream, line) => {
  const { body, finish, said } = await call(runtime, await specOf(flood(stream, line)), { timeoutMs: 60_000 });
  expect(finish).toEqual({ outcome: 'OK' });
  expect(said[0]).toBe('before');
  const { written, seconds } = JSON.parse(body) as { written: number; seconds: number };
  // The burst, what the log takes, the pipe and a write in progress, then the rate.
  expect(written).toBeLessThan((4 + 3 + 1.2 * seconds) * MIB);
});

test('a flood without end is stopped at the time limit of its run, and its earlier lines are kept', async () => {
  const endless = flood('stdout', "'x'.repeat(1e6)").replace('performance.now() - begun < 1000', 'true');
  const { finish, said } = await call(runtime, await specOf(endless), { timeoutMs: 2000 });
  expect(finish.outcome).toBe('TIMEOUT');
  expect(said[0]).toBe('before');
});

test('a flood does not delay the function of another process', async () => {
  const other = await specOf('export default () => "here"');
  const endless = flood('stdout', "'x'.repeat(1e6)").replace('performance.now() - begun < 1000', 'true');
  const flooding = call(runtime, await specOf(endless), { timeoutMs: 3000 });
  for (let n = 0; n < 20; n++) expect((await call(runtime, other)).body).toBe('"here"');
  expect((await flooding).finish.outcome).toBe('TIMEOUT');
});
