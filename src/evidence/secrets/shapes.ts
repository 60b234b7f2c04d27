/** One element of a shape: fixed bytes, or a run of bytes of one class. */
export type ShapePart =
  | { readonly kind: 'fixed'; readonly bytes: Buffer }
  | { readonly kind: 'run'; readonly of: Uint8Array; readonly least: number; readonly most: number };

/** The format of a well-known kind of credential. */
export interface SecretShape {
  readonly name: string;
  readonly parts: readonly ShapePart[];
  /** A longer run of the same class does not match. */
  readonly exact: boolean;
}

const ALNUM = classOf(/[A-Za-z0-9]/);
const WORD = classOf(/[A-Za-z0-9_-]/);
const TOKEN = classOf(/[A-Za-z0-9._~+/=-]/);
/** Line breaks may be literal or escaped as `\n`. */
const KEY_BODY = classOf(/[A-Za-z0-9+/=\s\\]/);
const UPPER = classOf(/[A-Z0-9]/);

export const SHAPES: readonly SecretShape[] = [
  ...['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED '].map((kind) =>
    shape('private key', `-----BEGIN ${kind}PRIVATE KEY-----`, run(KEY_BODY, 40, 16_384)),
  ),
  shape('private key', '-----BEGIN PGP PRIVATE KEY BLOCK-----', run(KEY_BODY, 40, 16_384)),
  shape('API key', 'sk-', run(WORD, 20, 512)),
  ...['sk_live_', 'rk_live_'].map((start) => shape('Stripe key', start, run(ALNUM, 16, 255))),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((start) => shape('GitHub token', start, run(ALNUM, 36, 255))),
  shape('GitHub token', 'github_pat_', run(WORD, 22, 255)),
  shape('GitLab token', 'glpat-', run(WORD, 20, 255)),
  ...['AKIA', 'ASIA'].map((start) => ({ ...shape('AWS access key', start, run(UPPER, 16, 16)), exact: true })),
  ...['a', 'b', 'p', 'r', 's'].map((kind) => shape('Slack token', `xox${kind}-`, run(WORD, 10, 255))),
  { ...shape('Google API key', 'AIza', run(WORD, 35, 35)), exact: true },
  { ...shape('npm token', 'npm_', run(ALNUM, 36, 36)), exact: true },
  shape('JWT', 'eyJ', run(WORD, 8, 2048), '.', run(WORD, 8, 8192), '.', run(WORD, 16, 2048)),
  ...['Bearer ', 'bearer '].map((start) => shape('bearer token', start, run(TOKEN, 20, 4096))),
];

const MIN_DISTINCT = 8;

/** Placeholders (`ghp_xxxx…`, `Bearer YOUR-TOKEN-HERE`, AWS's own `…EXAMPLE`) look like credentials but are not. */
export function isCredible(text: string): boolean {
  const varies = new Set(text).size >= MIN_DISTINCT;
  return varies && /[0-9]/.test(text) && /[A-Za-z]/.test(text) && !/example/i.test(text);
}

function shape(name: string, ...parts: readonly (string | ShapePart)[]): SecretShape {
  const made = parts.map((part): ShapePart =>
    typeof part === 'string' ? { kind: 'fixed', bytes: Buffer.from(part) } : part,
  );
  return { name, parts: made, exact: false };
}

function run(of: Uint8Array, least: number, most: number): ShapePart {
  return { kind: 'run', of, least, most };
}

function classOf(allowed: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (allowed.test(String.fromCharCode(byte)) && byte < 128 ? 1 : 0));
}
