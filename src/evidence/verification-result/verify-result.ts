import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sha256 } from '../../kernel/digest.ts';
import { messageOf, SeatrialError, systemCode } from '../../kernel/errors.ts';
import { openStatementLine } from '../bundle/envelope.ts';
import { bundleDirs } from '../comparison/store.ts';
import { schemaFault } from '../schema/parts.ts';
import { type VerifyCheck, verifyCheck, type VerifyOptions } from '../verify/types.ts';
import { type VerificationResult, verificationResult } from './schema.ts';

export interface ResultVerification {
  readonly file: string;
  readonly ok: boolean;
  /** What the statement says; null: it cannot be relied on. */
  readonly statement: VerificationResult | null;
  readonly checks: readonly VerifyCheck[];
}

/**
 * Checks a statement that was written for other tools: its signature by a key that is trusted here, its form, and the files that it rests
 * on as far as they are here. Writes nothing.
 */
export function verifyResultFile(
  path: string,
  runsDir: string,
  { trusted }: Pick<VerifyOptions, 'trusted'>,
): ResultVerification {
  const file = resolve(path);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new SeatrialError('usage', `cannot read ${path}: ${messageOf(error)}`, error);
  }
  try {
    const { statement, key } = openStatementLine(bytes, decoded, trusted);
    const checks = [
      verifyCheck('signature', [], `valid, by key ${key.keyid.slice(0, 16)}… (${key.name})`),
      ...statement.predicate.evidence.map((one) => evidenceCheck(one, file, runsDir)),
    ];
    return { file, ok: checks.every(({ ok }) => ok), statement, checks };
  } catch (error) {
    return { file, ok: false, statement: null, checks: [verifyCheck('signature', [messageOf(error)], '')] };
  }
}

function decoded(value: unknown): VerificationResult {
  const parsed = verificationResult.safeParse(value);
  if (!parsed.success) throw new TypeError(schemaFault(parsed.error));
  return parsed.data;
}

type Evidence = VerificationResult['predicate']['evidence'][number];

/** Records lie beside the statement, bundles in the runs directory or in the one around a landing. */
function evidenceCheck({ name, digest }: Evidence, file: string, runsDir: string): VerifyCheck {
  const dirs = [runsDir, dirname(dirname(file))].flatMap((dir) => bundleDirs(dir));
  const found = [join(dirname(file), basename(name)), ...dirs.map((dir) => join(dir, name))]
    .map(digestOf)
    .filter((one) => one !== null);
  if (found.includes(digest.sha256)) return verifyCheck('evidence', [], `${name} is the one that it names`);
  return found.length === 0
    ? verifyCheck('evidence', [], `${name} is not here and was not compared`)
    : verifyCheck('evidence', [`${name} is not the one that it names`], '');
}

function digestOf(path: string): string | null {
  try {
    return sha256(readFileSync(path));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}
