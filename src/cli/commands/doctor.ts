import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Argument, Command } from '@commander-js/extra-typings';
import { preflight } from '../../agents/lifecycle/preflight.ts';
import { baseFault } from '../../agents/phases/base-fault.ts';
import { projectChecks } from '../environment/project-checks.ts';
import { readPhaseIndex } from '../../agents/phases/index-file.ts';
import { removeScratch } from '../../confine/remove-scratch.ts';
import { makeScratch } from '../../confine/scratch.ts';
import { findProgram } from '../../confine/tools/find-program.ts';
import { nodePackageOf } from '../../confine/tools/node-packages.ts';
import { findInstalledProgram } from '../../confine/tools/installed-program.ts';
import { allRefusals } from '../../admission/decide.ts';
import { gatherAdmissionFacts } from '../../admission/gather.ts';
import { type SignInFact, signInFact } from '../../admission/login.ts';
import { askInstalled } from '../../admission/identify.ts';
import type { EngineDefinition } from '../../engines/definition.ts';
import type { AdmissionPolicy } from '../../engines/policy.ts';
import { enginesWith } from '../../engines/list.ts';
import { providerNamed } from '../../engines/providers.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { messageOf } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { handledBy, jsonOption, parseAndRun } from '../options.ts';
import { print } from '../print.ts';
import { withOperation } from '../environment/operation.ts';
import { projectOption } from '../environment/project.ts';
import { callerOf } from '../environment/run-environment.ts';
import { readSettings } from '../environment/settings.ts';

/** What a run needs of the machine, and what for. */
const TOOLS: Readonly<Record<string, string>> = {
  bwrap: 'the sandbox',
  socat: 'the way from the sandbox to the gateway',
  git: 'trees and patches',
  strace: 'exact records of what tests use, and --audit',
};
const OPTIONAL = new Set(['strace']);

interface FoundAgent {
  readonly engine: string;
  readonly program: string | null;
  /** Of its package, or its own answer to `--version`, asked in a sandbox without network; null if it is absent. */
  readonly version: string | null;
  /** Whether the variable with its provider's usual key is set; null if it has no provider of its own. */
  readonly key: { readonly variable: string; readonly is_set: boolean } | null;
  /** Its own sign-in, of which only existence and expiry are looked at; null if it has none that can be used. */
  readonly login: {
    readonly where: string;
    readonly state: SignInFact['state'];
    readonly expires_at: string | null;
  } | null;
  readonly ready: boolean;
  readonly next: string | null;
}

export function doctorCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('doctor')
    .description(
      'Show which agents are installed on this machine, which are ready to run, and the next command for the others. Prints no credential and asks no model.',
    )
    .addArgument(new Argument('[what]', 'agents: what `seatrial up` would check in this project').choices(['agents']))
    .addOption(projectOption())
    .addOption(jsonOption());
  return parseAndRun(
    handledBy(command, ([what], { project, json }) =>
      what === 'agents' ? examineProject(project, json) : examine(json === true),
    ),
    args,
  );
}

/** Everything that `up` checks first, for all enabled agents. */
function examineProject(dir: string, json: true | undefined): Promise<ExitCode> {
  return withOperation(dir, async (operation) => {
    const { project, env } = operation;
    const agents = project.agents.filter(({ enabled }) => enabled);
    const phase = project.phases[readPhaseIndex(project)] ?? null;
    const checks = projectChecks(project);
    const { faults: found, warnings } = preflight(project, agents, phase, env, checks);
    const unproven = phase === null || found.length > 0 ? null : await baseFault(project, phase, checks.tell);
    const faults = unproven === null ? found : [unproven];
    print(json, { faults, warnings }, () =>
      [
        ...faults.map((fault) => `fault    ${fault}`),
        ...warnings.map((warning) => `warning  ${warning}`),
        ...(faults.length === 0 ? [`ok       ${agents.map(({ name }) => name).join(', ')} can be started`] : []),
      ].map(safeLine),
    );
    return faults.length === 0 ? EXIT.pass : EXIT.blocked;
  });
}

