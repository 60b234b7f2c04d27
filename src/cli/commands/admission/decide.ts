import { Command } from '@commander-js/extra-typings';
import { firstRefusal } from '../../../admission/decide.ts';
import { decideEligibility } from '../../../admission/eligibility.ts';
import type { AdmissionFacts } from '../../../admission/facts.ts';
import { gatherFacts } from '../../../admission/gather.ts';
import { taskFactOf } from '../../../admission/task-fact.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import type { Eligibility } from '../../../evidence/schema/eligibility.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { contractOf } from '../../../task/contract-of.ts';
import { openBaseCache } from '../../environment/base-cache.ts';
import { callerOf } from '../../environment/run-environment.ts';
import { readSettings } from '../../environment/settings.ts';
import { withRepositoryOptions } from '../../flags/repository-options.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { resolveRunSource, type RunSource, type RunSourceFlags } from '../../run-source.ts';

interface Flags extends RunSourceFlags {
  readonly engine?: string | undefined;
  readonly model?: string | undefined;
  readonly json?: true | undefined;
}

export function decideCommand(args: readonly string[]): Promise<ExitCode> {
  const command = withRepositoryOptions(
    new Command('decide')
      .description(
        'Show which engine would do a task, and why no other would: by risk class, stage, admissions and policy. It is the decision that a run keeps as eligibility.json. Starts no engine and asks no model.',
      )
      .argument('[task]', 'task directory, or the name of a built-in task'),
  )
    .option('--engine <name>', 'engine to ask about (default: the one that a run would take)')
    .option('--model <provider/model>', 'model that this engine would ask')
    .addOption(jsonOption('print the decision as JSON, as in eligibility.json'));
  return parseAndRun(
    handledBy(command, ([task], flags) => decide(task, flags)),
    args,
  );
}

async function decide(task: string | undefined, flags: Flags): Promise<ExitCode> {
  const asked = await resolveRunSource(task, flags, openBaseCache());
  try {
    const decision = decisionOn(asked, flags);
    print(flags.json, decision, () => decisionLines(decision).map(safeLine));
    return decision.selected_backend === null ? EXIT.blocked : EXIT.pass;
  } finally {
    await asked.dispose();
  }
}

function decisionOn(asked: RunSource, { engine, model }: Flags): Eligibility {
  const contract = contractOf({ ...asked.inputs, terms: asked.terms });
  const requested = engine === undefined || model === undefined ? undefined : { engine, name: model };
  const caller = callerOf(readSettings(process.cwd()), process.env, requested);
  const { engines } = gatherFacts(engine ?? 'fake', caller, {
    task: taskFactOf(contract),
    confined: true,
    replayed: false,
  });
  const chosen = engine ?? usualEngine(engines, asked.solutionDir !== null);
  return decideEligibility({ runId: '', engine: chosen, contract, engines });
}

/** As a run chooses: the fake engine where there is a known solution, else the first agent that may run. */
function usualEngine(engines: readonly AdmissionFacts[], hasOracle: boolean): string {
  if (hasOracle) return 'fake';
  const agents = engines.filter(({ policy }) => policy !== null && policy.executable !== null);
  const eligible = agents.filter((facts) => firstRefusal(facts) === null);
  // What has earned more comes first.
  const [first] = eligible.toSorted((a, b) => b.stage.earned - a.stage.earned);
  return first?.engine ?? agents[0]?.engine ?? 'fake';
}

function decisionLines(decision: Eligibility): string[] {
  const { selected_backend: selected, denied_backends: denied, reasons } = decision;
  const width = Math.max(...denied.map(({ backend }) => backend.length), 0);
  return [
    selected === null ? 'no engine may do this task' : `${selected} would do this task`,
    ...reasons.map((reason) => `  ${reason}`),
    `  risk class: ${decision.risk_class}; may change: ${decision.allowed_mutation}`,
    `  gates: ${decision.required_gates.join(', ')}`,
    'not chosen:',
    ...denied.map(({ backend, reason }) => `  ${backend.padEnd(width)}  ${reason}`),
    `next: ${decision.escalation_path}`,
  ];
}
