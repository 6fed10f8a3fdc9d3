/** The shares of accounts, with real processes. */
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { AtCapacity, ShareUsed } from '../at-capacity.ts';
import type { Runtime } from '../runtime.ts';
import { begin, call, openRuntime, SANDBOXES, specOf } from '../testing.ts';

const MIB = 1024 * 1024;
const opened: Runtime[] = [];
async function open(options: Parameters<typeof openRuntime>[0] = {}) {
  const runtime = await openRuntime(options);
  opened.push(runtime);
  return runtime;
}
afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.close();
});

const HOLD = 'export default { async fetch(request: Request) { return new Response(await request.text()); } };';
const FINE = 'export default () => "fine"';

describe('processes', () => {
  it('of one account leave some for others, and idle ones count towards none', async () => {
    const runtime = await open({ shares: { processes: 4, accountProcesses: 3 }, spares: 0 });
    const uploads = [new PassThrough(), new PassThrough(), new PassThrough()];
    const specs = await Promise.all(uploads.map(() => specOf(HOLD, { account_id: 'a' })));
    const idle = await specOf(FINE, { account_id: 'a' });
    await call(runtime, idle);
    const held = specs.map((spec, n) => call(runtime, spec, { method: 'POST', body: uploads[n] ?? Buffer.of() }));
    await expect.poll(() => runtime.stats().processes.filter(({ in_flight }) => in_flight > 0)).toHaveLength(3);
    await expect(begin(runtime, idle)).rejects.toThrow(ShareUsed);
    await expect(begin(runtime, idle)).rejects.toThrow("The account's share is used up: 3 of 4 function processes");
    expect(await call(runtime, await specOf(FINE, { account_id: 'b' }))).toMatchObject({ body: '"fine"' });
    for (const upload of uploads) upload.end('x');
    for (const each of held) expect(await each).toMatchObject({ body: 'x' });
    expect(await call(runtime, idle)).toMatchObject({ body: '"fine"' });
  });

  it('that are all busy with runs of others are no share of the account', async () => {
    const runtime = await open({ shares: { processes: 1 }, spares: 0 });
    const upload = new PassThrough();
    const held = call(runtime, await specOf(HOLD, { account_id: 'a' }), { method: 'POST', body: upload });
    await expect.poll(() => runtime.stats().processes[0]?.in_flight).toBe(1);
    const refused = begin(runtime, await specOf(FINE, { account_id: 'b' }));
    await expect(refused).rejects.toThrow(AtCapacity);
    await expect(refused).rejects.not.toThrow(ShareUsed);
    upload.end('x');
    await held;
  });
});

