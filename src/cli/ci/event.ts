import * as z from 'zod/mini';

/** Where the base of a change is to be found, before the repository is asked. */
export type BaseHint =
  /** The merge base of this commit and the judged one. */
  | { readonly kind: 'merge base'; readonly of: string; readonly from: string }
  /** The merge that a forge made to try a pull request out: its first parent, if its second is `head`; otherwise as above. */
  | { readonly kind: 'test merge'; readonly of: string; readonly head: string; readonly from: string }
  | { readonly kind: 'unknown'; readonly why: string };

type Variables = Readonly<Record<string, string | undefined>>;

const id = z.string().check(z.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/));

const pullRequest = z.object({ pull_request: z.object({ base: z.object({ sha: id }), head: z.object({ sha: id }) }) });
const mergeGroup = z.object({ merge_group: z.object({ base_sha: id }) });
const push = z.object({
  before: id,
  repository: z.object({ default_branch: z.string().check(z.minLength(1)) }),
});

/** The base that a CI event names. `event`: the parsed file that GITHUB_EVENT_PATH names; null: there is none. Pure. */
export function baseOfEvent(env: Variables, event: unknown): BaseHint {
  const name = env['GITHUB_EVENT_NAME'];
  if (name !== undefined && name !== '') return baseOnGitHub(name, event);
  const target = set(env['CI_MERGE_REQUEST_TARGET_BRANCH_SHA']) ?? set(env['CI_MERGE_REQUEST_DIFF_BASE_SHA']);
  if (target !== null) return { kind: 'merge base', of: target, from: 'the merge request' };
  const before = set(env['CI_COMMIT_BEFORE_SHA']);
  if (before !== null) return { kind: 'merge base', of: before, from: 'CI_COMMIT_BEFORE_SHA' };
  return { kind: 'unknown', why: 'no CI event that Seatrial knows names one' };
}

function baseOnGitHub(name: string, event: unknown): BaseHint {
  const from = `the ${name} event`;
  const unreadable: BaseHint = { kind: 'unknown', why: `${from} does not name one` };
  switch (name) {
    case 'pull_request':
    case 'pull_request_target': {
      const { data } = pullRequest.safeParse(event);
      if (data === undefined) return unreadable;
      const { base, head } = data.pull_request;
      return { kind: 'test merge', of: base.sha, head: head.sha, from };
    }
    case 'merge_group': {
      const { data } = mergeGroup.safeParse(event);
      return data === undefined ? unreadable : { kind: 'merge base', of: data.merge_group.base_sha, from };
    }
    case 'push': {
      const { data } = push.safeParse(event);
      if (data === undefined) return unreadable;
      // A branch that was just created has no commit before.
      const of = set(data.before) ?? `origin/${data.repository.default_branch}`;
      return { kind: 'merge base', of, from };
    }
    default:
      return unreadable;
  }
}

/** Null for what GitHub and GitLab write where there is no commit. */
const set = (value: string | undefined): string | null =>
  value === undefined || value === '' || /^0+$/.test(value) ? null : value;
