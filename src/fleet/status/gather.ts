import type { HostView, SessionHost } from '../../agents/host/port.ts';
import { openHost } from '../../agents/host/open.ts';
import { computeStatus, type ProjectStatus } from '../../agents/status/decide.ts';
import { gatherStatus } from '../../agents/status/gather.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { readMember } from '../config/check.ts';
import type { FleetEntry } from '../config/load.ts';

export interface FleetRow {
  readonly entry: FleetEntry;
  /** Null: it cannot be read, and `problem` says why. */
  readonly status: ProjectStatus | null;
  readonly problem: string | null;
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** The status of every project. Each tmux server is asked once, however many projects live on it. Writes nothing. */
export async function gatherFleet(
  entries: readonly FleetEntry[],
  { env, clock }: Surroundings,
): Promise<readonly FleetRow[]> {
  const views = new Map<string, Promise<HostView>>();
  return Promise.all(
    entries.map(async (entry): Promise<FleetRow> => {
      const { member, fault, warning } = readMember(entry, env);
      if (member === null) return { entry, status: null, problem: fault?.text ?? warning?.text ?? 'unreadable' };
      const { project, socket } = member;
      const list = (): Promise<HostView> => {
        const view = views.get(socket) ?? listAndClose(openHost(project, env));
        views.set(socket, view);
        return view;
      };
      try {
        const facts = await gatherStatus(project, { list }, { env, clock });
        const problem = facts.host.kind === 'unknown' ? `the states are unknown: ${facts.host.why}` : null;
        return { entry, status: computeStatus(facts), problem };
      } catch (error) {
        if (!(error instanceof SeatrialError)) throw error;
        return { entry, status: null, problem: messageOf(error) };
      }
    }),
  );
}

async function listAndClose(host: SessionHost): Promise<HostView> {
  try {
    return await host.list();
  } finally {
    await host.close();
  }
}
