import { type TracedCall, descriptorPath, type PathArgument, pathArguments } from './line.ts';

/** The kernel's limit of symbolic links followed in one path. */
const MAX_FOLLOWED = 40;
/** Limit of links remembered, so that a command cannot exhaust the harness's memory. */
const MAX_LINKS = 10_000;

/** Tracks the working directories of the traced processes and the links they create, which resolving their paths needs. */
export class Places {
  readonly #dirs = new Map<number, string>();
  readonly #links = new Map<string, string>();
  /** Links not remembered because of the limit. */
  forgotten = 0;

  constructor(first: number, dir: string) {
    this.#dirs.set(first, dir);
  }

  /** For each path of a call, every location it resolves through, in order. Null: its starting directory is unknown. */
  reached(pid: number, call: TracedCall): readonly (readonly string[] | null)[] {
    const paths = pathArguments(call);
    for (const { from } of paths) if (from?.kind === 'cwd') this.#dirs.set(pid, from.path);
    const [content, link] = paths;
    if (!makesLink(call) || content === undefined) return paths.map((path) => this.#walk(pid, path));
    // A link's target is relative to the directory that holds the link.
    const dir = this.#walk(pid, dirOf(link))?.at(-1);
    const from = dir === undefined ? null : ({ kind: 'dir', path: dir } as const);
    const leads = from === null && !content.path.startsWith('/') ? null : this.#walk(pid, { ...content, from });
    return [leads, ...(link === undefined ? [] : [this.#walk(pid, link)])];
  }

  /** Applies the effects of a successful call. */
  note(pid: number, call: TracedCall): void {
    if (call.result !== 'ok') return;
    const [first, second] = pathArguments(call);
    if (call.name === 'fchdir') this.#stand(pid, descriptorPath(call.args));
    else if (call.name === 'getcwd') this.#stand(pid, first?.path);
    else if (call.name === 'chdir' && first !== undefined) this.#stand(pid, this.#walk(pid, first)?.at(-1));
    else if (bears(call)) this.#bear(pid, Number.parseInt(call.gave, 10));
    else if (makesLink(call)) this.#link(this.#nameOf(pid, second), first?.path);
    else if (call.name.startsWith('unlink')) this.#links.delete(this.#nameOf(pid, first));
    else if (call.name.startsWith('rename')) this.#move(this.#nameOf(pid, first), this.#nameOf(pid, second));
  }

  /** Forgets an ended process: its id may be reused. */
  forget(pid: number): void {
    this.#dirs.delete(pid);
  }

  #stand(pid: number, dir: string | null | undefined): void {
    if (dir?.startsWith('/') === true) this.#dirs.set(pid, dir);
  }

  #bear(parent: number, child: number): void {
    const dir = this.#dirs.get(parent);
    if (dir !== undefined && !this.#dirs.has(child)) this.#dirs.set(child, dir);
  }

  #link(name: string, content: string | undefined): void {
    if (content === undefined) return;
    if (this.#links.size < MAX_LINKS) this.#links.set(name, content);
    else this.forgotten += 1;
  }

  #move(from: string, to: string): void {
    const content = this.#links.get(from);
    this.#links.delete(from);
    this.#links.delete(to);
    this.#link(to, content);
  }

  /** Resolves the directory of an entry but not the entry itself, which may be a link. Empty if unknown. */
  #nameOf(pid: number, path: PathArgument | undefined): string {
    const dir = this.#walk(pid, dirOf(path))?.at(-1);
    return dir === undefined ? '' : step(dir, nameIn(path));
  }

  #walk(pid: number, { from, path }: PathArgument): string[] | null {
    const base = path.startsWith('/') ? '/' : (from?.path ?? this.#dirs.get(pid));
    if (base === undefined) return null;
    const left = path.split('/').toReversed();
    const passed = [base];
    let followed = 0;
    for (let part = left.pop(); part !== undefined; part = left.pop()) {
      const here = passed.at(-1) ?? '/';
      if (part === '' || part === '.') continue;
      const next = part === '..' ? here.slice(0, here.lastIndexOf('/')) || '/' : step(here, part);
      passed.push(next);
      const content = this.#links.get(next) ?? this.#leadsTo(pid, next);
      if (content === undefined || followed === MAX_FOLLOWED) continue;
      followed += 1;
      passed.push(content.startsWith('/') ? '/' : here);
      left.push(...content.split('/').toReversed());
    }
    return passed;
  }

  /** Targets of the /proc links of a process. */
  #leadsTo(pid: number, path: string): string | undefined {
    if (!path.startsWith('/proc/')) return undefined;
    const [, whose = '', what] = /^\/proc\/(self|thread-self|\d+)(?:\/task\/\d+)?\/(root|cwd)$/.exec(path) ?? [];
    if (what === 'root') return '/';
    return what === undefined ? undefined : this.#dirs.get(/^\d/.test(whose) ? Number(whose) : pid);
  }
}

export const makesLink = ({ name }: TracedCall): boolean => name.startsWith('symlink');
const bears = ({ name }: TracedCall): boolean => /^(v?fork|clone3?)$/.test(name);
const step = (dir: string, name: string): string => (dir === '/' ? `/${name}` : `${dir}/${name}`);
const trimmed = (path: PathArgument | undefined): string => path?.path.replace(/\/+$/, '') ?? '';
const nameIn = (path: PathArgument | undefined): string => trimmed(path).replace(/^.*\//s, '');

function dirOf(path: PathArgument | undefined): PathArgument {
  const text = trimmed(path);
  return { from: path?.from ?? null, path: text.slice(0, text.lastIndexOf('/') + 1) };
}
