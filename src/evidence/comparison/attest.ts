import { sha256 } from '../../kernel/digest.ts';
import { messageOf } from '../../kernel/errors.ts';
import { openStatement, sealStatement, signerText } from '../bundle/envelope.ts';
import type { HarnessKey } from '../bundle/keys.ts';
import { comparisonStatement, type ComparisonStatement } from './schema.ts';
import { schemaFault } from '../schema/parts.ts';

const PREDICATE = { plan: 'urn:seatrial:comparison-plan:v1', result: 'urn:seatrial:comparison:v1' } as const;

export interface ComparisonFiles {
  readonly kind: keyof typeof PREDICATE;
  readonly id: string;
  readonly at: string;
  readonly files: readonly (readonly [name: string, bytes: Buffer])[];
}

/** The signed bytes of a statement about files of a comparison. */
export function sealComparisonFiles({ kind, id, at, files }: ComparisonFiles, key: HarnessKey): Buffer {
  const statement: ComparisonStatement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: PREDICATE[kind],
    predicate: { comparison_id: id, at, signer: signerText(key.publicKey) },
  };
  return sealStatement(statement, key);
}

export type OpenedComparisonFiles =
  | { readonly ok: true; readonly keyid: string; readonly id: string; readonly files: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly fault: string };

/** Opens such a statement: the digests that it names, and who signed it. */
export function openComparisonFiles(bytes: Buffer, kind: ComparisonFiles['kind']): OpenedComparisonFiles {
  try {
    const { statement, keyid } = openStatement(bytes, decode, ({ predicate }) => predicate.signer);
    if (statement.predicateType !== PREDICATE[kind]) return { ok: false, fault: `it is not about a ${kind}` };
    const files = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
    return { ok: true, keyid, id: statement.predicate.comparison_id, files };
  } catch (error) {
    return { ok: false, fault: messageOf(error) };
  }
}

function decode(value: unknown): ComparisonStatement {
  const parsed = comparisonStatement.safeParse(value);
  if (!parsed.success) throw new TypeError(schemaFault(parsed.error));
  return parsed.data;
}
