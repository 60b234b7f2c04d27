import type { CommandGroup } from './command-entry.ts';

/** The commands of the orchestrator. */
export const AGENT_COMMANDS: CommandGroup = {
  title: 'Keep the agents of a project working',
  commands: {
    new: {
      summary: 'create a project, with --example one whose demo agents work by themselves',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/agents/new.ts')).newCommand,
    },
    up: {
      summary: 'start the agents of a project and their watchdog',
      needs: 'agents',
      prints: 'account',
      load: async () => (await import('./commands/agents/up.ts')).upCommand,
    },
    login: {
      summary: 'sign in the program of an agent, in its own configuration',
      needs: 'agents',
      prints: 'account',
      load: async () => (await import('./commands/agents/login.ts')).loginCommand,
    },
    down: {
      summary: 'stop the agents of a project',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/agents/down.ts')).downCommand,
    },
    restart: {
      summary: 'restart agents with the current agents.toml',
      needs: 'agents',
      prints: 'account',
      load: async () => (await import('./commands/agents/restart.ts')).restartCommand,
    },
    status: {
      summary: 'show the phase of a project and the state of its agents',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/agents/status.ts')).statusCommand,
    },
    why: {
      summary: 'show the facts behind the state of an agent',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/agents/why.ts')).whyCommand,
    },
    board: {
      summary: 'show live on one screen who needs a person, and why',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/agents/board.ts')).boardCommand,
    },
    since: {
      summary: 'show what happened lately on one page',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/agents/since.ts')).sinceCommand,
    },
    attach: {
      summary: 'show the session of an agent in this terminal',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/agents/attach.ts')).attachCommand,
    },
    send: {
      summary: 'type a message into the pane of an agent',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/agents/send.ts')).sendCommand,
    },
    logs: {
      summary: 'show what the journal knows about an agent, or its screen; rotate logs',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/agents/kept/logs.ts')).logsCommand,
    },
    phase: {
      summary: 'show, choose and look back on the phases of a project',
      needs: 'nothing',
      prints: 'result',
      load: async () => (await import('./commands/agents/phase.ts')).phaseCommand,
    },
    pause: {
      summary: 'tell the watchdog to leave an agent alone',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/agents/pause.ts')).pauseCommand,
    },
    unpause: {
      summary: 'tell the watchdog to look after an agent again',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/agents/unpause.ts')).unpauseCommand,
    },
    archive: {
      summary: 'list, set aside and restore clones of agents with all their work',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/agents/kept/archive.ts')).archiveCommand,
    },
    boot: {
      summary: 'start the agents of a project after a reboot',
      needs: 'nothing',
      prints: 'account',
      load: async () => (await import('./commands/agents/boot.ts')).bootCommand,
    },
    watchdog: {
      summary: 'keep the agents of a project working, in the foreground',
      needs: 'agents',
      prints: 'account',
      load: async () => (await import('./commands/agents/watchdog.ts')).watchdogCommand,
    },
  },
};
