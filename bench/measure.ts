/** Generates load with wrk and curl and measures CPU time. Linux with two cores: the gateway uses one of them. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { descendants } from '../server/test/spawned.ts';
import { AUTHORIZATION } from './gateways.ts';

const run = promisify(execFile);
export const GATEWAY_CORE = '0';
export const LOAD_CORE = '1';

/** Pins a process with all its threads to one core, and its child processes (a database) to `childrenTo`. */
export function pin(pid: number, core: string, childrenTo = core): void {
  execFileSync('taskset', ['-a', '-c', '-p', core, String(pid)], { stdio: 'ignore' });
  for (const child of descendants(pid))
    execFileSync('taskset', ['-a', '-c', '-p', childrenTo, String(child.pid)], { stdio: 'ignore' });
}

export type LoadOptions = {
  connections: number;
  seconds: number;
  pid?: number;
  core?: string;
  authorization?: string;
  headers?: string[];
};
export type Load = { requests: number; requestsPerSecond: number; p50Ms: number; p99Ms: number; cpuUs: number };

/** Runs wrk: each of `connections` callers sends its next request on a response. `pid`: the process to count CPU of. */
export async function load(
  url: string,
  { connections, seconds, pid, core, authorization = AUTHORIZATION, headers = [] }: LoadOptions,
): Promise<Load> {
  const before = pid ? cpuMs(pid) : 0;
  const wrk = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...[authorization, ...headers].flatMap((each) => ['-H', each]),
    url,
  ];
  const [program = '', ...args] = core ? ['taskset', '-c', core, ...wrk] : wrk;
  const { stdout } = await run(program, args);
  const used = pid ? cpuMs(pid) - before : 0;
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url}: ${stdout}`);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  return {
    requests,
    requestsPerSecond: Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: milliseconds(/50% +(\S+)/.exec(stdout)?.[1]),
    p99Ms: milliseconds(/99% +(\S+)/.exec(stdout)?.[1]),
    cpuUs: (used * 1000) / requests,
  };
}

function milliseconds(text = ''): number {
  const [, value, unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

/** Megabytes per second of one large response. */
export async function download(url: string): Promise<number> {
  const args = ['-c', LOAD_CORE, 'curl', '-s', '-o', '/dev/null', '-w', '%{http_code} %{speed_download}', '-H'];
  const { stdout } = await run('taskset', [...args, AUTHORIZATION, url]);
  const [status, speed] = stdout.split(' ');
  if (status !== '200') throw new Error(`${url}: ${stdout}`);
  return Number(speed) / 1e6;
}

/** CPU milliseconds used by all threads of a process, without its children, in steps of 10. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
