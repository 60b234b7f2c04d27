import { prettyJson } from '../../kernel/canonical.ts';
import type { Contract } from '../../task/contract.ts';
import type { ModelAccess } from '../definition.ts';

/** All that Case reads, below one folder: nothing of the caller's `~/.pi` or `~/.case` takes part. */
export const DATA_DIR = 'case-data';
export const PI_DIR = `${DATA_DIR}/pi-agent`;

/** The markdown is found beside it only by this ending. */
export const caseTaskFile = (attempt: string): string => `${DATA_DIR}/tasks/${attempt}.task.json`;

const API_OF_WIRE = {
  'openai-chat': 'openai-completions',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic-messages',
  gemini: 'google-generative-ai',
} as const;

export interface CaseOrder {
  readonly contract: Contract;
  readonly attempt: string;
  readonly workspace: string;
  readonly model: ModelAccess;
  /** Fixed by the run, for the task's own record. */
  readonly keyVariable: string;
}

export function caseFiles(order: CaseOrder): Record<string, string> {
  const { contract, attempt, workspace, model, keyVariable } = order;
  const { language, packageManager } = toolingOf(contract.test_command ?? '');
  const markdown = caseTaskFile(attempt).replace(/\.task\.json$/, '.md');
  return {
    // Every role is named: one left out, or a file that cannot be read, falls back to a model nobody admitted.
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
    [`${PI_DIR}/models.json`]: prettyJson({
      providers: {
        [model.provider]: {
          baseUrl: model.wire === 'anthropic-messages' ? model.origin : `${model.origin}/v1`,
          api: API_OF_WIRE[model.wire],
          apiKey: keyVariable,
          models: [{ id: model.name, maxTokens: MAX_TOKENS }],
        },
      },
    }),
    [caseTaskFile(attempt)]: prettyJson({
      id: attempt,
      status: 'active', // without it, Case says "completed successfully" and does nothing
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
const MAX_TOKENS = 4096;
/** Says nothing here: every attempt has an id of its own. */
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

/** Case's own prompts ask for the envelope too; without the commit in it, nothing is proven. */
const APPENDIX = `## How to end

1. Change only what the task asks for, and commit it with git in this repository. Make no pull request.
2. End your last message with exactly one block of this form, and nothing after it:

<<<AGENT_RESULT
{"status":"completed","summary":"<one sentence>","artifacts":{"commit":"<the full id that git rev-parse HEAD prints>","filesChanged":["<path>"],"testsPassed":true}}
AGENT_RESULT>>>

If you cannot do the task, say "failed" instead of "completed" and give the reason as "error".
`;
