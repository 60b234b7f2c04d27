import { expect, test } from 'vitest';
import { baseOfEvent } from './event.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const NONE = '0'.repeat(40);
const repository = { default_branch: 'trunk' };

test.each([
  ['pull_request', { pull_request: { base: { sha: A }, head: { sha: B } } }, { kind: 'test merge', of: A, head: B }],
  ['merge_group', { merge_group: { base_sha: A } }, { kind: 'merge base', of: A }],
  ['push', { before: A, repository }, { kind: 'merge base', of: A }],
  ['push', { before: NONE, repository }, { kind: 'merge base', of: 'origin/trunk' }],
  ['push', { before: '--output=x', repository }, { kind: 'unknown' }],
  ['pull_request', null, { kind: 'unknown' }],
  ['schedule', { before: A, repository }, { kind: 'unknown' }],
])('the base of a %s event: %j', (name, event, hint) => {
  expect(baseOfEvent({ GITHUB_EVENT_NAME: name }, event)).toMatchObject(hint);
});

test('the base of a pipeline of GitLab', () => {
  expect(baseOfEvent({ CI_COMMIT_BEFORE_SHA: A }, null)).toMatchObject({ of: A });
  expect(baseOfEvent({ CI_COMMIT_BEFORE_SHA: NONE, CI_MERGE_REQUEST_DIFF_BASE_SHA: B }, null)).toMatchObject({ of: B });
  expect(baseOfEvent({ CI_COMMIT_BEFORE_SHA: NONE }, null)).toMatchObject({ kind: 'unknown' });
});
