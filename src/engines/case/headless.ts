import { agentEnvironment } from '../environment.ts';
import type { Engine } from '../definition.ts';
import { diagnoseCase } from './diagnose.ts';
import { claimedCommit } from './envelope.ts';
import { caseLog } from './events.ts';
import { caseFiles, DATA_DIR, PI_DIR, caseTaskFile } from './files.ts';
import { caseReason } from './reasons.ts';

/** Case reads keys only from these variables, by provider. */
const KEY_VARIABLES: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
};

/** Runs WorkOS Case with `ca run`. Its exit code and output are recorded, never trusted. */
export const caseEngine: Engine = {
  name: 'case',
  usesOracle: false,
  stateDirs: ['.case'],
  hides: ['.pi'],
  launch: (context) => {
    const { contract, at, attempt, program, model } = context;
    if (program === null || model === null) return { refused: caseReason('case_not_equipped') };
    const keyVariable = Object.hasOwn(KEY_VARIABLES, model.provider) ? KEY_VARIABLES[model.provider] : undefined;
    if (keyVariable === undefined)
      return {
        refused: caseReason('case_provider_unmapped', {
          provider: model.provider,
          known: Object.keys(KEY_VARIABLES).join(' or '),
        }),
      };
    return {
      argv: [program, 'run', '--task', at(`/artifacts/${caseTaskFile(attempt)}`), '--mode', 'unattended'],
      env: {
        ...agentEnvironment(context),
        CASE_DATA_DIR: at(`/artifacts/${DATA_DIR}`),
        PI_CODING_AGENT_DIR: at(`/artifacts/${PI_DIR}`),
        [keyVariable]: model.key,
      },
      stdin: '',
      files: caseFiles({ contract, attempt, workspace: at('/workspace'), model, keyVariable }),
    };
  },
  read: () => [],
  ownLog: ({ attempt }) => caseLog(attempt),
  claimIn: claimedCommit,
  diagnose: diagnoseCase,
};
