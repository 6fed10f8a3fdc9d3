/** The filter of system calls, tried by native code, which a function never has: this is what an escape would meet. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { denoBinary } from '../fleet/deno-binary.ts';
import { tempFolder } from '../testing.ts';

const FILTER = fileURLToPath(new URL('../sandbox/system-calls.ts', import.meta.url));
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];

/** Each returns 0 or more where it is allowed, or fails for its arguments, never with the errors of the filter. */
const CALLS: [name: string, call: string, errno: number][] = [
  ['a new user namespace', 'unshare(0x10000000)', EPERM],
  ['a process', 'fork()', EPERM],
  ['a program', 'execve(null, null, null)', EPERM],
  ['another process, traced', 'ptrace(99, 0, 0, 0)', EPERM],
  ['a signal', 'kill(0, 0)', EPERM],
  ['a vsock socket', 'socket(40, 1, 0)', EAFNOSUPPORT],
  ['a netlink socket', 'socket(16, 3, 0)', EAFNOSUPPORT],
  ['a raw packet socket', 'socket(17, 3, 0)', EAFNOSUPPORT],
  ['a kernel crypto socket', 'socket(38, 5, 0)', EAFNOSUPPORT],
  ['a BPF program', 'syscall(nr.bpf, 99, 0, 0)', EPERM],
  ['an io_uring', 'syscall(nr.io_uring_setup, 0, 0, 0)', EPERM],
  ['a performance counter', 'syscall(nr.perf_event_open, 0, 0, 0)', EPERM],
  ['a key of the kernel', 'syscall(nr.keyctl, 99, 0, 0)', EPERM],
  ['user page faults', 'syscall(nr.userfaultfd, 0xffff, 0, 0)', EPERM],
  ['clone3', 'syscall(nr.clone3, 0, 0, 0)', ENOSYS],
];
const ALLOWED = ['socket(1, 1, 0)', 'socket(2, 1, 0)', 'socket(10, 1, 0)', 'getpid()'];

const source = (filter: boolean) => `
  import { filterSystemCalls } from ${JSON.stringify(FILTER)};
  const nr = Deno.build.arch === 'x86_64'
    ? { bpf: 321, io_uring_setup: 425, perf_event_open: 298, keyctl: 250, userfaultfd: 323, clone3: 435 }
    : { bpf: 280, io_uring_setup: 425, perf_event_open: 241, keyctl: 219, userfaultfd: 282, clone3: 435 };
  const int = (n) => ({ parameters: Array(n).fill('i32'), result: 'i32' });
  const long = (n) => ({ parameters: Array(n).fill('i64'), result: 'i64' });
  const { symbols } = Deno.dlopen('libc.so.6', {
    unshare: int(1), fork: int(0), ptrace: long(4), kill: int(2), socket: int(3), syscall: long(4), getpid: int(0), _exit: int(1),
    execve: { parameters: ['pointer', 'pointer', 'pointer'], result: 'i32' },
    __errno_location: { parameters: [], result: 'pointer' },
  });
  const { unshare, execve, socket, getpid } = symbols;
  const kill = (...a) => symbols.kill(...a);
  const ptrace = (...a) => symbols.ptrace(...a.map(BigInt));
  const syscall = (...a) => symbols.syscall(...a.map(BigInt));
  // A child of a process with threads may only end.
  const fork = () => symbols.fork() || symbols._exit(0);
  if (${filter}) filterSystemCalls();
  const attempt = (call) => {
    const result = Number(call());
    if (result >= 0) return 0;
    return new Int32Array(Deno.UnsafePointerView.getArrayBuffer(symbols.__errno_location(), 4))[0];
  };
  console.log(JSON.stringify([${[...CALLS.map(([, call]) => call), ...ALLOWED].map((call) => `() => ${call}`).join(', ')}].map(attempt)));
  const thread = new Worker('data:text/javascript,postMessage(1)', { type: 'module' });
  await new Promise((resolve) => { thread.onmessage = resolve; });
  const states = [...Deno.readDirSync('/proc/self/task')].map(({ name }) => Deno.readTextFileSync('/proc/self/task/' + name + '/status').match(/Seccomp:\\s*(\\d)/)[1]);
  console.log(JSON.stringify([...new Set(states)]));
  Deno.exit(0);
`;

async function results(filter: boolean): Promise<{ errors: number[]; threads: string[] }> {
  const file = path.join(tempFolder(), 'calls.mjs');
  writeFileSync(file, source(filter));
  const args = ['run', '-A', '--quiet', '--no-config', '--no-lock', '--no-check', file];
  const { stdout } = await promisify(execFile)(denoBinary(), args, { env: { DENO_DIR: path.dirname(file) } });
  const [errors, threads] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { errors, threads };
}

describe.runIf(process.platform === 'linux')('the filter of system calls', () => {
  test('refuses what a function never needs, in every thread, and nothing else', async () => {
    const { errors, threads } = await results(true);
    expect(errors).toEqual([...CALLS.map(([, , errno]) => errno), ...ALLOWED.map(() => 0)]);
    expect(threads).toEqual(['2']);
  });

  test('is the cause: without it, only what the user or the kernel lacks fails', async () => {
    const { errors, threads } = await results(false);
    expect(threads).toEqual(['0']);
    // Any user may do these.
    for (const name of ['a process', 'a signal', 'a netlink socket'])
      expect(errors[CALLS.findIndex(([each]) => each === name)]).toBe(0);
  });
});
