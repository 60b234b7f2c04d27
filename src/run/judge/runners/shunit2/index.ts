import { basename } from 'node:path';
import { loadsShunit2 } from '../../../../task/test-commands.ts';
import { dirInside } from '../../sandbox/layout.ts';
import type { BaseFiles } from '../../command/base-files.ts';
import { notInstalled, type RunnerCommand, type RunnerDefinition } from '../definition.ts';
import { findTestProgram } from '../shared/programs.ts';
import { partsOf } from '../shared/test-names.ts';
import { prepareToolchain, type ToolchainRunner } from '../shared/toolchain.ts';

const SHELL = /^(?:ba|da|z|k|mk)?sh$/;
/** The script among the words: `sh test.sh`, `./test.sh`. Null: there is none that ends by loading shunit2. */
function scriptOf([program = '', ...args]: readonly string[], files: BaseFiles): string | null {
  const isShell = SHELL.test(basename(program));
  const script = isShell ? args.find((word) => !/^-[eux]+$/.test(word)) : program.includes('/') ? program : undefined;
  if (script === undefined || script.startsWith('-')) return null;
  return loadsShunit2(files.source(script) ?? '') ? script : null;
}

const runner = (script: string, program: string): ToolchainRunner => ({
  reports: 'shunit2/drivers/shunit2-reports.mjs',
  async find(request) {
    return (await findTestProgram(request, program)) ?? notInstalled(program);
  },
  call({ args, only, dir, at, sealed }) {
    if (sealed) return null;
    const file = at(`${dir}/${script.replace(/^\.\//, '')}`);
    const names = (only ?? []).flatMap((id) => partsOf(id).names);
    const isShell = args[0] !== script;
    const words = isShell ? args : [file, ...args.slice(1)];
    return {
      args: [
        ...(only === undefined ? words : words.slice(0, words.indexOf(isShell ? script : file) + 1)),
        ...(names.length === 0 ? [] : ['--', ...names]),
      ],
      isWhole: true,
      env: { SHUNIT_COLOR: 'none' },
      cwd: at(dir),
      note: 'results are read from what shunit2 prints',
      plan: { file, root: at(dir) },
    };
  },
});

export const shunit2: RunnerDefinition = {
  name: 'shunit2',
  manual: {
    commands: '`sh test.sh`, `./test.sh` where that file loads shunit2',
    calledAs: 'as it is; its output is read in a process of its own. With sealed tests it is a script',
    ids: '`tests/test.sh::testEmpty`',
  },
  blackBox: false,
  match({ words }, files): RunnerCommand | null {
    const entry = scriptOf(words, files);
    return entry === null ? null : { runner: 'shunit2', program: words[0] ?? '', args: words, entry };
  },
  prepare(request, command) {
    const [first = ''] = command.args;
    const isShell = SHELL.test(basename(first));
    const script = isShell ? (command.args.slice(1).find((word) => !word.startsWith('-')) ?? '') : first;
    return prepareToolchain(request, command, runner(script, isShell ? first : 'sh'), dirInside(command.dir));
  },
  select: (command, ids) => ({ ...command, only: ids }),
  fileOf: (id) => partsOf(id).file,
};
