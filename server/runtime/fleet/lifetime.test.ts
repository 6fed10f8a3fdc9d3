/** Which process serves which runs, for how long, and that none is left running. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../lib/is-alive.ts';
import { AtCapacity } from '../at-capacity.ts';
import type { Runtime } from '../runtime.ts';
import { begin, call, openRuntime, SANDBOXES, specOf, tempFolder } from '../testing.ts';

const opened: Runtime[] = [];
async function open(options: Parameters<typeof openRuntime>[0] = {}) {
  const runtime = await openRuntime(options);
  opened.push(runtime);
  return runtime;
}
afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.close();
});

const PLAIN = 'export default () => ({ a: process.env.A ?? null });';
/** Waits in the handler until the upload ends. */
const HOLD =
  "export default { async fetch(request: Request) { console.log('began'); return new Response(await request.text()); } };";

/** A function does not see its own process id. */
const pidOf = (runtime: Runtime, key: string) => runtime.stats().processes.find((each) => each.key === key)?.pid ?? 0;
const isGone = (pid: number) => !isAlive(pid);

test('one process per key: the same for the next run, another for a different environment or version', async () => {
  const runtime = await open();
  const pids: number[] = [];
  for (const [key, env] of [
    ['f/1/a', {}],
    ['f/1/a', {}],
    ['f/1/b', { A: 'new' }],
    ['f/2/b', { A: 'new' }],
  ] as const) {
    const { body } = await call(runtime, await specOf(PLAIN, { key, env }));
    pids.push(pidOf(runtime, key));
    expect(JSON.parse(body).a).toBe('A' in env ? 'new' : null);
  }
  expect(pids[0]).toBe(pids[1]);
  expect(new Set(pids).size).toBe(3);
});

test('spare processes boot in advance and are replaced when taken', async () => {
  const runtime = await open({ spares: 2 });
  expect(runtime.stats().spares).toBe(2);
  await call(runtime, await specOf(PLAIN));
  expect(runtime.stats().processes).toHaveLength(1);
  await expect.poll(() => runtime.stats().spares).toBe(2);
});

test('without spares a process boots on demand', async () => {
  const runtime = await open({ spares: 0 });
  expect(await call(runtime, await specOf(PLAIN))).toMatchObject({ status: 200 });
  expect(runtime.stats()).toMatchObject({ spares: 0 });
});

test('a retired process finishes its runs, then ends', async () => {
  const runtime = await open();
  const old = await specOf(HOLD, { key: 'f/1/a' });
  const upload = new PassThrough();
  const said: string[] = [];
  const held = call(runtime, old, { method: 'POST', body: upload, onLine: ({ message }) => said.push(message) });
  upload.write('old ');
  await expect.poll(() => said).toEqual(['began']);
  const bystander = await specOf(PLAIN, { key: 'ff/1/a' });
  await call(runtime, bystander);
  const [first] = runtime.stats().processes;
  runtime.retire('f/');
  expect(runtime.stats().processes).toEqual([
    expect.objectContaining({ key: 'ff/1/a', retired: false }),
    expect.objectContaining({ pid: first?.pid, retired: true, in_flight: 1 }),
  ]);
  expect(await call(runtime, old, { method: 'POST', body: Buffer.from('new') })).toMatchObject({ body: 'new' });
  upload.end('answer');
  expect(await held).toMatchObject({ status: 200, body: 'old answer' });
  await expect.poll(() => isGone(first?.pid ?? 0)).toBe(true);
});

test('an idle retired process ends at once', async () => {
  const runtime = await open();
  await call(runtime, await specOf(PLAIN, { key: 'f/1/a' }));
  const pid = pidOf(runtime, 'f/1/a');
  expect(isGone(pid)).toBe(false);
  runtime.retire('f/1/');
  await expect.poll(() => isGone(pid)).toBe(true);
  expect(runtime.stats().processes).toEqual([]);
});

test('at the limit, the process idle for longest ends', async () => {
  const runtime = await open({ shares: { processes: 2 } });
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((key) => specOf(PLAIN, { key })));
  if (!a || !b || !c) throw new Error('unreachable');
  await call(runtime, a);
  await call(runtime, b);
  await call(runtime, a);
  await call(runtime, c);
  expect(runtime.stats().processes.map(({ key }) => key)).toEqual(['a', 'c']);
});

test('when every process is busy, a new one is rejected, and their runs continue', async () => {
  const runtime = await open({ shares: { processes: 1 } });
  const spec = await specOf(HOLD);
  const upload = new PassThrough();
  const held = call(runtime, spec, { method: 'POST', body: upload });
  await expect.poll(() => runtime.stats().processes[0]?.in_flight).toBe(1);
  await expect(begin(runtime, await specOf(PLAIN))).rejects.toThrow(AtCapacity);
  upload.end('x');
  expect(await held).toMatchObject({ body: 'x' });
  expect(await call(runtime, await specOf(PLAIN))).toMatchObject({ status: 200 });
});

test('closing kills all processes, ends their runs, and leaves no folder', async () => {
  const parent = tempFolder();
  const runtime = await open({ tempDir: parent });
  const said: string[] = [];
  const held = call(runtime, await specOf(HOLD), {
    method: 'POST',
    body: new PassThrough(),
    onLine: ({ message }) => said.push(message),
  });
  const [process] = runtime.stats().processes;
  await expect.poll(() => readdirSync(parent).length).toBe(1);
  await runtime.close();
  expect(await held).toMatchObject({ status: 503, finish: { outcome: 'ERROR', error: { name: 'ServiceStopped' } } });
  expect(isGone(process?.pid ?? 0)).toBe(true);
  expect(readdirSync(parent)).toEqual([]);
  await expect(begin(runtime, await specOf(PLAIN))).rejects.toThrow('stopping');
});

