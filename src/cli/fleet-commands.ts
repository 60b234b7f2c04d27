import type { CommandGroup } from './command-entry.ts';

/** The commands for many projects, and for taking one over from another system. */
export const FLEET_COMMANDS: CommandGroup = {
  title: 'Many projects, and moving one safely',
  commands: {
    fleet: {
      summary: 'check, show, start and stop all projects of a fleet.toml',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/fleet/fleet.ts')).fleetCommand,
    },
    fingerprint: {
      summary: 'record a live project, and name everything that changed since',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/fleet/fingerprint.ts')).fingerprintCommand,
    },
  },
};
