/** CPU time of processes, as Linux reports it. */
import { readdirSync, readFileSync } from 'node:fs';

/** CPU seconds used by all threads of a process, with a finer resolution than the ticks of its `stat`. */
export function cpuOf(pid: number): number {
  return cpuByThread(pid)
    .values()
    .reduce((sum, used) => sum + used, 0);
}

/** CPU seconds by thread name; several threads may share a name. */
export function cpuByThread(pid: number): Map<string, number> {
  const used = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const read = (file: string) => readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8');
    try {
      const name = read('comm').trim();
      used.set(name, (used.get(name) ?? 0) + Number(read('schedstat').split(' ')[0]) / 1e9);
    } catch {
      // The thread has ended.
    }
  }
  return used;
}

/** CPU seconds of the ended children of this process, in ticks of 10 ms. */
export function cpuOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
