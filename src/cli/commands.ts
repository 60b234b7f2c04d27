import { AGENT_COMMANDS } from './agent-commands.ts';
import type { CommandEntry, CommandGroup } from './command-entry.ts';
import { FLEET_COMMANDS } from './fleet-commands.ts';

/** Every command, grouped by purpose. A command is loaded only when it is called, so `--help` costs no more than this table. */
const GROUPS: readonly CommandGroup[] = [
  {
    title: 'Prove a change and use it',
    commands: {
      run: {
        summary: 'run an engine on a task in a sandbox and judge its patch',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/run.ts')).runCommand,
      },
      compare: {
        summary: 'run several engines on several tasks, and compare pass rates, time and cost',
        needs: { systemWith: ['--engines', '--resume'] },
        prints: 'result',
        load: async () => (await import('./commands/compare/compare.ts')).compareCommand,
      },
      judge: {
        summary: 'judge a commit of a repository by its tests',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/judge.ts')).judgeCommand,
      },
      ci: {
        summary: 'judge the change of a CI job, with annotations and a job summary',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/ci.ts')).ciCommand,
      },
      approvals: {
        summary: 'list the questions that wait for an answer',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/approvals/approvals.ts')).approvalsCommand,
      },
      approve: {
        summary: 'approve what a run asks for; a run that ended blocked is judged again',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/approvals/approve.ts')).approveCommand,
      },
      deny: {
        summary: 'deny what a run asks for',
        needs: 'nothing',
        prints: 'account',
        load: async () => (await import('./commands/approvals/deny.ts')).denyCommand,
      },
      apply: {
        summary: 'commit the proven patch of a run to its repository',
        needs: { systemWith: ['--prove'] },
        prints: 'account',
        load: async () => (await import('./commands/apply.ts')).applyCommand,
      },
      land: {
        summary: 'merge proven runs with a branch, judge the merged tree, and move the branch if it passes',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/land/land.ts')).landCommand,
      },
    },
  },
  {
    title: 'Inspect and verify evidence',
    commands: {
      runs: {
        summary: 'list, show, open, export, recover and prune runs',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/runs.ts')).runsCommand,
      },
      verify: {
        summary: 'verify evidence bundles offline; --rerun judges the patch again',
        needs: { systemWith: ['--rerun'] },
        prints: 'account',
        load: async () => (await import('./commands/verify.ts')).verifyCommand,
      },
      hook: {
        summary: 'install a git hook on a server that accepts only proven commits',
        needs: 'nothing',
        prints: 'account',
        load: async () => (await import('./commands/hook/hook.ts')).hookCommand,
      },
      key: {
        summary: 'show the key that signs bundles on this machine',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/key.ts')).keyCommand,
      },
      cache: {
        summary: 'show and prune what is kept between runs: set-up dependencies, base records',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/cache/cache.ts')).cacheCommand,
      },
    },
  },
  {
    title: 'Describe what to prove',
    commands: {
      init: {
        summary: 'find out how a repository is set up and tested, try it, and save it',
        needs: 'system',
        prints: 'result',
        load: async () => (await import('./commands/init.ts')).initCommand,
      },
      plan: {
        summary: 'check planning documents against their rules and the evidence that they cite',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/plan/plan.ts')).planCommand,
      },
      task: {
        summary: 'list tasks; check that a task proves what it should',
        needs: { systemWith: ['check'] },
        prints: 'result',
        load: async () => (await import('./commands/task.ts')).taskCommand,
      },
    },
  },
  {
    title: 'Decide which engines and models may run',
    commands: {
      doctor: {
        summary: 'show which agents are installed and ready, and what is missing',
        needs: 'system',
        prints: 'result',
        load: async () => (await import('./commands/doctor.ts')).doctorCommand,
      },
      engines: {
        summary: 'show which engines may run, and what blocks the others',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/admission/engines.ts')).enginesCommand,
      },
      admit: {
        summary: 'record an approved source, executable, model or task',
        needs: { systemWith: ['executable'] },
        prints: 'result',
        load: async () => (await import('./commands/admission/admit.ts')).admitCommand,
      },
      admissions: {
        summary: 'list the approved records, and those that cannot be read',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/admission/admissions.ts')).admissionsCommand,
      },
      decide: {
        summary: 'show which engine would do a task, and why no other would',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/admission/decide.ts')).decideCommand,
      },
      stage: {
        summary: 'show what each engine has earned; declare batches, grant and take back stages',
        needs: { systemWith: ['run', 'earn', 'declare'] },
        prints: 'result',
        load: async () => (await import('./commands/stage/stage.ts')).stageCommand,
      },
      loop: {
        summary: 'run a candidate engine with its standard stage, model and task',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/loop.ts')).loopCommand,
      },
    },
  },
  AGENT_COMMANDS,
  FLEET_COMMANDS,
  {
    title: 'Check Seatrial itself',
    commands: {
      model: {
        summary: 'serve a model that answers from a script, to try things without a provider',
        needs: 'nothing',
        prints: 'result',
        load: async () => (await import('./commands/model.ts')).modelServerCommand,
      },
      matrix: {
        summary: 'produce every known failure and show that each is caught',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/matrix.ts')).matrixCommand,
      },
      check: {
        summary: 'check an engine adapter with a simulated program and model',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/check.ts')).checkCommand,
      },
      health: {
        summary: 'run every adapter check and the failure matrix',
        needs: 'system',
        prints: 'account',
        load: async () => (await import('./commands/health.ts')).healthCommand,
      },
    },
  },
  {
    title: 'Set up your shell',
    commands: {
      completions: {
        summary: 'print a script that completes commands and options in bash, zsh or fish',
        needs: 'nothing',
        prints: 'result',
        load: async () => {
          const { completionsCommand } = await import('./commands/completions.ts');
          return (args) => completionsCommand(COMMANDS, args);
        },
      },
    },
  },
];

export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map(
  GROUPS.flatMap(({ commands }) => Object.entries(commands)),
);

const nameWidth = Math.max(...Array.from(COMMANDS.keys(), (name) => name.length));

export const HELP_TEXT = `Seatrial runs coding agents unattended and keeps only what they can prove.

Usage: seatrial <command> [options]

${GROUPS.map(groupHelp).join('\n\n')}

  seatrial help <command>     options of a command; the same as seatrial <command> --help
  seatrial --version

Exit codes: 0 pass, 1 fail (it ran and proved nothing), 2 blocked (no verdict was possible),
3 evidence could not be kept, 64 wrong usage or unreadable input, 74 the result could not be printed.

Try: seatrial run r1-string-slugify
`;

function groupHelp({ title, commands }: CommandGroup): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(nameWidth)}  ${summary}`);
  return [`${title}:`, ...lines].join('\n');
}
