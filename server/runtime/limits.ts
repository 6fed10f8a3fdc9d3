/** Kernel limits of a process that handles hostile input, applied by a shell that then becomes the program. */

export type Limits = {
  /** The most memory for data (RLIMIT_DATA), in KiB. */
  dataKb: number;
  /** Scheduling priority below the service's, 0 to 19. */
  niceness?: number;
};

/** Children keep the limits. When memory is short the kernel ends these processes before the service. */
const SCRIPT = `
ulimit -d "$1" && ulimit -c 0 && ulimit -n 256 || exit
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
priority=$2
shift 2
if [ "$priority" != 0 ] && command -v nice >/dev/null; then exec nice -n "$priority" "$@"; fi
exec "$@"
`;

/** The words to put before a command so that it runs within `limits`. Empty where the system is not Linux. */
export const limited = ({ dataKb, niceness = 0 }: Limits): string[] =>
  process.platform === 'linux' ? ['/bin/sh', '-c', SCRIPT, 'sh', String(dataKb), String(niceness)] : [];
