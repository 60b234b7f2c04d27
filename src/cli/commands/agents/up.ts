import { Command } from '@commander-js/extra-typings';
import { agentModel } from '../../../agents/config/models.ts';
import type { Operation } from '../../../agents/lifecycle/operate.ts';
import { planUp, up, type UpRequest, type UpResult } from '../../../agents/lifecycle/up.ts';
import { plannedRules } from '../../../agents/panes/sandbox.ts';
import { kickoffFileOf, workDirOf } from '../../../agents/protocol/paths.ts';
import type { Access } from '../../../confine/bwrap/terminal.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../../options.ts';
import { print } from '../../print.ts';
import { withPinnedOperation } from '../../environment/operation.ts';
import { projectOption } from '../../environment/project.ts';
import { projectChecks } from '../../environment/project-checks.ts';

export function upCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('up')
    .description(
      'Start the enabled agents of a project (all but tasks), or the named ones, and then the watchdog. Stops nothing.',
    )
    .argument('[agents...]', 'agents to start; a disabled one is started this once')
    .option('--resume', 'go on with the phase and the conversations (also RESUME_PHASE=1)')
    .option('--fresh', 'go on with the phase, with new conversations')
    .option('--dry-run', 'show what would be started, and start nothing')
    .addOption(projectOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([names], { project, resume, fresh, dryRun, json }) =>
      withPinnedOperation(project, async (operation) => {
        const resumes = resume === true || process.env['RESUME_PHASE'] === '1';
        const mode = fresh === true ? 'fresh' : resumes ? 'resume' : null;
        const request: UpRequest = { names, mode, checks: projectChecks(operation.project) };
        if (dryRun === true) return showPlan(operation, request, json);
        const result = await up(operation, request);
        print(json, result, () => resultLines(result));
        return EXIT.pass;
      }),
    ),
    args,
  );
}

function resultLines({ started, running, differing, warnings, watchdog }: UpResult): string[] {
  return [
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(started.length === 0 ? [] : [`started: ${started.join(', ')}`]),
    ...(running.length === 0 ? [] : [`already running: ${running.join(', ')}`]),
    ...differing.map((name) => `${name} differs from agents.toml; to apply it: seatrial restart ${name}`),
    `watchdog: ${watchdog}`,
  ];
}

async function showPlan(operation: Operation, request: UpRequest, json: true | undefined): Promise<ExitCode> {
  const { project } = operation;
  const { agents, phase, sessions, warnings } = await planUp(operation, request);
  const rows = agents.map((agent) => {
    const model = agentModel(project, agent, phase);
    return {
      name: agent.name,
      starts: sessions.get(agent.session)?.dead !== null,
      session: agent.session,
      dir: workDirOf(project, agent),
      model: model === null ? null : { name: model.name, why: model.why },
      env: agent.env,
      mounts: plannedRules(project, agent, phase, operation.env)?.map(({ path, access }) => ({ path, access })) ?? null,
      kickoff: agent.kind === 'loop' || agent.prompt !== null ? kickoffFileOf(project, agent) : null,
    };
  });
  print(json, { agents: rows, warnings }, () => [
    ...warnings.map((warning) => `warning: ${warning}`),
    ...rows.flatMap(({ name, starts, session, dir, model, env, mounts, kickoff }) => [
      `${name}: ${starts ? 'would start' : 'runs already'} as session ${session}`,
      `  directory  ${dir}`,
      ...(model === null ? [] : [`  model      ${model.name} (${model.why})`]),
      ...(mounts === null ? ['  sees       everything'] : mountLines(mounts)),
      ...(env.length === 0 ? [] : [`  variables  ${env.join(', ')}`]),
      ...(kickoff === null ? [] : [`  kickoff    ${kickoff}`]),
    ]),
  ]);
  return EXIT.pass;
}

/** In the order in which they matter to a reader: what it writes, and what it cannot see. */
function mountLines(mounts: readonly { readonly path: string; readonly access: Access }[]): string[] {
  const lines = (access: Access, word: string): string[] =>
    mounts.filter((mount) => mount.access === access).map(({ path }) => `  ${word.padEnd(9)}  ${path}`);
  return [...lines('write', 'writes'), ...lines('private', 'own empty'), ...lines('hidden', 'hidden')];
}