async function examine(json: boolean): Promise<ExitCode> {
  const path = process.env['PATH'] ?? '';
  const tools = Object.entries(TOOLS).map(([name, purpose]) => ({ name, purpose, path: findProgram(name, path) }));
  const agents = await Promise.all(
    enginesWith(readSettings(process.cwd()).acpProfiles)
      .filter(({ policy }) => policy.executable?.from === 'path')
      .map((engine) => lookAt(engine)),
  );
  const isUsable = tools.every(({ name, path: found }) => found !== null || OPTIONAL.has(name));
  print(json, { tools, agents }, () =>
    [
      ...tools.map(
        ({ name, purpose, path: found }) => `${found === null ? 'missing' : 'ok'.padEnd(7)}  ${name}: ${purpose}`,
      ),
      '',
      ...agents.flatMap(agentLines),
    ].map(safeLine),
  );
  return isUsable ? EXIT.pass : EXIT.blocked;
}

async function lookAt({ name, policy, identify }: EngineDefinition): Promise<FoundAgent> {
  const { executable, model } = policy;
  const program = executable?.from === 'path' ? findInstalledProgram(executable.program, process.env) : null;
  const facts = gatherAdmissionFacts(name, callerOf(readSettings(process.cwd())));
  const [refusal] = allRefusals(facts);
  const provider = model?.from === 'flag' && model.provider !== null ? providerNamed(model.provider) : null;
  return {
    engine: name,
    program,
    version: program === null ? null : await versionOf(program, identify?.args ?? []),
    key:
      provider === null || provider.keyVariable === null
        ? null
        : { variable: provider.keyVariable, is_set: (process.env[provider.keyVariable] ?? '') !== '' },
    login: loginOf(policy),
    ready: refusal === undefined,
    next: refusal === undefined ? `seatrial run --repo . --ask '…' --engine ${name}` : refusal.next,
  };
}

function loginOf({ logins }: AdmissionPolicy): FoundAgent['login'] {
  const [program] = Object.values(logins).flatMap(({ of }) => of);
  if (program === undefined) return null;
  const { where, state, expiresAt } = signInFact(program, process.env, Date.now());
  return { where, state, expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString() };
}

function loginText({ state, where, expires_at: expiry }: NonNullable<FoundAgent['login']>): string {
  switch (state) {
    case 'ready':
      return expiry === null ? `signed in (${where})` : `signed in until ${expiry} (${where})`;
    case 'expired':
      return `sign-in expired at ${expiry} (${where})`;
    case 'absent':
    case 'unusable':
      return 'not signed in';
    default:
      return state satisfies never;
  }
}

/** Asking costs seconds, so the version of a package is read from it. */
async function versionOf(program: string, identify: readonly string[]): Promise<string | null> {
  const root = nodePackageOf(realpathSync(program));
  const version = root === null ? null : versionInPackage(root);
  if (version !== null) return version;
  const scratch = makeScratch();
  try {
    const search = { path: process.env['PATH'] ?? '', cacheDir: null };
    const said = await askInstalled(program, identify, scratch, search);
    return /\d+(\.\d+)+\S*/.exec(said)?.[0] ?? null;
  } catch (error) {
    return `does not answer (${messageOf(error)})`;
  } finally {
    await removeScratch(scratch);
  }
}

function versionInPackage(root: string): string | null {
  try {
    return packageJson.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).version;
  } catch {
    return null;
  }
}

const packageJson = z.object({ version: z.string() });

function agentLines({ engine, program, version, key, login, ready, next }: FoundAgent): string[] {
  const standing = program === null ? 'absent' : ready ? 'ready' : 'not yet';
  const about = [
    ...(program === null ? [] : [`${program}${version === null ? '' : ` (${version})`}`]),
    ...(program === null || key === null ? [] : [`${key.variable} is ${key.is_set ? 'set' : 'not set'}`]),
    ...(program === null || login === null ? [] : [loginText(login)]),
  ];
  return [
    `${standing.padEnd(7)}  ${[engine, ...about].join(', ')}`,
    ...(next === null ? [] : [`         next: ${next}`]),
  ];
}
