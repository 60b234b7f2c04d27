import type { RunnerDefinition } from '../definition.ts';
import { partsOf } from '../shared/test-names.ts';
import { prepareNodeTest } from './prepare.ts';

const NODE = /^(?:.*\/)?node$/;
const TSX = /^(?:(?:.*\/)?node_modules\/\.bin\/)?tsx$/;

export const nodeTest: RunnerDefinition = {
  name: 'node-test',
  manual: {
    commands: '`node --test …`, `node --import tsx --test …`, `tsx --test …`',
    calledAs: 'files chosen by the harness, own reporter in the parent process',
    ids: '`slug.test.js::suite > name`; a second of that name gets ` (2)`',
  },
  blackBox: true,
  match({ words }) {
    const [program = '', ...args] = words;
    const at = args.indexOf('--test');
    // After the first file, words belong to a program that is no test.
    if (at < 0 || !onlyOptions(args.slice(0, at))) return null;
    const rest = [...args.slice(0, at), ...args.slice(at + 1)];
    if (NODE.test(program)) return { runner: 'node-test', program, args: rest };
    return TSX.test(program) ? { runner: 'node-test', program: 'node', args: ['--import=tsx', ...rest] } : null;
  },
  prepare: prepareNodeTest,
  select: (command, ids) => ({ ...command, only: ids }),
  fileOf: (id) => partsOf(id).file,
};

function onlyOptions(args: readonly string[]): boolean {
  return args.every(
    (word, at) => word.startsWith('-') || /^(?:--import|--require|-r|--loader|-C)$/.test(args[at - 1] ?? ''),
  );
}
