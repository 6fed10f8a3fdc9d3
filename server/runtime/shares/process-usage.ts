/** Reads what processes use, and sets their priority. Linux only: elsewhere nothing is read or set. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of processes together: CPU milliseconds since their start, in steps of 10, and bytes of memory. */
export type Usage = {
  cpuMs: number;
  bytes: number;
  /** Whether one uses a CPU now, or waits for one. */
  isRunnable: boolean;
};

const TICK_MS = 10;

/** Returns the usage of processes together; undefined if none runs. */
export function usageOf(pids: readonly number[]): Usage | undefined {
  let sum: Usage | undefined;
  for (const pid of pids) {
    const [state, , , , , , , , , , , user, system] = statOf(pid);
    if (state === undefined) continue;
    sum ??= { cpuMs: 0, bytes: 0, isRunnable: false };
    sum.cpuMs += (Number(user) + Number(system)) * TICK_MS;
    sum.bytes += ownBytes(pid);
    sum.isRunnable ||= state === 'R';
  }
  return sum;
}

/** Heap, buffers and stacks. Pages of files, such as the Deno program, are shared by all processes and not counted. */
function ownBytes(pid: number): number {
  let kib = 0;
  for (const [, each] of textOf(`/proc/${pid}/status`).matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm))
    kib += Number(each);
  return kib * 1024;
}

/** Returns the processes in the groups that these processes lead, by leader: a container has several. */
export function groupsOf(leaders: ReadonlySet<number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const name of list('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const group = Number(statOf(Number(name))[2]);
    if (!leaders.has(group)) continue;
    groups.set(group, [...(groups.get(group) ?? []), Number(name)]);
  }
  return groups;
}

/**
 * Sets the niceness of processes: that of each thread, and that of the session, which the kernel schedules as a unit
 * if it has autogroups. Returns whether all of it was set: only root can lower the niceness of a thread.
 */
export function setNiceness(pids: readonly number[], niceness: number): boolean {
  let isSet = true;
  for (const pid of pids) {
    for (const thread of list(`/proc/${pid}/task`))
      isSet = attempt(() => setPriority(Number(thread), niceness)) && isSet;
    // Other users may write it only a few times per second.
    isSet = attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness))) && isSet;
  }
  return isSet;
}

/** Returns false if it is not permitted. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    return !isRefusal(error);
  }
}

/** Anything else means that the thread has ended, or that the kernel has no autogroups. */
function isRefusal(error: unknown): boolean {
  const { code, info } = error as { code?: string; info?: { code?: string } };
  return ['EACCES', 'EPERM', 'EAGAIN'].includes(info?.code ?? code ?? '');
}

/** The fields of /proc/<pid>/stat from the state on; none if the process has ended. The name before may be anything. */
function statOf(pid: number): string[] {
  const text = textOf(`/proc/${pid}/stat`);
  return text === '' ? [] : text.slice(text.lastIndexOf(') ') + 2).split(' ');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
