import { expect, onTestFinished, test } from 'vitest';
import { AtCapacity } from '../../at-capacity.ts';
import { begin, call, LANGUAGE_CACHE, openRuntime, pythonSpec, specOf } from '../../testing.ts';

const MAKING_MS = 120_000;
const WAITING = `import asyncio
async def handler(event, context):
    await asyncio.Event().wait()
`;

test(
  'Python has a fifth of the processes: an idle one is replaced by the next, and other languages keep theirs',
  async () => {
    const runtime = await openRuntime({ languageCache: LANGUAGE_CACHE, shares: { processes: 5 }, spares: 0 });
    onTestFinished(() => runtime.close());
    const processes = () => runtime.stats().processes.map(({ key, in_flight }) => `${key} ${in_flight}`);
    const other = await specOf('export default () => "javascript"');
    expect((await call(runtime, other)).status).toBe(200);
    for (const text of ['one', 'two']) {
      const spec = pythonSpec(`def handler(event, context):\n    return "${text}"\n`);
      expect((await call(runtime, spec, { timeoutMs: MAKING_MS })).body).toContain(text);
      await expect.poll(() => processes()).toEqual([`${other.key} 0`, `${spec.key} 0`]);
    }
    const busy = pythonSpec(WAITING);
    const waiting = begin(runtime, busy, { timeoutMs: MAKING_MS });
    await expect.poll(() => processes()).toEqual([`${other.key} 0`, `${busy.key} 1`]);
    await expect(begin(runtime, pythonSpec(WAITING))).rejects.toThrow(AtCapacity);
    expect((await call(runtime, await specOf('export default () => "more"'))).status).toBe(200);
    await runtime.stopRuns();
    expect((await waiting).answer.status).toBe(503);
  },
  MAKING_MS,
);
