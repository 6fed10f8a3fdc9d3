/** The process of a function as the machine sees it, whatever its code does: what an escape from Deno would have. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Runtime } from '../runtime.ts';
import { call, openRuntime, SANDBOXES, specOf } from '../testing.ts';

const NAMESPACES = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup'];
const isRoot = process.getuid?.() === 0;

const statusOf = (pid: string | number) =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/status`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/:\s+/) as [string, string]),
  );
const childrenOf = (pid: string): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
/** The last in the chain of commands: Deno. */
const innermost = (pid: string): string => {
  const [child] = childrenOf(pid);
  return child ? innermost(child) : pid;
};

describe.runIf(process.platform === 'linux').each(SANDBOXES)('with %s', (sandbox) => {
  let runtime: Runtime;
  let pid: string;
  beforeAll(async () => {
    runtime = await openRuntime({ sandbox });
    const spec = await specOf('export default () => 1');
    await call(runtime, spec);
    pid = innermost(String(runtime.stats().processes.find(({ key }) => key === spec.key)?.pid));
  });
  afterAll(() => runtime.close());

  test('the process has no capabilities, no way to gain any, and a filter of system calls in each thread', () => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const { CapEff, CapPrm, CapInh, CapAmb, NoNewPrivs, Seccomp } = statusOf(`${pid}/task/${thread}`);
      for (const set of [CapEff, CapPrm, CapInh, CapAmb]) expect(Number.parseInt(set ?? '', 16)).toBe(0);
      expect({ NoNewPrivs, Seccomp }).toEqual({ NoNewPrivs: '1', Seccomp: '2' });
    }
  });

  test('its user is not root outside', () => {
    const uids = statusOf(pid)['Uid']?.split('\t');
    expect(new Set(uids).size).toBe(1);
    expect(uids?.[0]).toBe(isRoot ? '65533' : String(process.getuid?.()));
  });

  test.runIf(sandbox !== 'permissions')('its namespaces are not those of the service', () => {
    for (const name of NAMESPACES)
      expect(readlinkSync(`/proc/${pid}/ns/${name}`), name).not.toBe(readlinkSync(`/proc/self/ns/${name}`));
  });

  test.runIf(sandbox !== 'permissions' && isRoot)('its root has only what it needs, and nothing is writable', () => {
    const root = `/proc/${pid}/root`;
    const allowed = ['bin', 'dev', 'lib', 'lib32', 'lib64', 'proc', 'rt', 'run', 'usr'];
    expect(readdirSync(root).filter((name) => !allowed.includes(name))).toEqual([]);
    const usr = readdirSync(root).includes('usr') ? readdirSync(`${root}/usr`) : [];
    expect(usr.filter((name) => !name.startsWith('lib'))).toEqual([]);
    expect(readdirSync(`${root}/run`).sort()).toEqual(['egress', 'gateway', 'own']);
    // As it sees them: mount point and options.
    const writable = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, , , , at, options]) => at && !at.startsWith('/dev/') && !options?.split(',').includes('ro'))
      .flatMap(([, , , , at]) => at ?? []);
    expect(writable.filter((at) => at !== '/proc')).toEqual(['/run/own']);
    expect(readdirSync(`${root}/dev`).sort()).toEqual(['null', 'urandom']);
  });

  test.runIf(sandbox !== 'permissions')('its network is a loopback alone', () => {
    const devices = readFileSync(`/proc/${pid}/net/dev`, 'utf8').trim().split('\n').slice(2);
    expect(devices.map((line) => line.trim().split(':')[0])).toEqual(['lo']);
  });
});
