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
    import: {
      summary: 'stage a copy of an existing project beside it, with its own state',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/fleet/import.ts')).importCommand,
    },
    parity: {
      summary: 'compare a staged project with the live one, byte for byte',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/fleet/parity.ts')).parityCommand,
    },
    fingerprint: {
      summary: 'record a live project, and name everything that changed since',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/fleet/fingerprint.ts')).fingerprintCommand,
    },
    cutover: {
      summary: 'replace the live project with a staged one, and back',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/fleet/cutover.ts')).cutoverCommand,
    },
  },
};
