import { constants } from 'node:os';

/** One system call as strace prints it: the arguments as text, the result as an error name or `ok`. */
export interface TracedCall {
  readonly name: string;
  readonly args: string;
  /** Null: the process ended during the call. */
  readonly result: string | null;
  /** The returned process id or descriptor, as strace prints it. */
  readonly gave: string;
}

export type StraceLine =
  | { readonly kind: 'call'; readonly pid: number | null; readonly call: TracedCall }
  | { readonly kind: 'begun'; readonly pid: number | null; readonly text: string }
  | { readonly kind: 'resumed'; readonly pid: number | null; readonly text: string }
  | { readonly kind: 'exit'; readonly pid: number | null; readonly exitCode: number }
  | { readonly kind: 'other' };

/** `pid` is null while there is only one process: strace prints no id then. */
export function readTraceLine(line: string): StraceLine {
  const [, prefix, body = ''] = /^(?:\[pid +(\d+)\] )?(.*)$/s.exec(line) ?? [];
  const pid = prefix === undefined ? null : Number(prefix);
  const exitCode = readExit(body);
  if (exitCode !== null) return { kind: 'exit', pid, exitCode };
  const begun = /^(\w+\(.*?) ?<unfinished \.\.\.>$/s.exec(body)?.[1];
  if (begun !== undefined) return { kind: 'begun', pid, text: begun };
  const resumed = /^<\.\.\. \w+ resumed> ?(.*)$/s.exec(body)?.[1];
  if (resumed !== undefined) return { kind: 'resumed', pid, text: resumed };
  const call = readCall(body);
  return call === null ? { kind: 'other' } : { kind: 'call', pid, call };
}

/** Also parses unfinished calls. A path may contain text that looks like a result, so the last match counts. */
export function readCall(text: string): TracedCall | null {
  const [, name, args = '', end] = /^(\w+)\((.*)\)\s+= (\S.*)$/s.exec(text) ?? /^(\w+)\((.*)$/s.exec(text) ?? [];
  if (name === undefined) return null;
  if (end === undefined) return { name, args, result: null, gave: '' };
  const error = /^-1 (E[A-Z0-9]+)/.exec(end)?.[1];
  return { name, args, result: error ?? 'ok', gave: error === undefined ? end : '' };
}

function readExit(body: string): number | null {
  const [, code, signal] = /^\+\+\+ (?:exited with (\d+)|killed by (SIG\w+).*) \+\+\+$/.exec(body) ?? [];
  if (code !== undefined) return Number(code);
  return signal === undefined
    ? null
    : 128 + (Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0);
}

/** A path argument, with the directory it is relative to if the call names one. Latin1: one character per byte. */
export interface PathArgument {
  readonly from: { readonly kind: 'cwd' | 'dir'; readonly path: string } | null;
  readonly path: string;
}

const PATH_ARGUMENT = /(?:(\d+|AT_FDCWD)<((?:[^<>\\]|\\.)*)>(?:\(deleted\))?, )?"((?:[^"\\]|\\.)*)"/gs;

/** Only input paths: other quoted text is output of the call, or not a path. */
export function pathArguments({ name, args }: TracedCall): PathArgument[] {
  const wanted = /^(rename|link|symlink)/.test(name) ? 2 : 1;
  const found: PathArgument[] = [];
  for (const [, holder, dir, path = ''] of args.matchAll(PATH_ARGUMENT)) {
    const kind = holder === 'AT_FDCWD' ? 'cwd' : 'dir';
    found.push({ from: dir === undefined ? null : { kind, path: unquote(dir) }, path: unquote(path) });
    if (found.length === wanted) break;
  }
  return found;
}

/** The path behind a descriptor, such as `3</tmp/file>`. */
export function descriptorPath(text: string): string | null {
  const path = /^\d+<((?:[^<>\\]|\\.)*)>/s.exec(text)?.[1];
  return path === undefined ? null : unquote(path);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };

function unquote(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:([0-7]{1,3})|(.))/gs, (_all, octal: string | undefined, char: string) =>
    octal === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/** Skips quoted text: sent data may look like an address. */
const ADDRESS = /"(?:[^"\\]|\\.)*"|\{sa_family=(AF_\w+)((?:[^"}]|"(?:[^"\\]|\\.)*")*)\}/gs;
/** Address families that reach only the kernel, or nothing. */
const NOWHERE = ['AF_NETLINK', 'AF_UNSPEC'];

/** The address that a call sends or connects to. */
export function addressesOf({ args }: TracedCall): string[] {
  if (!args.includes('{sa_family=')) return [];
  return [...args.matchAll(ADDRESS)].flatMap(([, family, rest = '']) =>
    family === undefined || NOWHERE.includes(family) ? [] : [addressText(family, rest)],
  );
}

function addressText(family: string, rest: string): string {
  const port = /sin6?_port=htons\((\d+)\)/.exec(rest)?.[1];
  const four = /inet_addr\("([^"]*)"\)/.exec(rest)?.[1];
  if (four !== undefined) return `${four}:${port}`;
  const six = /inet_pton\(AF_INET6, "([^"]*)"/.exec(rest)?.[1];
  if (six !== undefined) return `[${six}]:${port}`;
  const [, abstract = '', socket] = /sun_path=(@?)"((?:[^"\\]|\\.)*)"/s.exec(rest) ?? [];
  return socket === undefined ? family : `unix:${abstract}${unquote(socket)}`;
}
