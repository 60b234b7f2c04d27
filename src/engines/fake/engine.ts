import * as z from 'zod/mini';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { agentEnvironment } from '../environment.ts';
import type { Engine, EngineEvent } from '../definition.ts';
import type { Misbehaviour } from './misbehaviours.ts';

/** The fake engine prints one JSON line per event. */
const line = z.union([
  z.strictObject({ event: z.literal('plan.updated'), text: z.string() }),
  z.strictObject({ event: z.literal('engine.message'), text: z.string() }),
  z.strictObject({ event: z.literal('engine.tool'), text: z.string() }),
  z.strictObject({ event: z.literal('engine.claim'), text: z.string() }),
]);

const SAY_PLAN = "say plan.updated 'do what the oracle does'";
const HONEST_SCRIPT = `${SAY_PLAN} engine.tool solve.sh; solve; commit_if_asked`;

/** Does what the task's oracle does, or misbehaves. Needs no model, no network and no key. */
export function fakeEngine(misbehaviour: Misbehaviour | null = null): Engine {
  const script = misbehaviour === null ? HONEST_SCRIPT : `${SAY_PLAN}; ${misbehaviour.script}`;
  return {
    name: 'fake',
    usesOracle: true,
    stateDirs: [],
    hides: [],
    launch: (context) => ({
      argv: ['/bin/sh', '-c', `${PRELUDE}\n${script}`],
      env: {
        ...agentEnvironment(context),
        ...context.contract.image?.solution_env,
        SOLUTION: context.at('/solution'),
        MUST_COMMIT: context.contract.must_commit ? '1' : '',
        FIRST_ALLOWED_FILE: context.contract.allowed_files[0] ?? '',
      },
      stdin: context.contract.instruction,
      files: {},
    }),
    ownLog: () => null,
    claimIn: () => null,
    read: readLine,
    diagnose: ({ stderr }) => {
      const detail = /^provider unavailable: (.*)$/m.exec(stderr)?.[1];
      return detail === undefined ? [] : [{ reason: reason('provider_unavailable'), detail }];
    },
  };
}

const PRELUDE = `
# Any number of events, each a name and a text, in one write.
say() { printf '{"event":"%s","text":"%s"}\\n' "$@"; }
claim() { say engine.claim "$1"; }
solve() (
  [ ! -d "$SOLUTION/.programs" ] || PATH=$SOLUTION/.programs:$PATH
  read -r first <"$SOLUTION/solve.sh" || :
  case $first in '#!'*) ;; *) first='#!sh' ;; esac
  # Word by word: an interpreter may have an argument.
  \${first#'#!'} "$SOLUTION/solve.sh" >&2
)
commit_if_asked() { [ -z "$MUST_COMMIT" ] || { git add -A && git commit -qm 'Fix as asked' && claim "$(git rev-parse HEAD)"; }; }
`;

function readLine(text: string): readonly EngineEvent[] {
  // A cheap test first: an engine may print millions of lines that are no events.
  if (!text.startsWith('{')) return [];
  const said = line.safeParse(parseJson(text)).data;
  switch (said?.event) {
    case 'plan.updated':
      return [{ type: said.event, data: { steps: [said.text] } }];
    case 'engine.message':
      return [{ type: said.event, data: { text: said.text } }];
    case 'engine.tool':
      return [{ type: said.event, data: { name: said.text, detail: '' } }];
    case 'engine.claim':
      return [{ type: said.event, data: { commit: said.text, text: '' } }];
    case undefined:
      return [];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
