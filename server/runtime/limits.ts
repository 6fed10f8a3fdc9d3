/** Kernel limits of processes with hostile input, applied by a shell that then executes the program. */

export type Limits = {
  /** The limit of data memory (RLIMIT_DATA), in KiB. */
  dataKb: number;
  /** Lower scheduling priority than the service's, 0 to 19. */
  niceness?: number;
};

/** Shell commands and their arguments, `$1` and on. */
export type Preparation = { script: string; args: string[] };

/** Children inherit the limits. When memory is short, the kernel kills these processes before the service. */
const script = ({ script: prepare, args }: Preparation) => `
ulimit -d "$1" && ulimit -c 0 && ulimit -n 256 || exit
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
priority=$2
shift 2
${prepare}shift ${args.length}
if [ "$priority" != 0 ] && command -v nice >/dev/null; then exec nice -n "$priority" "$@"; fi
exec "$@"
`;

/**
 * The command prefix that runs a program within `limits`, after the commands of `prepare`. Empty on systems other than
 * Linux.
 */
export const limited = ({ dataKb, niceness = 0 }: Limits, prepare: Preparation = { script: '', args: [] }): string[] =>
  process.platform === 'linux'
    ? ['/bin/sh', '-c', script(prepare), 'sh', String(dataKb), String(niceness), ...prepare.args]
    : [];
