import { resolve } from 'node:path';
import { providerNamed } from '../../engines/providers.ts';
import type { Caller } from '../../admission/gather.ts';
import { credentialOf, type ModelCredential, type ModelRecord } from '../../evidence/schema/admission.ts';
import type { Environment } from '../../evidence/bundle/keys.ts';
import { allValues, type KnownSecret } from '../../evidence/secrets/variables.ts';
import { secretsOfSignIn, signInOf } from '../../gateway/sign-in/read.ts';
import type { Budgets, Upstream } from '../../gateway/types.ts';
import type { RunEnvironment } from '../../run/request.ts';
import type { Settings } from './settings.ts';

/** Endpoints and keys of the admitted models, from the caller's variables. They are passed to the gateway and to nothing else. */
export function modelsOf(
  { budgets }: Pick<Settings, 'budgets'>,
  env: Environment,
  asked: Budgets,
): RunEnvironment['models'] {
  // The launcher renames the variable, see scripts/setup.sh.
  const certificates = valueOf(env, 'SEATRIAL_EXTRA_CA_CERTS') ?? valueOf(env, 'NODE_EXTRA_CA_CERTS');
  return {
    certificates: certificates === null ? null : resolve(certificates),
    upstream: (record) => {
      const { endpoint_variable: named } = record;
      const baseUrl = named === null ? providerNamed(record.provider)?.endpoint : valueOf(env, named);
      return baseUrl === undefined || baseUrl === null ? null : { baseUrl, key: keyFor(credentialOf(record), env) };
    },
    budgets: ({ provider, model }: ModelRecord) => ({
      ...(budgets[`${provider}/${model}`] ?? budgets['*']),
      ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
    }),
  };
}

function keyFor(credential: ModelCredential, env: Environment): Upstream['key'] {
  switch (credential.kind) {
    case 'key':
      return valueOf(env, credential.variable);
    case 'login':
      return signInOf(credential.program, env);
    case 'none':
      return null;
    default:
      return credential satisfies never;
  }
}

/** The same values, to be masked in everything that is stored. */
export function secretsOfModels({ admissions, env }: Caller): KnownSecret[] {
  const models = admissions.records.flatMap(({ record }) => (record.kind === 'model' ? [record] : []));
  const named = models.flatMap((record) =>
    [record.endpoint_variable, record.key_variable].flatMap((name) => {
      const value = name === null ? null : valueOf(env, name);
      return name === null || value === null ? [] : [[name, value] as const];
    }),
  );
  const logins = models.flatMap(({ login }) =>
    login === undefined ? [] : Object.entries(secretsOfSignIn(signInOf(login, env))),
  );
  return allValues([...named, ...logins]);
}

function valueOf(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}
