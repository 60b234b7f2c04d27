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
const ELEMENT =
  /\((?<choice>[^)]*)\)|\[(?<set>(?:\\.|[^\]\\])+)\]\{(?<least>\d+)(?<open>,(?<most>\d*))?\}|(?<fixed>(?:\\[\s\S]|[^\\([])+)/g;

/**
 * The shapes of a pattern in a small part of the language of regular expressions: text, `[set]{n}`, `[set]{n,m}`, `[set]{n,}` and
 * `(one|other)`, which may be empty. A pattern starts with text: the scanner looks for its first two bytes. After a run of exactly `n` nothing
 * of the same set may follow.
 */
export function shapesOf(name: string, pattern: string, options: ShapeOptions = {}): readonly SecretShape[] {
  let variants: readonly (readonly ShapePart[])[] = [[]];
  const add = (choices: readonly ShapePart[]): void => {
    variants = variants.flatMap((parts) => choices.map((part) => [...parts, part]));
  };
  for (const { groups = {} } of pattern.matchAll(ELEMENT)) {
    const { choice, set, least = '', open, most = '', fixed = '' } = groups;
    if (choice !== undefined) add(choice.split('|').map(fixedPart));
    else if (set === undefined) add([fixedPart(fixed.replace(/\\([\s\S])/g, '$1'))]);
    else {
      const atLeast = Number(least);
      const of = bytesIn(set);
      add([{ kind: 'run', of, least: atLeast, most: open === undefined ? atLeast : Number(most || MAX_RUN) }]);
    }
  }
  return variants.map((parts) => ({
    name,
    parts: joinFixed(parts),
    isGeneric: options.generic === true,
    insideWord: options.insideWord === true,
  }));
}

const fixedPart = (text: string): ShapePart => ({ kind: 'fixed', bytes: Buffer.from(text, 'latin1') });

function joinFixed(parts: readonly ShapePart[]): readonly ShapePart[] {
  return parts.reduce<readonly ShapePart[]>((joined, part) => {
    const last = joined.at(-1);
    if (part.kind !== 'fixed' || last?.kind !== 'fixed') return [...joined, part];
    return [...joined.slice(0, -1), { kind: 'fixed', bytes: Buffer.concat([last.bytes, part.bytes]) }];
  }, []);
}

const known = new Map<string, Uint8Array>();

function bytesIn(set: string): Uint8Array {
  const earlier = known.get(set);
  if (earlier !== undefined) return earlier;
  const allowed = new RegExp(`[${set}]`);
  const bytes = new Uint8Array(256);
  for (let byte = 0; byte < 128; byte += 1) if (allowed.test(String.fromCharCode(byte))) bytes[byte] = 1;
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
