/*
 * A diff parser by hand: it reads only what the harness writes, in bounded memory, and keeps a hostile patch's text as text.
 */
import { pathBytes, pathText } from '../../../../kernel/path-text.ts';

/** `patch.diff` for display: files, hunks, numbered lines. */
export interface FileDiff {
  readonly path: string;
  /** `new file`, `deleted`, `renamed from …`, mode changes; empty for a plain edit. */
  readonly remarks: readonly string[];
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
  /** Number of lines omitted from `hunks`. */
  readonly leftOut: number;
}

export interface Hunk {
  readonly header: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: 'add' | 'remove' | 'same' | 'remark';
  readonly old: number | null;
  readonly new: number | null;
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Hunks end by the line counts in their headers, so content that looks like a header stays content. */
export function parseDiff(patch: string): readonly FileDiff[] {
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const files: FileDiff[] = [];
  let at = 0;
  while (at < lines.length) {
    const start = at;
    const header = [lines[at++] ?? ''];
    while (at < lines.length && !HUNK.test(lines[at] ?? '') && !(lines[at] ?? '').startsWith('diff --git ')) {
      header.push(lines[at++] ?? '');
    }
    const hunks: Hunk[] = [];
    while (at < lines.length && HUNK.test(lines[at] ?? '')) {
      const read = readHunk(lines, at);
      hunks.push(read.hunk);
      at = read.next;
    }
    if (at === start) at += 1;
    files.push(describeFile(header, hunks));
  }
  return files;
}

function readHunk(lines: readonly string[], start: number): { hunk: Hunk; next: number } {
  const header = lines[start] ?? '';
  const match = HUNK.exec(header);
  let old = Number(match?.[1]);
  let fresh = Number(match?.[3]);
  const oldEnd = old + Number(match?.[2] ?? 1);
  const freshEnd = fresh + Number(match?.[4] ?? 1);
  const read: DiffLine[] = [];
  let at = start + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const text = line.slice(1);
    if (line.startsWith('\\')) read.push({ kind: 'remark', old: null, new: null, text: text.trim() });
    else if (line.startsWith('+') && fresh < freshEnd) read.push({ kind: 'add', old: null, new: fresh++, text });
    else if (line.startsWith('-') && old < oldEnd) read.push({ kind: 'remove', old: old++, new: null, text });
    else if (line.startsWith(' ') && old < oldEnd && fresh < freshEnd) {
      read.push({ kind: 'same', old: old++, new: fresh++, text });
    } else break;
  }
  return { hunk: { header, lines: read }, next: at };
}

function describeFile(header: readonly string[], hunks: readonly Hunk[]): FileDiff {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    path: pathOf(header),
    remarks: header.flatMap(remarkOf),
    binary: header.some((line) => line === 'GIT binary patch' || line.startsWith('Binary files ')),
    added: lines.filter((line) => line.kind === 'add').length,
    removed: lines.filter((line) => line.kind === 'remove').length,
    hunks,
    leftOut: 0,
  };
}

function pathOf(header: readonly string[]): string {
  const after = (start: string): string | undefined =>
    header.find((line) => line.startsWith(start))?.slice(start.length);
  const named = [after('+++ '), after('--- ')].find((name) => name !== undefined && name !== '/dev/null');
  if (named !== undefined) return withoutSide(named.replace(/\t$/, ''));
  const moved = after('rename to ') ?? after('copy to ');
  if (moved !== undefined) return plainName(moved);
  const both = after('diff --git ');
  if (both === undefined) return header[0] ?? '';
  // "a/x b/x": both halves name the same file, quoted or not.
  return withoutSide(both.slice((both.length + 1) / 2));
}

function withoutSide(name: string): string {
  return plainName(name.replace(/^("?)[ab]\//, '$1'));
}

/** Git quotes more names than our reports do; normalise so that a file has the same name in both. */
function plainName(name: string): string {
  try {
    return pathText(pathBytes(name));
  } catch {
    return name;
  }
}

function remarkOf(line: string): string[] {
  const mode = /^(?:new file|deleted file|old|new) mode \d{6}$/.exec(line);
  if (mode !== null) return [line];
  const moved = /^(?:rename|copy) from .+$/.exec(line);
  return moved === null ? [] : [line];
}
