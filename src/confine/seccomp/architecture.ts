/** System calls that the filter names. Numbers from the kernel's tables (`asm/unistd_64.h`, `asm-generic/unistd.h`). */
export type CallName = keyof typeof X86_64_CALLS;

export interface Architecture {
  /** `AUDIT_ARCH_…`: what the kernel says a call was made for. */
  readonly audit: number;
  /** Calls that this architecture does not have are absent. */
  readonly calls: Readonly<Partial<Record<CallName, number>>>;
  /** A bit of the number that marks another way of calling. */
  readonly foreignBit: number | null;
}

/** The newest call known here. What a later kernel adds has not been reviewed, and is not allowed. */
export const NEWEST_CALL = 469;

/** The same on every architecture since Linux 5.1. */
const RECENT_CALLS = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
  set_mempolicy_home_node: 450,
  open_tree_attr: 467,
};

const X86_64_CALLS = {
  ...RECENT_CALLS,
  ioctl: 16,
  socket: 41,
  socketpair: 53,
  clone: 56,
  syslog: 103,
  uselib: 134,
  personality: 135,
  ustat: 136,
  sysfs: 139,
  vhangup: 153,
  pivot_root: 155,
  _sysctl: 156,
  chroot: 161,
  acct: 163,
  settimeofday: 164,
  mount: 165,
  umount2: 166,
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  sethostname: 170,
  setdomainname: 171,
  iopl: 172,
  ioperm: 173,
  create_module: 174,
  init_module: 175,
  delete_module: 176,
  get_kernel_syms: 177,
  query_module: 178,
  quotactl: 179,
  nfsservctl: 180,
  lookup_dcookie: 212,
  clock_settime: 227,
  mbind: 237,
  set_mempolicy: 238,
  get_mempolicy: 239,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  migrate_pages: 256,
  unshare: 272,
  move_pages: 279,
  perf_event_open: 298,
  fanotify_init: 300,
  open_by_handle_at: 304,
  clock_adjtime: 305,
  setns: 308,
  kcmp: 312,
  finit_module: 313,
  kexec_file_load: 320,
  bpf: 321,
  userfaultfd: 323,
};

const ARM64_CALLS = {
  ...RECENT_CALLS,
  lookup_dcookie: 18,
  ioctl: 29,
  umount2: 39,
  mount: 40,
  pivot_root: 41,
  nfsservctl: 42,
  chroot: 51,
  vhangup: 58,
  quotactl: 60,
  acct: 89,
  personality: 92,
  unshare: 97,
  kexec_load: 104,
  init_module: 105,
  delete_module: 106,
  clock_settime: 112,
  syslog: 116,
  reboot: 142,
  sethostname: 161,
  setdomainname: 162,
  settimeofday: 170,
  socket: 198,
  socketpair: 199,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  clone: 220,
  swapon: 224,
  swapoff: 225,
  mbind: 235,
  get_mempolicy: 236,
  set_mempolicy: 237,
  migrate_pages: 238,
  move_pages: 239,
  perf_event_open: 241,
  fanotify_init: 262,
  open_by_handle_at: 265,
  clock_adjtime: 266,
  setns: 268,
  kcmp: 272,
  finit_module: 273,
  bpf: 280,
  userfaultfd: 282,
  kexec_file_load: 294,
};

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  // The bit marks calls of x32, whose numbers would pass for others.
  x64: { audit: 0xc000003e, calls: X86_64_CALLS, foreignBit: 0x40000000 },
  arm64: { audit: 0xc00000b7, calls: ARM64_CALLS, foreignBit: null },
};

/** By the name that Node has for it; null: no table for this machine. */
export function architectureNamed(name: string): Architecture | null {
  return ARCHITECTURES[name] ?? null;
}
