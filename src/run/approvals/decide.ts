import { TOOL_ACTIONS } from '../../engines/permission-request.ts';
import type { ApprovalQuestion } from './question.ts';
import type { ApprovalPolicy, ApprovalRule } from './policy.ts';
import { matchesAction, matchesCommand, matchesPaths } from './patterns.ts';

/** `ask`: a person must answer. */
export type Ruling =
  | { readonly decision: 'granted' | 'denied'; readonly by: string; readonly how: string }
  | { readonly decision: 'ask' };

/** `attended`: a terminal is there to ask on. Without a rule and without a terminal the answer is no. */
export function decideApproval(
  question: ApprovalQuestion,
  { rules }: Pick<ApprovalPolicy, 'rules'>,
  attended: boolean,
): Ruling {
  const rule = rules.find((one) => matchesRule(one, question));
  if (rule === undefined)
    return attended ? { decision: 'ask' } : { decision: 'denied', by: 'seatrial', how: 'unattended without policy' };
  switch (rule.effect) {
    case 'allow':
      return { decision: 'granted', by: rule.source, how: 'policy' };
    case 'deny':
      return { decision: 'denied', by: rule.source, how: 'policy' };
    case 'ask':
      return { decision: 'ask' };
    default:
      return rule.effect satisfies never;
  }
}

/** Whether the policy says anything about tool calls of agents. */
export function decidesToolCalls({ rules }: ApprovalPolicy): boolean {
  return rules.some((rule) =>
    TOOL_ACTIONS.some((action) =>
      matchesAction(rule.action, { from: 'agent', action, paths: [], command: null, title: '' }),
    ),
  );
}

/** An allowing rule must cover all that is asked for; for any other it is enough to concern a part of it. */
function matchesRule(rule: ApprovalRule, question: ApprovalQuestion): boolean {
  if (!matchesAction(rule.action, question)) return false;
  const { path, command } = rule;
  if (question.from === 'task') return path === null && command === null;
  const covers = rule.effect === 'allow' ? 'all' : 'any';
  return (
    (path === null || matchesPaths(path, question, covers)) &&
    (command === null || matchesCommand(command, question, covers))
  );
}
