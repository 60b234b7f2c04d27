import { Option } from '@commander-js/extra-typings';
import { readCheckpoint } from '../../agents/checkpoint/read.ts';
import { nearestProject } from '../../agents/config/find.ts';
import { openHost } from '../../agents/host/open.ts';
import type { StatusFacts } from '../../agents/status/decide.ts';
import { gatherStatus } from '../../agents/status/gather.ts';
import { buildId } from '../../kernel/build-id.ts';
import { systemClock } from '../../kernel/clock.ts';

export const projectOption = () =>
  new Option('--project <dir>', 'project directory').default(
    '.',
    'the nearest one with an agents.toml, from the current directory upwards',
  );

/** What `status` and `why` know. Writes nothing. */
export async function readStatusFacts(dir: string): Promise<StatusFacts> {
  const build = buildId();
  const checkpoint = build === null ? null : readCheckpoint(nearestProject(dir), build);
  // What a checkpoint saves is not even loaded.
  const project = checkpoint?.project ?? (await import('../../agents/config/load.ts')).loadProject(dir);
  const host = openHost(project, process.env);
  try {
    return await gatherStatus(project, host, { env: process.env, clock: systemClock, checkpoint });
  } finally {
    await host.close();
  }
}