/** A separate service: it reports its processes (idle, spare and stuck ones), then loops forever. */
async function startService(parent: string, sandbox: string): Promise<{ child: ChildProcess; pids: number[] }> {
  const source = `
    import { execFileSync } from 'node:child_process';
    import { call, openRuntime, specOf } from ${JSON.stringify(new URL('../testing.ts', import.meta.url).href)};
    const runtime = await openRuntime({ tempDir: ${JSON.stringify(parent)}, sandbox: '${sandbox}', spares: 1, freezeAfterMs: 1 });
    await call(runtime, await specOf(${JSON.stringify(PLAIN)}));
    const stuck = await specOf("export default () => { console.log('stuck'); while (true); };");
    const onLine = () => {
      const rows = execFileSync('ps', ['-eo', 'pid=,ppid=']).toString().trim().split('\\n').map((line) => line.trim().split(/ +/).map(Number));
      const all = (pid) => [pid, ...rows.filter(([, parent]) => parent === pid).flatMap(([each]) => all(each))];
      console.log(JSON.stringify(runtime.stats().processes.flatMap(({ pid }) => all(pid))));
    };
    void call(runtime, stuck, { timeoutMs: 600000, onLine: onLine });
  `;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, pids: JSON.parse(line) };
}

test.each(SANDBOXES)(
  'with %s a killed service leaves no process, not even a stuck one, and the next removes its folder',
  async (sandbox) => {
    const parent = tempFolder();
    const { child, pids } = await startService(parent, sandbox);
    expect(pids.length).toBeGreaterThanOrEqual(sandbox === 'bwrap' ? 4 : 2);
    expect(pids.filter(isGone)).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const pid of pids) await expect.poll(() => isGone(pid)).toBe(true);
    const left = readdirSync(parent);
    expect(left).toHaveLength(1);
    await open({ tempDir: parent });
    expect(readdirSync(parent)).not.toContain(left[0]);
  },
  60_000,
);

test('a path too long for sockets is not used for them', async () => {
  const parent = path.join(tempFolder(), 'deep'.repeat(30));
  const runtime = await open({ tempDir: parent });
  expect(await call(runtime, await specOf(PLAIN))).toMatchObject({ status: 200 });
});

test('a response is not lost when its process ends right after it', async () => {
  const runtime = await open({ spares: 0 });
  const spec = await specOf('export default { fetch: () => new Response("x".repeat(150_000)) };');
  for (let n = 0; n < 20; n++) {
    const { answer } = await begin(runtime, spec);
    await answer.finished;
    runtime.retire(spec.key);
    expect(String(Buffer.concat(await answer.body.toArray())).length).toBe(150_000);
  }
});

describe.each(process.platform === 'linux' ? SANDBOXES : [])('with %s', (sandbox) => {
  /** Counts continuously; reports its progress on request. */
  const COUNTING =
    "let n = 0; setInterval(() => { n += 1; }, 1); export default () => { console.log('serves'); return n; };";

  test('an idle process is stopped until its next run, which it serves at once', async () => {
    const runtime = await open({ sandbox, freezeAfterMs: 20 });
    const spec = await specOf(COUNTING);
    const frozen = () => runtime.stats().processes.map((each) => each.frozen);
    /** Returns whether it was stopped during the run, after which it soon is. */
    const ask = async () => {
      const seen: boolean[][] = [];
      await call(runtime, spec, { onLine: () => seen.push(frozen()) });
      return seen;
    };
    await ask();
    await expect.poll(frozen).toEqual([true]);
    const isStopped = () => /^State:\s+T/m.test(readFileSync(`/proc/${leafOf(runtime)}/status`, 'utf8'));
    await expect.poll(isStopped).toBe(true);
    expect(await ask()).toEqual([[false]]);
    await expect.poll(frozen).toEqual([true]);
    await expect.poll(isStopped).toBe(true);
  });

  test('a run in progress is never stopped', async () => {
    const runtime = await open({ sandbox, freezeAfterMs: 1 });
    const spec = await specOf(HOLD);
    await call(runtime, spec, { method: 'POST', body: Buffer.from('x') });
    const upload = new PassThrough();
    const said: string[] = [];
    const held = call(runtime, spec, { method: 'POST', body: upload, onLine: ({ message }) => said.push(message) });
    upload.write('still ');
    await expect.poll(() => said).toEqual(['began']);
    for (let n = 0; n < 20; n++) await call(runtime, spec, { method: 'POST', body: Buffer.from('y') });
    expect(runtime.stats().processes.map(({ frozen }) => frozen)).toEqual([false]);
    upload.end('held');
    expect((await held).body).toBe('still held');
  });

  test('a stopped process ends when its version was replaced, and with the service', async () => {
    const runtime = await open({ sandbox, freezeAfterMs: 1 });
    const leaves: number[] = [];
    for (const key of ['f/1/a', 'g/1/a']) {
      await call(runtime, await specOf(PLAIN, { key }));
      await expect.poll(() => runtime.stats().processes.at(-1)?.frozen).toBe(true);
      leaves.push(leafOf(runtime));
    }
    runtime.retire('f/');
    await expect.poll(() => isGone(leaves[0] ?? 0)).toBe(true);
    await runtime.close();
    // The innermost process of a container ends after the outermost one, which is waited for.
    await expect.poll(() => leaves.map(isGone)).toEqual([true, true]);
  });
});

/** The innermost process of the last one started: in a container, that of the function. */
function leafOf(runtime: Runtime): number {
  let pid = runtime.stats().processes.at(-1)?.pid ?? 0;
  for (;;) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    if (!children) return pid;
    pid = Number(children.split(' ')[0]);
  }
}
