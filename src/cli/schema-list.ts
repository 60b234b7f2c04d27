import * as z from 'zod/mini';
import { agentsFile } from '../agents/config/schema.ts';
import { journalEntry } from '../agents/journal/schema.ts';
import { admissionRecord } from '../evidence/schema/admission.ts';
import { answer } from '../evidence/schema/answer.ts';
import { envelope, landingStatement, ledgerEntry, manifest, statement } from '../evidence/schema/bundle.ts';
import { eligibility } from '../evidence/schema/eligibility.ts';
import { runEvent } from '../evidence/schema/events.ts';
import { exchange } from '../evidence/schema/exchange.ts';
import { liveEntry } from '../evidence/schema/running.ts';
import { noTargetInspection } from '../evidence/schema/no-target.ts';
import { report } from '../evidence/schema/report.ts';
import { stageRecord } from '../evidence/stage-records/schema.ts';
import { verificationResult } from '../evidence/verification-result/schema.ts';
import { traceLine } from '../evidence/schema/trace.ts';
import { fleetFile } from '../fleet/config/schema.ts';
import { cutoverEntry, cutoverPlan } from '../fleet/cutover/schema.ts';
import { fingerprintFile } from '../fleet/fingerprint/schema.ts';
import { modelScript } from '../gateway/scripted/schema.ts';
import { approvalsFile } from '../run/approvals/policy-file.ts';
import { comparisonPlan, comparisonResult } from '../evidence/comparison/schema.ts';
import { planRulesFile } from '../plans/rules-file.ts';
import { ownedFile } from '../stages/routes/owned.ts';
import { contract, taskFileSchema } from '../task/contract.ts';
import { describeKeys, SETTINGS_KEYS, TASK_KEYS } from './environment/described-keys.ts';
import { settingsFile } from './environment/settings.ts';

interface FileFormat {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly schema: z.core.$ZodType;
  /** Of a file that people write: what each key means. */
  readonly keys?: Readonly<Record<string, string>>;
}

