import { inspectInstalled } from '../../../admission/inspect-executable.ts';
import { temporaryDirs } from '../../../admission/temporary-dirs.ts';
import type { Identification } from '../../../engines/definition.ts';
import type { Admissions } from '../../../admission/records/read.ts';
import { removeScratch } from '../../../confine/remove-scratch.ts';
import { makeScratch } from '../../../confine/scratch.ts';
import { findInstalledProgram } from '../../../confine/tools/installed-program.ts';
import { engineNamed } from '../../../engines/list.ts';
import type { AdmissionPolicy, OfferedModels, ProgramSource } from '../../../engines/policy.ts';
import { providerNamed, readModelName, sharedWire } from '../../../engines/providers.ts';
import type { SignInName } from '../../../evidence/schema/sign-in.ts';
import { readSettings } from '../../environment/settings.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import type { EngineFlags } from './admit-options.ts';
import { type Draft, draftModel, ON_PATH } from './admit-records.ts';

/** The records that let an installed agent run: its program, and a model for it. */
export async function draftEngine(
  name: string,
  flags: EngineFlags,
  { records }: Admissions,
): Promise<readonly Draft[]> {
  const definition = engineNamed(name, readSettings(process.cwd()).acpProfiles);
  if (definition === null) throw new SeatrialError('usage', `unknown engine ${name}; \`seatrial engines\` lists them`);
  const { executable, model } = definition.policy;
  if (executable?.from === 'variable' || model?.from !== 'flag')
    throw new SeatrialError('usage', `${name} is not admitted in one step; docs/admission.md says how it is`);
  const asked = draftAgentModel(name, model, definition.policy, flags);
  if (executable === null) return [asked];
  const program = await draftInstalled(name, executable, definition.identify ?? NO_IDENTITY);
  const isAdmitted = records.some(
    ({ record }) => record.kind === 'executable' && record.engine === name && record.sha256 === program['sha256'],
  );
  return isAdmitted ? [asked] : [program, asked];
}

const NO_IDENTITY: Identification = { args: [], expects: /(?:)/ };

async function draftInstalled(
  engine: string,
  { program, install }: Extract<ProgramSource, { from: 'path' }>,
  identify: Identification,
): Promise<Draft> {
  const path = findInstalledProgram(program, process.env);
  if (path === null)
    throw new SeatrialError(
      'blocked',
      `${program} is neither on PATH nor where it is usually installed; \`${install}\`, or add its directory to PATH`,
    );
  const scratch = makeScratch();
  try {
    const found = await inspectInstalled(path, {
      identify,
      engine,
      scratch,
      search: ON_PATH,
      temporary: temporaryDirs(process.env),
    });
    const { sha256, bytes: size, said: identity } = found;
    return { kind: 'executable', engine, sha256, size, path, source: null, source_commit: null, identity };
  } finally {
    await removeScratch(scratch);
  }
}

function draftAgentModel(
  engine: string,
  own: OfferedModels,
  { logins }: Pick<AdmissionPolicy, 'logins'>,
  { login: byLogin, ...flags }: EngineFlags,
): Draft {
  const signIn = byLogin === true ? ownLogin(logins) : null;
  if (byLogin === true && signIn === null)
    throw new SeatrialError(
      'usage',
      `${engine} takes keys only; leave out --login: only codex, claude, and pi with openai-codex have a login that may be used`,
    );
  const offered = signIn === null ? own : { ...own, provider: signIn.provider };
  const named = readModelName(flags.model, offered);
  if (named === null)
    throw new SeatrialError('usage', `--model ${flags.model} names no provider; give it as <provider>/<model>`);
  const { provider, name } = named;
  const known = providerNamed(provider);
  const wire = flags.wire ?? sharedWire(offered, provider);
  if (wire === null || !offered.wires.includes(wire))
    throw new SeatrialError(
      'usage',
      `${engine} and ${provider} share no protocol: ${engine} speaks ${offered.wires.join(', ')}`,
    );
  if (known === null && flags.endpointVariable === undefined)
    throw new SeatrialError(
      'usage',
      `${provider} has no well-known address; name the variable that contains it: --endpoint-variable <NAME>`,
    );
  if (known?.keyVariable === null && signIn === null)
    throw new SeatrialError('usage', `${provider} takes a login, not a key; give --login, or name another provider`);
  const keyVariable = flags.keyVariable ?? (signIn === null ? known?.keyVariable : undefined);
  return draftModel({
    ...flags,
    engine,
    provider,
    model: name,
    wire,
    ...(signIn === null ? {} : { login: signIn.program }),
    ...(typeof keyVariable === 'string' ? { keyVariable } : {}),
  });
}

/** The sign-in that an agent has, and the provider that it is for. */
function ownLogin(
  logins: AdmissionPolicy['logins'],
): { readonly provider: string; readonly program: SignInName } | null {
  for (const [provider, { of }] of Object.entries(logins)) for (const program of of) return { provider, program };
  return null;
}
