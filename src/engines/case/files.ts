import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import type { ModelAccess } from '../definition.ts';
import { piModelsFile } from '../pi/models-file.ts';

/** The directory of everything that Case reads, in place of the user's `~/.pi` and `~/.case`. */
export const DATA_DIR = 'case-data';
export const PI_DIR = `${DATA_DIR}/pi-agent`;

/** Case finds the task's markdown beside this file only if the name ends in `.task.json`. */
export const caseTaskFile = (attempt: string): string => `${DATA_DIR}/tasks/${attempt}.task.json`;

export interface CaseOrder {
  readonly contract: Contract;
  readonly attempt: string;
  readonly workspace: string;
  readonly model: ModelAccess;
  readonly keyVariable: string;
}

export function caseFiles(order: CaseOrder): Record<string, string> {
  const { contract, attempt, workspace, model, keyVariable } = order;
  const { language, packageManager } = toolingOf(contract.test_command ?? '');
  const markdown = caseTaskFile(attempt).replace(/\.task\.json$/, '.md');
  return {
    // Every role is listed: a missing one, or an unreadable file, falls back to a model that is not admitted.
    [`${DATA_DIR}/config.json`]: prettyJson({
      models: { default: { provider: model.provider, model: model.name }, ...inheritDefault() },
    }),
    [`${DATA_DIR}/projects.json`]: prettyJson({
      repos: [
        {
          name: PROJECT,
          type: 'library',
          path: workspace,
          remote: '',
          description: contract.task,
          language,
          packageManager,
          commands: { setup: 'true', test: contract.test_command ?? 'true' },
        },
      ],
    }),
    [`${PI_DIR}/auth.json`]: prettyJson({}),
    [`${PI_DIR}/models.json`]: piModelsFile(model, keyVariable, model.maxOutputTokens ?? DEFAULT_MAX_TOKENS),
    [caseTaskFile(attempt)]: prettyJson({
      id: attempt,
      status: 'active', // without it, Case prints "completed successfully" and does nothing
      created: CREATED,
      repo: PROJECT,
      mode: 'unattended',
      profile: 'standard',
      agents: {},
      tested: false,
      manualTested: false,
      prUrl: null,
      prNumber: null,
    }),
    [markdown]: `# ${contract.task}\n\n${contract.instruction.trim()}\n\n${APPENDIX}`,
  };
}

const PROJECT = 'workspace';
/** Where the model's record has none. */
const DEFAULT_MAX_TOKENS = 4096;
/** Constant, because attempts are told apart by their ids. */
const CREATED = '2000-01-01T00:00:00.000Z';

function inheritDefault(): Record<string, null> {
  const roles = ['implementer', 'verifier', 'reviewer', 'closer', 'retrospective', 'orchestrator'];
  return Object.fromEntries(roles.map((role) => [role, null]));
}

function toolingOf(testCommand: string): { language: string; packageManager: string } {
  if (/\b(python3?|pytest)\b/.test(testCommand)) return { language: 'python', packageManager: 'pip' };
  if (/\bgo test\b/.test(testCommand)) return { language: 'go', packageManager: 'go' };
  return { language: 'typescript', packageManager: 'npm' };
}

/** Case's prompts request the envelope too. This text requires the commit id in it, without which nothing is proven. */
const APPENDIX = `## How to end

1. Change only what the task asks for, and commit it with git in this repository. Make no pull request.
2. End your last message with exactly one block of this form, and nothing after it:

<<<AGENT_RESULT
{"status":"completed","summary":"<one sentence>","artifacts":{"commit":"<the full id that git rev-parse HEAD prints>","filesChanged":["<path>"],"testsPassed":true}}
AGENT_RESULT>>>

If you cannot do the task, say "failed" instead of "completed" and give the reason as "error".
`;
