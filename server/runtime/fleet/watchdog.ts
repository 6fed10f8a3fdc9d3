/**
 * Ensures that no sandbox process outlives the service, however it ends. A process exits when its stdin closes, unless
 * it is stuck in a loop. So a short shell script receives every process id, waits until the kernel closes its stdin
 * with the service, then kills the remaining processes.
 */
import { spawn } from 'node:child_process';
import type { Logger } from 'pino';

const SCRIPT = `
trap '' INT TERM HUP
pids=' '
while read -r op pid; do
  case $op in
    +) pids="$pids$pid " ;;
    -) case "$pids" in *" $pid "*) pids="\${pids%%" $pid "*} \${pids#*" $pid "}" ;; esac ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
`;

export type Watchdog = { add(pid: number): void; remove(pid: number): void; close(): void };

export function startWatchdog(log: Logger): Watchdog {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.once('error', (error) =>
    log.warn({ error }, 'runtime: no watchdog, stuck functions could outlive a killed service'),
  );
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return {
    add: (pid) => void shell.stdin.write(`+ ${pid}\n`),
    remove: (pid) => void shell.stdin.write(`- ${pid}\n`),
    close: () => void shell.stdin.end(),
  };
}
