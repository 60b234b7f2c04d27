import { Command } from '@commander-js/extra-typings';
import { allRefusals } from '../../../admission/decide.ts';
import { requiredGates } from '../../../admission/eligibility.ts';
import { type AdmissionFacts, admittedExecutable, stageOf } from '../../../admission/facts.ts';
import { gatherAdmissionFacts } from '../../../admission/gather.ts';
import { enginesWith } from '../../../engines/list.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { readSettings } from '../../environment/settings.ts';
import { callerOf } from '../../environment/run-environment.ts';
import { plural } from '../../../evidence/report/render/text/words.ts';

export function enginesCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('engines')
    .description(
      'Show which engines may run now, and what blocks the others. Writes nothing, starts no engine, asks no model.',
    )
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, (_args, { json }) => list(json === true)),
    args,
  );
}

function list(json: boolean): ExitCode {
  const settings = readSettings(process.cwd());
  const caller = { ...callerOf(settings), inspectsDisabled: true } as const;
  const engines = enginesWith(settings.acpProfiles).map(({ name }) => describe(gatherAdmissionFacts(name, caller)));
  print(json, engines, () => engines.flatMap(lines).map(safeLine));
  return EXIT.pass;
}

type Described = ReturnType<typeof describe>;

function describe(facts: AdmissionFacts) {
  const { engine, executable, admissions } = facts;
  const refusals = allRefusals(facts).map(({ gate, reason, detail, next }) => ({
    gate,
    code: reason.code,
    reason: reason.text,
    detail,
    next,
  }));
  return {
    engine,
    eligible: refusals.length === 0,
    refusals,
    required_gates: requiredGates(facts),
    stage: stageOf(facts),
    executable:
      executable.state === 'present'
        ? { path: executable.path, sha256: executable.sha256, admitted: admittedExecutable(facts) !== null }
        : null,
    admitted_models: admissions.records.flatMap(({ record }) =>
      record.kind === 'model' && record.engine === engine
        ? [{ provider: record.provider, model: record.model, runtime_provider: record.runtime.provider }]
        : [],
    ),
  };
}

const INDENT = ' '.repeat(10);

function lines({ engine, refusals, required_gates: gates, executable, admitted_models: models }: Described): string[] {
  const asksModel = gates.includes('response shape');
  const standing =
    refusals.length === 0
      ? `eligible${asksModel ? ', if its model answers' : ''}`
      : `not eligible: ${plural(refusals.length, 'obstacle')}`;
  return [
    `${engine.padEnd(INDENT.length - 1)} ${standing}`,
    ...refusals.flatMap(({ reason, detail, next }) => [`${INDENT}- ${reason}: ${detail}`, `${INDENT}  next: ${next}`]),
    ...(executable === null
      ? []
      : [`${INDENT}executable: ${executable.sha256} ${executable.admitted ? 'admitted' : 'not admitted'}`]),
    ...models.map(({ provider, model }) => `${INDENT}model: ${provider} / ${model}`),
  ];
}
