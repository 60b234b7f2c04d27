import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A caller's environment full of credentials: every kind of name, and values that encoders and quoters treat in ways of their own. */
export const CANARIES: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'canary-openai-7f3a9c21e5',
  ANTHROPIC_API_KEY: 'canary/anthropic+b64==4d1e',
  GITHUB_TOKEN: 'canary_github_0b9d6e2f17',
  GITLAB_PRIVATE_TOKEN: 'canary-gitlab-5e8c1a',
  AWS_ACCESS_KEY_ID: 'CANARYAWS3F7D1B9E',
  AWS_SECRET_ACCESS_KEY: 'canary/aws/secret/9a2b+c4',
  NPM_AUTH: 'canary-npm-6d2f8b',
  npm_config__authToken: 'canary-npm-lower-1c7e',
  DB_PASSWORD: `canary "quoted" 'and' \\ 88ab`,
  MYSQL_PASSWD: 'canary with spaces 51fe',
  REDIS_PASS: 'canary%percent&amp=12cd',
  SSH_PRIVATE: 'canary line one 77aa\ncanary line two 99bb',
  GPG_PASSPHRASE: 'canary\ttab 3e4d5c',
  SESSION_COOKIE: 'canary=cookie; Path=/; 2b3c4d',
  LOGIN_SESSION: 'canary-sëssion-ünï-6f6f',
  BASIC_AUTH: 'canary:user:pw:0d0d0d',
  SERVICE_CREDENTIALS: '{"canary":"json 5a5a5a"}',
  CLIENT_SECRET: 'canary$dollar`tick`4c4c4c',
  VAULT_TOKEN: 'canary;semi|pipe>gt 8e8e8e',
  JWT_KEY: 'canary[brackets]*?7d7d7d',
  DATABASE_URL: 'postgres://me:canary-in-url-3b3b@db.internal:5432/x',
  SHORT_KEY: 'abc',
  EMPTY_SECRET: '',
};

/** What must be found nowhere. (The address as a whole is no secret, its password is; three letters are none.) */
const VALUES: readonly string[] = [
  ...Object.values(CANARIES).filter(
    (value) => value.startsWith('canary') || value.startsWith('CANARY') || value.startsWith('{'),
  ),
  'canary-in-url-3b3b',
];

/**
 * A shell line that prints every canary. It holds them base64-encoded and reversed, which nothing looks for: the test has to get
 * them to where a hostile program would have got them by itself.
 */
export const REVEAL = revealOne(`${VALUES.join('\n--\n')}\n`);

/** The same for one text alone. */
export function revealOne(value: string): string {
  const hidden = Buffer.from(Buffer.from(value).toString('base64')).toReversed();
  return `printf %s '${Buffer.from(hidden).toString()}' | rev | base64 -d`;
}

/** The canaries that stand in some bytes, as they are, in hex or in base64. */
export function canariesIn(bytes: Buffer): string[] {
  const unwrapped = withoutBreaks(bytes);
  return VALUES.filter((value) => {
    const raw = Buffer.from(value);
    const encoded = [Buffer.from(raw.toString('hex')), ...[0, 1, 2].map((before) => innerBase64(raw, before))];
    return bytes.includes(raw) || encoded.some((form) => unwrapped.includes(form));
  });
}

function withoutBreaks(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/[ \r\n]/g, ''), 'latin1');
}

/** The characters in the middle, which are the same whatever stands around the value. */
function innerBase64(value: Buffer, before: number): Buffer {
  return Buffer.from(
    Buffer.concat([Buffer.alloc(before), value])
      .toString('base64')
      .slice(4, -4),
  );
}

/** Every file below a directory that holds a canary in its content or its name, with the canary. */
export function leaksBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile()
      ? readFileSync(path)
      : entry.isSymbolicLink()
        ? Buffer.from(readlinkSync(path))
        : Buffer.alloc(0);
    return [...canariesIn(content), ...canariesIn(Buffer.from(entry.name))].map((canary) => `${path}: ${canary}`);
  });
}

export interface Watched {
  /** Command lines that were seen. */
  readonly lines: ReadonlySet<string>;
  /** Canaries in a command line, or in the environment of any process but the ones left out. */
  readonly leaks: ReadonlySet<string>;
  stop(): void;
}

/** Looks at every process of this machine, over and over, but for one that has the canaries and its forks that are not yet another program. */
export function watchProcesses(leftOut: number): Watched {
  const lines = new Set<string>();
  const leaks = new Set<string>();
  const look = (): void => {
    // Asked each time: at first the one left out is itself a fork that is not yet another program.
    const theirs = partOf(String(leftOut), 'cmdline');
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid))) {
      const line = partOf(pid, 'cmdline');
      if (pid === String(leftOut) || line.equals(theirs)) continue;
      const text = line.toString('latin1').replaceAll('\0', ' ');
      lines.add(text);
      // What an engine passes to programs of its own, inside, is its own doing.
      const told = isConfined(pid) ? [] : canariesIn(line);
      for (const canary of told) leaks.add(`argument of ${text.slice(0, 80)}: ${canary}`);
      for (const canary of canariesIn(partOf(pid, 'environ')))
        leaks.add(`environment of ${text.slice(0, 80)}: ${canary}`);
    }
  };
  const timer = setInterval(look, 5);
  return { lines, leaks, stop: () => clearInterval(timer) };
}

function isConfined(pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync('/proc/self/ns/pid');
  } catch {
    return true; // it is gone
  }
}

function partOf(pid: string, part: 'cmdline' | 'environ'): Buffer {
  try {
    return readFileSync(`/proc/${pid}/${part}`);
  } catch {
    return Buffer.alloc(0);
  }
}
