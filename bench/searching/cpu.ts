/** CPU time of processes, as Linux tells it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Seconds that all threads of a process have used; finer than the ticks of its `stat`. */
export function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // It ended meanwhile.
    }
  }
  return nanoseconds / 1e9;
}

/** Seconds of the children of this process that have ended: in ticks of 10 ms. */
export function cpuOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
