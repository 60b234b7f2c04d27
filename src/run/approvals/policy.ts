export interface ApprovalRule {
  readonly effect: 'allow' | 'deny' | 'ask';
  readonly action: string;
  readonly path: string | null;
  readonly command: string | null;
  /** File and line, for the record. */
  readonly source: string;
}

export interface ApprovalPolicy {
  /** The first that matches decides. */
  readonly rules: readonly ApprovalRule[];
  /** A question that is not answered by then is denied. */
  readonly answerWithinSec: number;
  /** The same for a question that a run leaves open when it ends. */
  readonly answerLaterWithinSec: number;
}

/** What holds unless a policy says otherwise. */
export const NO_POLICY: ApprovalPolicy = {
  rules: [],
  answerWithinSec: 300,
  answerLaterWithinSec: 30 * 86_400,
};

/** `[approvals]` of seatrial.toml: actions of tasks that are decided beforehand. */
export function namedRules(named: Readonly<Record<string, 'grant' | 'deny'>>): readonly ApprovalRule[] {
  return Object.entries(named).map(([action, decision]) => ({
    effect: decision === 'grant' ? 'allow' : 'deny',
    action,
    path: null,
    command: null,
    source: 'seatrial.toml',
  }));
}
