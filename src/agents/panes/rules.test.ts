import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessAt } from '../../confine/bwrap/terminal.ts';
import { agentNamed, type Project } from '../config/project.ts';
import { projectOf } from '../config/resolve.ts';
import { agentsFile } from '../config/schema.ts';
import { paneRules } from './rules.ts';

const project: Project = projectOf(
  agentsFile.parse({
    session_prefix: 'p-',
    kickoff: 'prompts/kickoff.md',
    roles_dir: 'roles',
    phases: [{ id: 'one', plan: 'one.md', proof: { test: 'true', sealed: 'sealed' } }],
    agents: {
      builder: { kind: 'loop', role: 'builder', backend: 'demo' },
      adversary: { kind: 'loop', role: 'adversary', backend: 'demo' },
      scribe: { kind: 'loop', role: 'scribe', backend: 'demo' },
      lead: { kind: 'persistent', role: 'lead', backend: 'demo' },
      wide: { kind: 'loop', role: 'wide', backend: 'demo', dir: '/home/me' },
    },
  }),
  { dir: '/home/me/project', id: 'x', fileSha256: '0'.repeat(64), repo: '/home/me/project/repo' },
);

function accessOf(name: string, path: string): string | null {
  const agent = agentNamed(project, name);
  const phase = project.phases[0] ?? null;
  return agent === null
    ? null
    : accessAt(paneRules(project, agent, phase, []), path.startsWith('/') ? path : join(project.dir, path));
}

const LOG = '.ao-state';
const PHASE = `${LOG}/protocol/one`;

test.each([
  // path, builder, adversary, scribe, lead, wide
  ['agents.toml', 'read', 'read', 'read', 'read', 'read'],
  ['prompts/kickoff.md', 'read', 'read', 'read', 'read', 'read'],
  ['roles/builder.md', 'read', 'read', 'read', 'read', 'read'],
  ['one.md', 'read', 'read', 'read', 'read', 'read'],
  ['repo/.git/config', 'read', 'read', 'read', 'read', 'read'],
  ['sealed/test_x.py', 'hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  [`${LOG}/state/phase-idx`, 'read', 'read', 'read', 'read', 'read'],
  [`${LOG}/runs`, 'hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  [`${LOG}/archive`, 'hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  [`${LOG}/kickoff-p-builder.txt`, 'hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  [`${LOG}/clones/builder/a`, 'write', 'hidden', 'hidden', 'hidden', 'hidden'],
  [`${LOG}/clones/adversary/a`, 'hidden', 'write', 'hidden', 'hidden', 'hidden'],
  [`${LOG}/agents/builder/home`, 'write', 'hidden', 'hidden', 'hidden', 'hidden'],
  [`${LOG}/agents/builder/config/auth.json`, 'write', 'hidden', 'hidden', 'hidden', 'hidden'],
  [`${LOG}/agents/builder/launch.sh`, 'hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  [`${PHASE}/builder/STATUS-one.md`, 'write', 'read', 'read', 'hidden', 'read'],
  [`${PHASE}/adversary/REVIEW-one.md`, 'read', 'write', 'read', 'hidden', 'read'],
  [`${PHASE}/scribe/x`, 'read', 'read', 'write', 'hidden', 'read'],
  [`${PHASE}/inbox/BUILDER-INBOX.md`, 'write', 'write', 'write', 'write', 'write'],
  [`${LOG}/protocol/two/builder/STATUS-two.md`, 'hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  ['/etc/passwd', 'read', 'read', 'read', 'read', 'read'],
  ['/home/me/.bashrc', 'read', 'read', 'read', 'read', 'write'],
])('%s', (path, ...expected) => {
  expect(['builder', 'adversary', 'scribe', 'lead', 'wide'].map((name) => accessOf(name, path))).toEqual(expected);
});

test("the journal is the builder's alone; the adversary has an own directory in its place", () => {
  const journal = `${PHASE}/journal/JOURNAL-one.md`;
  expect(['builder', 'adversary', 'scribe', 'lead'].map((name) => accessOf(name, journal))).toEqual([
    'write',
    'read',
    'hidden',
    'hidden',
  ]);
  const adversary = agentNamed(project, 'adversary');
  const rules = adversary === null ? [] : paneRules(project, adversary, project.phases[0] ?? null, []);
  expect(rules.find(({ path }) => path === join(project.dir, PHASE, 'journal'))?.source).toBe(
    join(project.dir, LOG, 'agents/adversary/journal'),
  );
});
