import { expect, test } from 'vitest';
import { claimedCommit } from './envelope.ts';

const envelope = (result: unknown): string => `<<<AGENT_RESULT\n${JSON.stringify(result)}\nAGENT_RESULT>>>`;
const claim = (commit: unknown, status = 'completed'): string => envelope({ status, artifacts: { commit } });

test('the last envelope of an answer names the commit', () => {
  expect(claimedCommit(`Done.\n${claim('aaa')}\nNo:\n${claim('bbb')}\n`)).toBe('bbb');
});

test.each([
  ['there is none', 'Done.'],
  ['it has no end', '<<<AGENT_RESULT\n{"status":"completed"'],
  ['it is not JSON', '<<<AGENT_RESULT\ncompleted\nAGENT_RESULT>>>'],
  ['it says that the work failed', claim('aaa', 'failed')],
  ['it names no commit', envelope({ status: 'completed', artifacts: {} })],
  ['its commit is no text', claim(7)],
])('nothing is claimed when %s', (_name, answer) => {
  expect(claimedCommit(answer)).toBeNull();
});