const FORMATS: readonly FileFormat[] = [
  {
    name: 'report',
    title: 'report.json',
    description: 'The verdict on one run, and everything it rests on.',
    schema: report,
  },
  {
    name: 'event',
    title: 'one line of events.normalized.jsonl',
    description:
      'What happened in a run. `hash` is the last member of the line and the SHA-256 of the line without it; `prev` is the hash of the line before.',
    schema: runEvent,
  },
  {
    name: 'trace',
    title: 'one line of trace.jsonl',
    description: 'One span of a run as OTLP/JSON.',
    schema: traceLine,
  },
  {
    name: 'manifest',
    title: 'manifest.json',
    description: 'SHA-256 and size of every file of a bundle but this one and the attestation.',
    schema: manifest,
  },
  {
    name: 'attestation',
    title: 'attestation.json',
    description: 'A DSSE envelope; its payload is the statement in base64, signed with ed25519.',
    schema: envelope,
  },
  {
    name: 'statement',
    title: 'the payload of attestation.json',
    description: 'An in-toto Statement v1 with the test-result predicate; its subject is manifest.json.',
    schema: statement,
  },
  {
    name: 'landing-statement',
    title: 'the payload of a landing record',
    description:
      'That a commit was judged merged with the tip of its branch and passed; in a DSSE envelope, in landings/ of the runs directory and at refs/seatrial/landings/<commit> of the repository.',
    schema: landingStatement,
  },
  {
    name: 'ledger-entry',
    title: 'one line of ledger.jsonl',
    description: 'A run that was sealed or pruned, or a line that a crash cut off; chained like the events.',
    schema: ledgerEntry,
  },
  {
    name: 'eligibility',
    title: 'eligibility.json',
    description: 'Who may do a task, who may not, and why.',
    schema: eligibility,
  },
  {
    name: 'admission',
    title: 'a file of the admissions directory',
    description: 'What a person allowed to take part in runs: where a program comes from, a program, or a model.',
    schema: admissionRecord,
  },
  {
    name: 'no-target-inspection',
    title: 'stage2-no-target-inspection.json',
    description: 'That no target path was within reach of the engine, and how that was found.',
    schema: noTargetInspection,
  },
  {
    name: 'exchange',
    title: 'one line of backend/model/exchanges.jsonl',
    description: 'A question to the model and what came back, as the engine saw it, with secrets masked.',
    schema: exchange,
  },
  {
    name: 'live',
    title: '.live/<run_id>.json',
    description: 'Which process a run belongs to while it goes on.',
    schema: liveEntry,
  },
  {
    name: 'contract',
    title: 'inputs/contract.json',
    description: 'All that was asked of a run.',
    schema: contract,
  },
  {
    name: 'comparison-plan',
    title: 'plan.json of a comparison',
    description: 'What a comparison will run, signed before its first run.',
    schema: comparisonPlan,
  },
  {
    name: 'comparison',
    title: 'comparison.json',
    description:
      'What came of a comparison: rates, intervals, reasons and the run that counts for each place of the plan.',
    schema: comparisonResult,
  },
  {
    name: 'stage-record',
    title: 'a file of .seatrial/stages/batches or decisions',
    description:
      'Runs that are to show a stage, or a stage that was granted or taken back; each names the record before it, and a person signs it with ssh-keygen -Y sign (namespace seatrial-stage).',
    schema: stageRecord,
  },
  {
    name: 'verification-result',
    title: 'the payload of an .intoto.jsonl file beside a decision about a stage or a landing record',
    description:
      'An in-toto Statement v1 with the predicate Simple Verification Result: a stage that was earned, or a commit that passed merged with the tip of its branch; in a DSSE envelope on one line.',
    schema: verificationResult,
  },
  {
    name: 'plan-rules',
    title: 'a file for `plan check --rules`',
    description: 'Rules for planning documents, read as TOML; what is not named stays as it is built in.',
    schema: planRulesFile,
  },
  {
    name: 'owned',
    title: 'owned.toml',
    description: 'Repositories that belong to the user; those that are not critical may get branches from stage 5 on.',
    schema: ownedFile,
  },
  {
    name: 'settings',
    title: 'seatrial.toml',
    description: 'Where runs go, what a confinement shows, what is decided beforehand.',
    schema: settingsFile,
    keys: SETTINGS_KEYS,
  },
  {
    name: 'approvals',
    title: 'an approval policy',
    description: 'What is allowed, denied or asked, by action, path and command; the first rule that matches decides.',
    schema: approvalsFile,
  },
  {
    name: 'answer',
    title: '.live/<run_id>.answers/<question>.json',
    description: 'The answer to a question of a run that goes on.',
    schema: answer,
  },
  {
    name: 'task',
    title: 'task.toml',
    description: 'A task as its author writes it, read as TOML.',
    schema: taskFileSchema,
    keys: TASK_KEYS,
  },
  {
    name: 'agents',
    title: 'agents.toml',
    description: 'A project: its agents, its phases, and how they are kept working.',
    schema: agentsFile,
  },
  {
    name: 'fleet',
    title: 'fleet.toml',
    description: 'Many projects: where each lies, whether it may be started, and which Seatrial it is pinned to.',
    schema: fleetFile,
  },
  {
    name: 'fingerprint',
    title: 'what `fingerprint take` writes',
    description: 'Files, sessions and watchdogs of a live project, to show later that it was not touched.',
    schema: fingerprintFile,
  },
  {
    name: 'cutover-plan',
    title: 'cutover/plan.json below the state of a staged project',
    description: 'What a cutover changes, found out from what is really there.',
    schema: cutoverPlan,
  },
  {
    name: 'cutover-entry',
    title: 'one line of cutover/steps.jsonl',
    description: 'A step of a cutover, or of the way back, that was begun or done.',
    schema: cutoverEntry,
  },
  {
    name: 'journal-entry',
    title: 'one line of state/journal.jsonl',
    description: 'Something that happened in a project; chained like the events of a run.',
    schema: journalEntry,
  },
  {
    name: 'model-script',
    title: 'the script of a scripted model',
    description: 'What the scripted model says, turn by turn, for tests and checks without a real one.',
    schema: modelScript,
  },
];

/** Every file format as a JSON Schema (draft 2020-12), by file name. */
export function jsonSchemas(): ReadonlyMap<string, object> {
  return new Map(
    FORMATS.map(({ name, title, description, schema, keys = {} }) => {
      const { $schema, ...body } = z.toJSONSchema(schema, { target: 'draft-2020-12' });
      return [
        `${name}.schema.json`,
        { $schema, $id: `seatrial/${name}.schema.json`, title, description, ...describeKeys(body, keys) },
      ];
    }),
  );
}
