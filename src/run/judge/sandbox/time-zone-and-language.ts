import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mount } from '../../../confine/types.ts';
import type { JudgeRequest } from '../types.ts';
import { readOnly } from './layout.ts';
import { drawOne } from './random-words.ts';

/** Time zones of inhabited places, with their rule for machines that lack the zone's name. None equals the sandbox's usual zone. */
const [ZONE = '', RULE = ''] = drawOne(
  'America/New_York EST5EDT,M3.2.0,M11.1.0',
  'America/Los_Angeles PST8PDT,M3.2.0,M11.1.0',
  'Europe/Berlin CET-1CEST,M3.5.0,M10.5.0/3',
  'Asia/Kolkata IST-5:30',
  'Asia/Tokyo JST-9',
  'Australia/Adelaide ACST-9:30ACDT,M10.1.0,M4.1.0/3',
).split(' ');
/** English, so that the output of programs stays readable. */
const LANGUAGE = drawOne('en_AU', 'en_CA', 'en_IE', 'en_NZ');

const LOCALES = '/usr/lib/locale';
/** Available on every system: all characters, but no rules of a language. */
const PLAIN = 'C.utf8';

/** Sets another time zone and language, for code that recognises a sandbox by the usual ones. */
export function setTimeZoneAndLanguage({ confinement, scratch }: Pick<JudgeRequest, 'confinement' | 'scratch'>): {
  readonly variables: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
} {
  const variables = {
    TZ: existsSync(`/usr/share/zoneinfo/${ZONE}`) ? ZONE : RULE,
    LANG: `${LANGUAGE}.UTF-8`,
    LC_ALL: `${LANGUAGE}.UTF-8`,
  };
  const plain = join(LOCALES, PLAIN);
  if (confinement.kind !== 'bubblewrap' || !existsSync(plain)) return { variables, mounts: [] };
  const dir = join(scratch, 'locales');
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  // Copied under another name, so that no output of a program changes.
  for (const name of [PLAIN, `${LANGUAGE}.utf8`]) cpSync(plain, join(dir, name), { recursive: true });
  return { variables, mounts: [readOnly(dir, LOCALES)] };
}
