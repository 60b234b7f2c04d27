import { Option } from '@commander-js/extra-typings';
import { loadProject } from '../../agents/config/load.ts';
import { openHost } from '../../agents/host/open.ts';
import type { StatusFacts } from '../../agents/status/decide.ts';
import { gatherStatus } from '../../agents/status/gather.ts';
import { systemClock } from '../../kernel/clock.ts';

export const projectOption = () =>
  new Option('--project <dir>', 'project directory').default(
    '.',
    'the nearest one with an agents.toml, from the current directory upwards',
  );

/** What `status` and `why` know. Writes nothing. */
export async function readStatusFacts(dir: string): Promise<StatusFacts> {
  const project = loadProject(dir);
  const host = openHost(project, process.env);
  try {
    return await gatherStatus(project, host, { env: process.env, clock: systemClock });
  } finally {
    await host.close();
  }
}
