/** One element of a shape: fixed bytes, or a run of bytes of one class. */
export type ShapePart =
  | { readonly kind: 'fixed'; readonly bytes: Buffer }
  | { readonly kind: 'run'; readonly of: Uint8Array; readonly least: number; readonly most: number };

/** The format of a well-known kind of credential. */
export interface SecretShape {
  readonly name: string;
  readonly parts: readonly ShapePart[];
  /** Others have a prefix that no ordinary text has; these count only if their last run looks random. */
  readonly isGeneric: boolean;
  /** May begin inside a word: its first bytes are the middle of the credential. */
  readonly insideWord: boolean;
}

/** How a kind of credential is recognized beyond its pattern. */
export interface ShapeOptions {
  readonly generic?: true;
  readonly insideWord?: true;
}

const MAX_RUN = 16_384;
/** A choice; the set of a run, with the least and the most of it; text. By number, not by name: objects of named groups are slow to make. */
const ELEMENT = /\(([^)]*)\)|\[((?:\\.|[^\]\\])+)\]\{(\d+)(?:(,)(\d*))?\}|((?:\\[\s\S]|[^\\([])+)/y;

/**
 * The shapes of a pattern in a small part of the language of regular expressions: text, `[set]{n}`, `[set]{n,m}`, `[set]{n,}` and
 * `(one|other)`, which may be empty. A pattern starts with text: the scanner looks for its first two bytes. After a run of exactly `n` nothing
 * of the same set may follow.
 */
export function shapesOf(name: string, pattern: string, options: ShapeOptions = {}): readonly SecretShape[] {
  let variants: readonly (readonly (string | ShapePart)[])[] = [[]];
  ELEMENT.lastIndex = 0;
  for (let found = ELEMENT.exec(pattern); found !== null; found = ELEMENT.exec(pattern)) {
    const [, choice, set, least = '', open, most = '', text = ''] = found;
    if (choice !== undefined) {
      if (choice.includes('[')) throw new Error(`a choice holds text alone: ${pattern}`);
      const choices = choice.split('|');
      variants = variants.flatMap((parts) => choices.map((chosen) => withText(parts, chosen)));
    } else if (set === undefined) {
      const plain = text.includes('\\') ? text.replace(/\\([\s\S])/g, '$1') : text;
      variants = variants.map((parts) => withText(parts, plain));
    } else {
      const atLeast = Number(least);
      const run = runOf(set, atLeast, open === undefined ? atLeast : Number(most || MAX_RUN));
      variants = variants.map((parts) => [...parts, run]);
    }
  }
  const isGeneric = options.generic === true;
  const insideWord = options.insideWord === true;
  return variants.map((parts) => ({ name, parts: parts.map(toPart), isGeneric, insideWord }));
}

/** Text after text is one element. */
function withText(parts: readonly (string | ShapePart)[], text: string): readonly (string | ShapePart)[] {
  const last = parts.at(-1);
  return typeof last === 'string' ? [...parts.slice(0, -1), last + text] : [...parts, text];
}

const runOf = (set: string, least: number, most: number): ShapePart => ({ kind: 'run', of: bytesIn(set), least, most });

const toPart = (part: string | ShapePart): ShapePart =>
  typeof part === 'string' ? { kind: 'fixed', bytes: Buffer.from(part, 'latin1') } : part;

const ASCII = String.fromCharCode(...Array.from({ length: 128 }, (_, byte) => byte));
const known = new Map<string, Uint8Array>();

function bytesIn(set: string): Uint8Array {
  const earlier = known.get(set);
  if (earlier !== undefined) return earlier;
  const bytes = new Uint8Array(256);
  for (const allowed of ASCII.match(new RegExp(`[${set}]`, 'g')) ?? []) bytes[allowed.charCodeAt(0)] = 1;
  known.set(set, bytes);
  return bytes;
}

const MIN_DISTINCT = 8;
const PLACEHOLDER = /example|placeholder|your[-_.]?|xxxx|redacted|change[-_]?me|dummy|sample|insert[-_]/i;
const ORDINARY = /passw(?:or|0r)d|secret|token|admin|postgres|mysql|test/i;
/** Published by those who issue such credentials, to show what they look like. */
const PUBLISHED = ['SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c', '4eC39HqLyjWDarjtT1zdp7dc'];

/** Placeholders (`ghp_xxxx…`, `Bearer YOUR-TOKEN-HERE`, AWS's own `…EXAMPLE`) look like credentials but are not. */
export function isCredible(text: string, isGeneric: boolean): boolean {
  if (new Set(text).size < MIN_DISTINCT || PLACEHOLDER.test(text)) return false;
  if (PUBLISHED.some((published) => text.endsWith(published))) return false;
  return !isGeneric || (/[0-9]/.test(text) && /[A-Za-z]/.test(text) && !ORDINARY.test(text));
}
