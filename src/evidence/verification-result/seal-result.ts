import { sealStatementLine } from '../bundle/envelope.ts';
import type { HarnessKey } from '../bundle/keys.ts';
import type { LandingFacts } from '../bundle/landing-record.ts';
import type { StageDecision } from '../stage-records/schema.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { VerificationResult } from './schema.ts';

/** JSON lines with one envelope each are what in-toto calls a bundle. No reader of our own records takes this name for one of them. */
export const RESULT_SUFFIX = '.intoto.jsonl';

type Facts = Pick<VerificationResult['predicate'], 'timeCreated' | 'properties' | 'evidence'> & {
  readonly subject: VerificationResult['subject'][0];
};

function sealResult({ subject, ...facts }: Facts, key: HarnessKey): Buffer {
  const statement: VerificationResult = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [subject],
    predicateType: 'https://in-toto.io/attestation/svr/v0.1',
    predicate: { verifier: { id: 'urn:seatrial:verifier:v1' }, ...facts },
  };
  return sealStatementLine(statement, key);
}

/** That a stage was earned. Its subject is the engine's program, or the decision for an engine without one. */
export function sealStageResult(decision: StageDecision, file: string, digest: string, key: HarnessKey): Buffer {
  const { subject, stage, at } = decision;
  const { executable_sha256: program } = subject;
  return sealResult(
    {
      subject: {
        name: program === null ? file : subject.engine,
        digest: { sha256: program ?? digest },
        annotations: { engine: subject.engine, ...(subject.model === null ? {} : { model: subject.model }) },
      },
      timeCreated: at,
      properties: [`SEATRIAL_STAGE_${stage}`],
      evidence: [
        { name: file, digest: { sha256: digest } },
        ...decision.evidence.flatMap(({ runs }) =>
          runs.map((run) => ({ name: `${run.run_id}/report.json`, digest: { sha256: run.report_sha256 } })),
        ),
      ],
    },
    key,
  );
}

/** That a commit passed, merged with the tip of its branch; `record` is its landing record. */
export function sealLandingResult(facts: LandingFacts, record: Buffer, key: HarnessKey): Buffer {
  return sealResult(
    {
      subject: {
        name: facts.onto,
        digest: { gitCommit: facts.commit, gitTree: facts.tree },
        annotations: { tip: facts.tip, run_id: facts.runId, parent_run_id: facts.parentRunId },
      },
      timeCreated: facts.provenAt,
      properties: ['SEATRIAL_MERGED_TREE_PASSED'],
      evidence: [
        { name: `landings/${facts.commit}.json`, digest: { sha256: sha256(record) } },
        { name: `${facts.runId}/attestation.json`, digest: { sha256: facts.attestationSha256 } },
      ],
    },
    key,
  );
}
