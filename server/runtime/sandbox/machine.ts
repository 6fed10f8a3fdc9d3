/**
 * Node's information about the machine and its user. A function must not see the real values, and Deno would throw; but
 * packages read them while they load, such as the host name for a log. They see a machine of the function's size.
 */
import { deno } from './deno.ts';
import { changeNode } from './node.ts';

const NAME = 'function';
const UNPRIVILEGED_ID = 65_534;
const MEMORY_BYTES = 128 * 1024 * 1024;
const times = { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 };

/** As in a container, where the process is the only one. */
const PID = 1;
const PARENT_PID = 0;
const PROGRAM = '/deno';
const SCRIPT = 'file:///function';

/**
 * Replaces what names the service's paths and processes. Called when the sandbox has read its arguments. A blob module
 * has no path, and the sandbox's own script is opened by number (fleet/command.ts), so stack traces have none either.
 */
export function hideProcess(): void {
  const constant = (value: unknown) => ({ value, enumerable: true, configurable: false, writable: false });
  Object.defineProperties(deno, {
    args: constant(Object.freeze([])),
    execPath: constant(() => PROGRAM),
    mainModule: constant(SCRIPT),
    pid: constant(PID),
    ppid: constant(PARENT_PID),
  });
  Object.assign(deno[deno.internal]?.__nodeBootstrapArgs ?? {}, { argv0: PROGRAM, denoArgs: [] });
  changeNode((_, process) => {
    process.argv.splice(0, process.argv.length, PROGRAM, SCRIPT);
    // An accessor without configuration: a definition would fail.
    for (const name of ['execPath', 'title'] as const) process[name] = PROGRAM;
    Object.assign(process.report ?? {}, { getReport: () => ({}), writeReport: () => '' });
  });
}

export function replaceMachine(): void {
  changeNode((_, process, os) => {
    Object.assign(os, {
      hostname: () => NAME,
      homedir: () => '/',
      userInfo: () => ({ uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID, username: NAME, homedir: '/', shell: null }),
      cpus: () =>
        Array.from({ length: os.availableParallelism() }, () => ({ model: '', speed: 0, times: { ...times } })),
      networkInterfaces: () => ({}),
      loadavg: () => [0, 0, 0],
      totalmem: () => MEMORY_BYTES,
      freemem: () => MEMORY_BYTES,
      uptime: () => process.uptime(),
      release: () => '0.0.0',
      version: () => '#1',
      getPriority: () => 0,
      setPriority: () => undefined,
    });
    for (const name of ['getuid', 'geteuid', 'getgid', 'getegid'] as const) process[name] = () => UNPRIVILEGED_ID;
    Object.assign(process, {
      umask: () => 0o22,
      constrainedMemory: () => MEMORY_BYTES,
      availableMemory: () => MEMORY_BYTES,
    });
  });
}
