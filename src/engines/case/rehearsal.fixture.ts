import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestFile } from '../../evidence/storage/file-tree.ts';
import { startScriptedModel } from '../../gateway/scripted/server.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import { type Behaviour, hiddenNames, type Rehearse } from '../conformance/behaviours.fixture.ts';
import { caseEngine } from './headless.ts';
import { completeSetting, KEY_CANARY } from './self-test/setting.ts';
import { SLUGIFY_SCRIPTS } from './self-test/slugify.ts';

const SCRIPT_OF = {
  solves: 'commits',
  nothing: 'lies',
  denied: 'lies',
  breaks: 'mends it wrongly',
} as const satisfies Record<Behaviour['work'], keyof typeof SLUGIFY_SCRIPTS>;

/** The simulator does the work, driven by a scripted model; a patched copy also runs the behaviour's shell commands before and after it. */
export const rehearse: Rehearse = async (behaviour, scratch) => {
  const model = await startScriptedModel(SLUGIFY_SCRIPTS[SCRIPT_OF[behaviour.work]]);
  const path = join(scratch, 'ca');
  writeFileSync(path, behavingProgram(behaviour), { mode: 0o755 });
  const program = { path, ...digestFile(path) };
  return {
    engine: caseEngine,
    admitted: {
      setting: (terms) => completeSetting(program, model.url, terms),
      upstream: { baseUrl: model.url, key: KEY_CANARY },
      secrets: [new URL(model.url).host, KEY_CANARY],
    },
    close: () => model.close(),
  };
};

function behavingProgram({ before = ':', after = ':' }: Behaviour): string {
  const simulator = readFileSync(join(packageRoot(), 'dist/ca'), 'utf8');
  const [shebang, requires, ...rest] = simulator.split('\n');
  const shell = (script: string): string =>
    `require('node:child_process').spawnSync('/bin/sh', ['-c', ${JSON.stringify(script)}], { stdio: 'inherit' }).status`;
  return [
    shebang,
    requires,
    `const refused = ${shell(`${hiddenNames(caseEngine.hides)}\n${before}`)};`,
    'if (refused !== 0) process.exit(refused);',
    `process.on('exit', () => { const code = ${shell(after)}; if (code !== 0) process.exitCode = code; });`,
    ...rest,
  ].join('\n');
}
