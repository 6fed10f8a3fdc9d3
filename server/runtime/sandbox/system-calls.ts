/**
 * A seccomp filter for the process: kernel interfaces that a function never needs, and that an escape from V8 or from
 * Deno's permissions would use. It is installed through Deno's FFI before a function's code arrives, for all threads,
 * and stays for the life of the process. Numbers: Linux, asm/unistd_64.h (x86_64) and asm-generic/unistd.h (aarch64).
 */
import { deno } from './deno.ts';

type Machine = 'x86_64' | 'aarch64';

/** The numbers of each call on x86_64 and aarch64; null where a call does not exist. */
const REFUSED: Record<string, readonly [number, number | null]> = {
  // Other processes, and programs
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  pidfd_send_signal: [424, 424],
  kill: [62, 129],
  tkill: [200, 130],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  fork: [57, null],
  vfork: [58, null],
  execve: [59, 221],
  execveat: [322, 281],
  // Namespaces and file systems
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  swapon: [167, 224],
  swapoff: [168, 225],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  mknod: [133, null],
  mknodat: [259, 33],
  // Large parts of the kernel with a history of flaws
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  memfd_secret: [447, 447],
  // Shared between processes outside the file system
  shmget: [29, 194],
  shmat: [30, 196],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  // The machine
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  syslog: [103, 116],
  acct: [163, 89],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  personality: [135, 92],
  vhangup: [153, 58],
  lookup_dcookie: [212, 18],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  setdomainname: [171, 162],
};
const OTHERS = {
  x86_64: { audit: 0xc000003e, socket: 41, socketpair: 53, clone: 56, clone3: 435, prctl: 157, seccomp: 317 },
  aarch64: { audit: 0xc00000b7, socket: 198, socketpair: 199, clone: 220, clone3: 435, prctl: 167, seccomp: 277 },
} as const;
/** Numbers from here on are the x32 ABI, which would bypass comparisons with numbers of x86_64. */
const X32 = 0x40000000;
const AF = { UNIX: 1, INET: 2, INET6: 10 } as const;
const CLONE_THREAD = 0x10000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Instructions of classic BPF (linux/bpf_common.h), and results (linux/seccomp.h). */
const LOAD = 0x20;
const EQUALS = 0x15;
const AT_LEAST = 0x35;
const HAS_BITS = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const failWith = (errno: number) => 0x00050000 | errno;
/** Offsets in struct seccomp_data, on little-endian machines. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
const result = (value: number): Instruction => [RETURN, 0, 0, value];
const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
/** Skips the following `count` instructions unless the loaded value is `value`. */
const unlessEquals = (value: number, count: number): Instruction => [EQUALS, 0, count, value];

/** Returns the program for `machine` as an array of struct sock_filter. */
export function filterFor(machine: Machine): Uint8Array<ArrayBuffer> {
  const { audit, socket, socketpair, clone, clone3 } = OTHERS[machine];
  const column = machine === 'x86_64' ? 0 : 1;
  const refused = Object.values(REFUSED).flatMap((numbers) => numbers[column] ?? []);
  const onlyFamilies = (call: number, families: number[]): Instruction[] => [
    unlessEquals(call, 2 * families.length + 2),
    load(FIRST_ARGUMENT),
    ...families.flatMap((family) => [unlessEquals(family, 1), result(ALLOW)]),
    result(failWith(EAFNOSUPPORT)),
  ];
  return encoded([
    load(ARCHITECTURE),
    [EQUALS, 1, 0, audit],
    result(KILL_PROCESS),
    load(NUMBER),
    ...(machine === 'x86_64' ? [[AT_LEAST, 0, 1, X32] as const, result(failWith(ENOSYS))] : []),
    ...refused.flatMap((number) => [unlessEquals(number, 1), result(failWith(EPERM))]),
    // Its flags are in memory, which a filter cannot read; the C library then uses clone.
    unlessEquals(clone3, 1),
    result(failWith(ENOSYS)),
    // Threads only.
    unlessEquals(clone, 4),
    load(FIRST_ARGUMENT),
    [HAS_BITS, 0, 1, CLONE_THREAD],
    result(ALLOW),
    result(failWith(EPERM)),
    ...onlyFamilies(socket, [AF.UNIX, AF.INET, AF.INET6]),
    ...onlyFamilies(socketpair, [AF.UNIX]),
    result(ALLOW),
  ]);
}

function encoded(program: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, value, true);
  });
  return bytes;
}

const PR_SET_NO_NEW_PRIVS = 38n;
const SECCOMP_SET_MODE_FILTER = 1n;
const SECCOMP_FILTER_FLAG_TSYNC = 1n;

/** Installs the filter for all threads, and forbids new privileges. Throws where the kernel has no such filters. */
export function filterSystemCalls(): void {
  const machine = deno.build.arch;
  if (machine !== 'x86_64' && machine !== 'aarch64') throw new Error(`No filter of system calls for ${machine}`);
  const { prctl, seccomp } = OTHERS[machine];
  const word = 'i64';
  const { symbols } = deno.dlopen('libc.so.6', {
    syscall: { parameters: [word, word, word, 'buffer', word, word], result: word },
  });
  const program = filterFor(machine);
  // struct sock_fprog: the count of instructions, and their address.
  const head = new DataView(new ArrayBuffer(16));
  head.setUint16(0, program.length / 8, true);
  head.setBigUint64(8, BigInt(deno.UnsafePointer.value(deno.UnsafePointer.of(program))), true);
  const noNewPrivileges = symbols.syscall(BigInt(prctl), PR_SET_NO_NEW_PRIVS, 1n, null, 0n, 0n);
  if (BigInt(noNewPrivileges) !== 0n) throw new Error('prctl(PR_SET_NO_NEW_PRIVS) failed');
  const flags = SECCOMP_FILTER_FLAG_TSYNC;
  const installed = symbols.syscall(
    BigInt(seccomp),
    SECCOMP_SET_MODE_FILTER,
    flags,
    new Uint8Array(head.buffer),
    0n,
    0n,
  );
  if (BigInt(installed) !== 0n) throw new Error('seccomp(SECCOMP_SET_MODE_FILTER) failed');
}
