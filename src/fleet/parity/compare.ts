import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../agents/config/load.ts';
import type { Agent, Project } from '../../agents/config/project.ts';
import { projectOf } from '../../agents/config/resolve.ts';
import { agentsFile } from '../../agents/config/schema.ts';
import { openHost } from '../../agents/host/open.ts';
import { readPhaseIndex } from '../../agents/phases/index-file.ts';
import { computeStatus, type StatusFacts } from '../../agents/status/decide.ts';
import { gatherStatus } from '../../agents/status/gather.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { removeUnknownKeys } from '../import/translate.ts';
import { type LiveProject, readLiveProject } from '../live/read.ts';
import { compareProjects, kickoffText, takenOver } from './config.ts';
import { compareTexts, different, type Finding, notComparable } from './finding.ts';
import { compareCapturedStatus, compareStatus } from './status.ts';

interface ParityRequest {
  readonly live: string;
  readonly staged: string;
  /** Status text of a live project that another system runs. */
  readonly capturedStatus: string | null;
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** Compares a live project with its staged copy. Writes nothing. */
export async function checkParity(
  { live: liveDir, staged: stagedDir, capturedStatus }: ParityRequest,
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const live = readLiveProject(liveDir, surroundings.env);
  const staged = loadProject(stagedDir);
  const facts = await factsOf(staged, surroundings);
  const now = surroundings.clock.now();
  const withState = live.prefix === staged.prefix;
  const config = configFindings(live, staged).filter(({ what }) => !live.python || !what.startsWith('kickoff'));
  if (!live.python && live.project !== null) {
    const status = compareStatus(
      computeStatus(await factsOf(live.project, surroundings)),
      computeStatus(facts),
      withState,
      now,
    );
    return [...config, ...status, ...generatedKickoffs(live, staged, facts)];
  }
  const status =
    capturedStatus === null
      ? notComparable('status', 'give the text that the live project prints with --status <file>')
      : compareCapturedStatus(capturedStatus, computeStatus(facts), withState, now);
  return [
    ...config,
    status,
    ...generatedKickoffs(live, staged, facts),
    ...(staged.phases.length > 1
      ? [notComparable('kickoffs of other phases', 'the engine of the live project makes them when a phase begins')]
      : []),
  ];
}

/** A file that this system refuses only for keys of its own is compared without them. */
function configFindings(live: LiveProject, staged: Project): readonly Finding[] {
  if (live.project !== null) return compareProjects(live.project, staged);
  const value = structuredClone({ ...live.value });
  const left = removeUnknownKeys(value).map(({ path }) => path.join('.'));
  const parsed = agentsFile.safeParse(value);
  if (!parsed.success)
    return [notComparable('agents, models and phases', (live.refusal ?? '').split('\n').slice(0, 2).join(' '))];
  const place = { dir: live.dir, id: '', fileSha256: '', repo: live.dir };
  return [
    ...compareProjects(projectOf(parsed.data, place), staged),
    ...(left.length === 0 ? [] : [notComparable(`keys ${left.join(', ')}`, 'this system has no such keys')]),
  ];
}

async function factsOf(project: Project, { env, clock }: Surroundings): Promise<StatusFacts> {
  const host = openHost(project, env);
  try {
    return await gatherStatus(project, host, { env, clock });
  } finally {
    await host.close();
  }
}

/** What the live agents were really given in the phase that is open. */
function generatedKickoffs(live: LiveProject, staged: Project, { index }: StatusFacts): Finding[] {
  const later = takenOver(live, staged);
  const liveIndex = live.project === null ? index : readPhaseIndex(live.project);
  const phase = later.phases[Math.min(liveIndex, later.phases.length - 1)] ?? null;
  return later.agents
    .filter(({ kind }) => kind === 'loop')
    .flatMap((agent): Finding[] => {
      const session = `${live.prefix}${agent.session.slice(staged.prefix.length)}`;
      const file = join(live.logDir, `kickoff-${session}.txt`);
      const generated = textOf(file);
      const what = `generated kickoff-${session}.txt`;
      if (generated === null)
        return live.python ? [notComparable(what, `there is no ${file}; its engine has not made one`)] : [];
      try {
        return [
          compareTexts(what, generated, kickoffText(later, agent, phase, baseOf(generated, later, agent, phase))),
        ];
      } catch (error) {
        if (error instanceof SeatrialError) return [different(what, messageOf(error))];
        throw error;
      }
    });
}

/** The commit that the phase began with is only in the generated text: the one for which both texts agree, if there is one. */
function baseOf(
  generated: string,
  project: Project,
  agent: Agent,
  phase: Project['phases'][number] | null,
): string | null {
  const commits = new Set(generated.match(/\b[0-9a-f]{40,64}\b/g) ?? []);
  return [...commits].find((commit) => kickoffText(project, agent, phase, commit) === generated) ?? null;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
