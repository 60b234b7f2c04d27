import { signInFact } from '../../../admission/login.ts';
import { type AdmissionRecord, credentialOf, type ModelCredential } from '../../../evidence/schema/admission.ts';
import { SIGN_INS } from '../../../gateway/sign-in/programs.ts';
import { prettyJson } from '../../../kernel/canonical.ts';

/** What is recorded of an agent that people install, in short. */
export function agentLines(record: AdmissionRecord): string[] {
  switch (record.kind) {
    case 'executable':
      return [
        `${record.engine}: ${record.identity.split('\n')[0] ?? ''}`,
        `  program  ${record.path}, ${Math.ceil(record.size / 1e6)} MB, SHA-256 ${record.sha256.slice(0, 16)}…`,
      ];
    case 'model': {
      const { provider, model, endpoint_variable: endpoint } = record;
      return [
        `  model    ${provider} / ${model}, ${endpoint === null ? 'at the public endpoint' : `at the address in ${endpoint}`}`,
        credentialLine(credentialOf(record)),
      ];
    }
    default:
      return [prettyJson(record)];
  }
}

function credentialLine(credential: ModelCredential): string {
  switch (credential.kind) {
    case 'none':
      return '  key      none';
    case 'key': {
      const isSet = (process.env[credential.variable] ?? '') !== '';
      return `  key      from ${credential.variable}, which is ${isSet ? 'set' : 'not set'}`;
    }
    case 'login': {
      const { where, state } = signInFact(credential.program, process.env, Date.now());
      return `  login    of ${credential.program}, read from ${where} (${state})`;
    }
    default:
      return credential satisfies never;
  }
}

/** What a person should know before they let the gateway use a sign-in. */
export function termsLines(record: AdmissionRecord): string[] {
  if (record.kind !== 'model' || record.login === undefined) return [];
  const { terms, provider, renew } = SIGN_INS[record.login];
  return [
    `The gateway would use the sign-in of ${record.login} for requests of ${record.engine} to ${provider}. It only reads it; you renew it with \`${renew}\`.`,
    ...terms,
    'None of this was tried against the real provider. docs/logins.md says more.',
  ];
}