describe.skipIf(process.platform !== 'linux').each(SANDBOXES)('in %s', (sandbox) => {
  const BUFFERS = (mib: number) =>
    `let kept: Uint8Array[] = [];
    export default async () => {
      for (let n = 0; n < ${mib / 4}; n++) kept.push(new Uint8Array(${4 * MIB}).fill(1));
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    };`;

  it('buffers count towards the memory of a process, which is ended with a message that names the limit', async () => {
    const runtime = await open({ sandbox, shares: { processBytes: 200 * MIB } });
    const other = await specOf(FINE);
    await call(runtime, other);
    const { status, finish, said } = await call(runtime, await specOf(BUFFERS(300)), { timeoutMs: 60_000 });
    const message = 'The function used more than its 200 MB of memory, heap and buffers together';
    expect([status, finish.error]).toEqual([500, { name: 'OutOfMemory', message, stack: null }]);
    expect(said).toEqual([message]);
    expect(await call(runtime, other)).toMatchObject({ body: '"fine"' });
  });

  it('the processes of an account have a share of memory: idle ones end first, then the largest', async () => {
    const runtime = await open({ sandbox, shares: { accountBytes: 400 * MIB }, spares: 0 });
    const idle = await specOf(FINE, { account_id: 'a' });
    await call(runtime, idle);
    const small = begin(runtime, await specOf(BUFFERS(100), { account_id: 'a' }), { timeoutMs: 60_000 });
    const large = await call(runtime, await specOf(BUFFERS(350), { account_id: 'a' }), { timeoutMs: 60_000 });
    expect(large.finish.error).toMatchObject({
      name: 'OutOfMemory',
      message: expect.stringContaining('more than their 400 MB of memory together'),
    });
    expect(runtime.stats().processes.map(({ key, in_flight }) => [key === idle.key, in_flight])).toEqual([[false, 1]]);
    expect(await call(runtime, await specOf(FINE, { account_id: 'b' }))).toMatchObject({ body: '"fine"' });
    await runtime.stopRuns();
    await small;
  });

  it('a new process needs memory of the share', async () => {
    const runtime = await open({ sandbox, shares: { accountBytes: 60 * MIB }, spares: 0 });
    const upload = new PassThrough();
    const held = call(runtime, await specOf(HOLD, { account_id: 'a' }), { method: 'POST', body: upload });
    await expect(begin(runtime, await specOf(FINE, { account_id: 'a' }))).rejects.toThrow(/of 60 MB of memory/);
    expect(await call(runtime, await specOf(FINE, { account_id: 'b' }))).toMatchObject({ body: '"fine"' });
    upload.end('x');
    await held;
  });

  it('loops of an account get a low priority, and other accounts the normal one', async () => {
    const runtime = await open({ sandbox, shares: { accountCpu: 0.1 }, spares: 0 });
    const loop = await specOf(
      `export default ({ path }: { path: string }) => {
        const endMs = performance.now() + Number(path.slice(1));
        while (performance.now() < endMs);
        return 'over';
      };`,
      { account_id: 'a' },
    );
    const other = await specOf(FINE, { account_id: 'b' });
    await call(runtime, other);
    const looping = call(runtime, loop, { path: '/600000', timeoutMs: 600_000 });
    const pidOf = (key: string) => runtime.stats().processes.find((each) => each.key === key)?.pid ?? 0;
    await expect.poll(() => getPriority(pidOf(loop.key))).toBeGreaterThanOrEqual(10);
    await expect.poll(() => getPriority(pidOf(other.key))).toBe(0);
    const group = readAutogroup(pidOf(loop.key));
    if (group !== undefined) expect(group).toBeGreaterThanOrEqual(10);
    await runtime.stopRuns();
    expect((await looping).status).toBe(503);
  });

  it('a calm account gets the normal priority back', async () => {
    const runtime = await open({ sandbox, shares: { accountCpu: 0.1 }, spares: 0, freezeAfterMs: 600_000 });
    const spec = await specOf(
      `export default { async fetch(request: Request) {
        let isOver = request.method === 'GET';
        void request.text().then(() => { isOver = true; });
        while (!isOver) {
          const endMs = performance.now() + 50;
          while (performance.now() < endMs);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        return new Response('calm');
      } };`,
    );
    const upload = new PassThrough();
    const looping = call(runtime, spec, { method: 'POST', body: upload, timeoutMs: 600_000 });
    const pid = () => runtime.stats().processes[0]?.pid ?? 0;
    await expect.poll(() => getPriority(pid())).toBeGreaterThanOrEqual(10);
    const first = pid();
    upload.end('x');
    expect((await looping).body).toBe('calm');
    // Only root can raise a priority: elsewhere the next run replaces the process.
    if (process.getuid?.() === 0) {
      await expect.poll(() => getPriority(pid())).toBe(0);
      expect(pid()).toBe(first);
    } else await expect.poll(async () => (await call(runtime, spec)).body === 'calm' && pid() !== first).toBe(true);
  });
});

/** The niceness of the session, where the kernel has autogroups. */
function readAutogroup(pid: number): number | undefined {
  try {
    return Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}

it('a function that writes without end is read at the pace of its share, and others meanwhile', async () => {
  const runtime = await open({ shares: { accountOutput: MIB } });
  const other = await specOf(FINE, { account_id: 'b' });
  // Past the replaced console and streams.
  const flood = await specOf(
    `const write = Object.getPrototypeOf(Deno.stdout).writeSync.bind(Deno.stdout);
    export default () => {
      const bytes = new Uint8Array(60_000).fill(120);
      let written = 0;
      for (const endMs = performance.now() + 2_000; performance.now() < endMs; ) written += write(bytes);
      return written;
    };`,
    { account_id: 'a' },
  );
  const flooding = call(runtime, flood, { timeoutMs: 60_000 });
  for (let n = 0; n < 5; n++) expect(await call(runtime, other)).toMatchObject({ body: '"fine"' });
  // Two seconds, a second's worth at once, and what is read between two counts.
  expect(Number((await flooding).body)).toBeLessThan(12 * MIB);
});
