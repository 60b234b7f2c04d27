import { verifyCommit } from '../../../src/run/land/verify-commit.ts';
import { trustedKeys } from '../../../src/evidence/bundle/keys.ts';
import { LANDABLE, type LandingScene } from './scene.ts';
import { CHANGES, git, type Template } from './template.ts';

/** What is wrong after everything has ended: with each repository, then with what was promised. Empty: all holds. */
export async function examineBranch(scene: LandingScene, template: Template): Promise<readonly string[]> {
  const faults = [...scene.faults];
  if (scene.remote !== null && !(await scene.pull())) faults.push('the local branch cannot follow the remote one');
  // What was killed is tried again, once, by nobody's hurry.
  await scene.land(CHANGES, null);
  for (const dir of [scene.repo, ...(scene.remote === null ? [] : [scene.remote])])
    faults.push(...(await faultsOfBranch(dir, scene, template)));
  const commits = history(scene.repo, scene.base);
  for (const { outcome, runId: run, commit } of scene.results)
    if (outcome === 'landed' && typeof commit === 'string' && !commits.includes(commit))
      faults.push(`${run} was reported as landed in ${commit}, which is not on the branch`);
  if (scene.remote !== null && git(scene.repo, 'rev-parse', 'main') !== git(scene.remote, 'rev-parse', 'main'))
    faults.push('the local and the remote branch differ');
  if (scene.checkedOut && git(scene.repo, 'status', '--porcelain') !== '')
    faults.push(`the work tree does not match the branch: ${git(scene.repo, 'status', '--porcelain')}`);
  return faults;
}

const history = (dir: string, base: string): readonly string[] =>
  git(dir, 'rev-list', '--reverse', `${base}..refs/heads/main`)
    .split('\n')
    .filter((id) => id !== '');

async function faultsOfBranch(dir: string, scene: LandingScene, template: Template): Promise<readonly string[]> {
  const faults: string[] = [];
  const seen = new Map<string, string>();
  const trusted = trustedKeys({ HOME: template.home });
  const gitDir = git(dir, 'rev-parse', '--absolute-git-dir');
  for (const commit of history(dir, scene.base)) {
    const [a, b] = ['fee_a', 'fee_b'].map((name) => Number(git(dir, 'show', `${commit}:${name}`)));
    if ((a ?? 0) + (b ?? 0) > 10) faults.push(`${commit} is red`);
    if (scene.others.has(commit)) continue;
    const checked = await verifyCommit(commit, { gitDir }, {}, 'refs/heads/main', trusted);
    if (!checked.ok) faults.push(`${commit} in ${dir}: ${checked.fault}`);
    const mark = /^Seatrial-Attestation: (\S+)$/m.exec(git(dir, 'log', '-1', '--format=%B', commit))?.[1];
    if (mark === undefined) faults.push(`${commit} names no run`);
    else if (seen.has(mark)) faults.push(`${mark} landed twice: ${seen.get(mark)} and ${commit}`);
    else seen.set(mark, commit);
  }
  if (seen.size !== LANDABLE) {
    const held = scene.results.flatMap(({ outcome, runId: run, reasons = [] }) =>
      outcome === 'held' ? [`${run}: ${reasons.map(({ text }) => text).join('; ')}`] : [],
    );
    faults.push(`${seen.size} runs of ${LANDABLE} are on the branch of ${dir}; held: ${held.slice(-6).join(' | ')}`);
  }
  const broken = git(dir, 'fsck', '--no-dangling', '--no-progress');
  if (broken !== '') faults.push(broken);
  return faults;
}
