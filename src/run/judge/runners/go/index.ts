import { BUILD, dirInside } from '../../sandbox/layout.ts';
import type { RunnerDefinition } from '../definition.ts';
import { prepareToolchain, type ToolchainRunner } from '../shared/toolchain.ts';
import { goArguments } from './arguments.ts';

const PROGRAM = /^(?:.*\/)?go$/;

const RUNNER: ToolchainRunner = {
  reports: 'go/drivers/go-reports.mjs',
  call({ args, sealed, only, dir, at }) {
    const words = goArguments(args, sealed, only);
    if (words === null) return null;
    const build = at(BUILD);
    return {
      args: words.test,
      env: { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOCACHE: `${build}/go-cache`, GOPATH: `${build}/go` },
      cwd: at(dir),
      note: 'forced: -count=1, -vet=off, no downloads',
      plan: { list: words.list },
    };
  },
};

export const go: RunnerDefinition = {
  name: 'go',
  manual: {
    commands: '`go test …`',
    calledAs:
      '`-json -count=1 -vet=off`, no downloads, own build cache; a test passed when it said `--- PASS` itself, a package when it said `PASS`',
    ids: '`example.org/slug/tests::TestOdd/a,_b`',
  },
  blackBox: false,
  match({ words }) {
    const [program = '', verb, ...args] = words;
    return PROGRAM.test(program) && verb === 'test' ? { runner: 'go', program, args } : null;
  },
  prepare: (request, command) =>
    prepareToolchain(
      request,
      // Settings of the machine have no say; those of the command do.
      { ...command, env: { GOFLAGS: '', ...command.env } },
      RUNNER,
      dirInside(command.dir),
    ),
  select: (command, ids) => ({ ...command, only: ids }),
  // A package can have many.
  fileOf: () => null,
};
