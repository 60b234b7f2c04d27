import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TOOL_ACTIONS } from '../../engines/permission-request.ts';
import { decideApproval } from './decide.ts';
import type { ApprovalRule } from './policy.ts';
import type { ApprovalQuestion } from './question.ts';

const rule = (
  effect: ApprovalRule['effect'],
  action: string,
  only: Partial<Pick<ApprovalRule, 'path' | 'command'>> = {},
): ApprovalRule => ({
  effect,
  action,
  path: null,
  command: null,
  source: 'approvals.toml line 1',
  ...only,
});

const edit = (...paths: string[]): ApprovalQuestion => ({
  from: 'agent',
  action: 'edit',
  paths,
  command: null,
  title: 'Edit',
});
const run = (command: string | null): ApprovalQuestion => ({
  from: 'agent',
  action: 'run',
  paths: [],
  command,
  title: 'Run',
});
const task = (action: string): ApprovalQuestion => ({ from: 'task', action });

const decide = (question: ApprovalQuestion, ...rules: ApprovalRule[]): string =>
  decideApproval(question, { rules }, false).decision;

test('without a rule the answer is no, unless a person can be asked', () => {
  expect(decideApproval(edit('a'), { rules: [] }, false)).toEqual({
    decision: 'denied',
    by: 'seatrial',
    how: 'unattended without policy',
  });
  expect(decideApproval(edit('a'), { rules: [] }, true)).toEqual({ decision: 'ask' });
});

test('the first rule that matches decides, and is named', () => {
  const rules = [rule('deny', 'edit', { path: 'docs/**' }), { ...rule('allow', 'edit'), source: 'p.toml line 9' }];
  expect(decide(edit('docs/a.md'), ...rules)).toBe('denied');
  expect(decideApproval(edit('src/a.ts'), { rules }, true)).toEqual({
    decision: 'granted',
    by: 'p.toml line 9',
    how: 'policy',
  });
});

describe('paths', () => {
  test.each<[what: string, question: ApprovalQuestion, rules: ApprovalRule[], decision: string]>([
    ['an allowed path beside another', edit('src/a', 'x'), [rule('allow', 'edit', { path: 'src/**' })], 'denied'],
    ['only allowed paths', edit('src/a', 'src/b'), [rule('allow', 'edit', { path: 'src/**' })], 'granted'],
    ['a denied path beside another', edit('a', 'b'), [rule('deny', '*', { path: 'b' }), rule('allow', '*')], 'denied'],
    ['a request that names no file', edit(), [rule('allow', 'edit', { path: '**' })], 'denied'],
    ['the same, where some file is denied', edit(), [rule('deny', '*', { path: 'b' }), rule('allow', '*')], 'denied'],
    ['a file outside of the workspace', edit('/etc/x'), [rule('allow', 'edit', { path: '**' })], 'denied'],
    ['a command, which names no files', run('ls'), [rule('deny', '*', { path: 'b' }), rule('allow', '*')], 'granted'],
  ])('%s', (_what, question, rules, decision) => {
    expect(decide(question, ...rules)).toBe(decision);
  });
});

describe('commands', () => {
  const allow = rule('allow', 'run', { command: 'git status*' });
  test.each(['git status', 'git status -s', 'git status "a b"', '  git status '])('allows %j', (command) => {
    expect(decide(run(command), allow)).toBe('granted');
  });
  test.each([
    'git status; rm -rf .',
    'git status && rm x',
    'git status | sh',
    'git status > .env',
    'git status $(rm x)',
    'git status `rm x`',
    'git status\nrm x',
    'git stash',
    'x git status',
    null,
  ])('does not take %j for an allowed one', (command) => {
    expect(decide(run(command), allow)).toBe('denied');
  });
  const denyPush = [rule('deny', 'run', { command: 'git push*' }), rule('allow', 'run')];
  test.each([
    'git push',
    'cd x && git push origin',
    'GIT_DIR=x git  push',
    '/usr/bin/git push',
    '(git push)',
    'echo $(git push)',
    '"git" \'push\'',
    null,
  ])('denies %j', (command) => {
    expect(decide(run(command), ...denyPush)).toBe('denied');
  });
  test('a denied command does not deny others', () => {
    expect(decide(run('git pull'), ...denyPush)).toBe('granted');
    expect(decide(edit('a'), rule('deny', '*', { command: 'git push*' }), rule('allow', '*'))).toBe('granted');
  });
});

describe('actions of tasks and of the harness', () => {
  test('are granted only by a rule that names them', () => {
    expect(decide(task('deliver'), rule('allow', '*'))).toBe('denied');
    expect(decide(task('deliver'), rule('allow', 'deliver'))).toBe('granted');
    expect(decide(task('land main'), rule('allow', 'land *'))).toBe('granted');
    expect(decide(task('land main'), rule('allow', 'land ma'))).toBe('denied');
    expect(decide(task('edit'), rule('allow', 'edit', { path: '**' }))).toBe('denied');
  });
});

test('no rule that only allows a part grants what lies beside it', () => {
  const names = fc.stringMatching(/^[a-z]{1,6}$/);
  fc.assert(
    fc.property(fc.constantFrom(...TOOL_ACTIONS), fc.array(names), names, (action, inside, outside) => {
      const paths = [...inside.map((name) => `src/${name}`), outside];
      const question: ApprovalQuestion = { from: 'agent', action, paths, command: null, title: '' };
      expect(decide(question, rule('allow', '*', { path: 'src/**' }))).toBe('denied');
    }),
  );
});

test('no text in a question or a pattern makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (pattern, command, path) => {
      const question: ApprovalQuestion = { from: 'agent', action: 'run', paths: [path], command, title: pattern };
      for (const effect of ['allow', 'deny', 'ask'] as const)
        expect(['granted', 'denied', 'ask']).toContain(
          decide(question, rule(effect, pattern, { command: pattern, path: pattern === '' ? null : pattern })),
        );
    }),
  );
});
