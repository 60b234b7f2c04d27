import type { RunnerDefinition } from '../definition.ts';
import { entryIn, nodeProgramUsing } from '../shared/node/entry-file.ts';
import { matchPackageProgram } from '../shared/node/match.ts';
import { partsOf } from '../shared/test-names.ts';
import { prepareTap } from './prepare.ts';

/** Other things that tap does, none of which is running tests. */
const OTHER_VERBS = /^(?:plugin|build|config|list|repl|replay|report|versions|debug|dump-config|help|rerun)$/;

export const tap: RunnerDefinition = {
  name: 'tap',
  manual: {
    commands: '`tap …`, `npx tap …`, `node test.js` where that file imports tap',
    calledAs:
      'tap of `node_modules` (18 or newer), one file at a time, without coverage; its TAP is read in a process of its own. Not with sealed tests',
    ids: '`test/slug.js::subtest > inner`; assertions outside of subtests by their messages',
  },
  blackBox: false,
  match(line, files) {
    const call = matchPackageProgram(line, { runner: 'tap', name: 'tap', file: String.raw`tap/dist/esm/run\.mjs` });
    if (call !== null) return OTHER_VERBS.test(call.args[0] ?? '') ? null : call;
    const started = nodeProgramUsing('tap', line.words, files);
    // The first word tells the two ways apart.
    return started === null
      ? null
      : { runner: 'tap', program: 'node', args: ['node', ...started], ...entryIn(started) };
  },
  prepare: prepareTap,
  select: (command, ids) => ({ ...command, only: ids }),
  fileOf: (id) => partsOf(id).file,
};
