import type { RunnerCommand, RunnerDefinition } from '../definition.ts';
import { entryIn, nodeProgramUsing } from '../shared/node/entry-file.ts';
import { matchPackageProgram } from '../shared/node/match.ts';
import { partsOf } from '../shared/test-names.ts';
import { prepareTape } from './prepare.ts';

export const tape: RunnerDefinition = {
  name: 'tape',
  manual: {
    commands: '`tape test/*.js`, `node test.js` where that file imports tape',
    calledAs:
      'tape of `node_modules` (4 or newer), a process for each file, results taken as data in the process of the tests',
    ids: '`test/slug.js::name > subtest`',
  },
  blackBox: false,
  match(line, files): RunnerCommand | null {
    const call = matchPackageProgram(line, { runner: 'tape', name: 'tape', file: 'tape/bin/tape' });
    if (call !== null) return call;
    const started = nodeProgramUsing('tape', line.words, files);
    return started === null ? null : { runner: 'tape', program: 'node', args: started, ...entryIn(started) };
  },
  prepare: prepareTape,
  select: (command, ids) => ({ ...command, only: ids }),
  fileOf: (id) => partsOf(id).file,
};
