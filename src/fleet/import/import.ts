import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { loadProject } from '../../agents/config/load.ts';
import { commitAll, initRepository } from '../../agents/example/create.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { readLiveProject } from '../live/read.ts';
import { addEngine, type EngineSource } from '../pin/add-engine.ts';
import { translate } from './translate.ts';

export interface ImportResult {
  readonly staged: string;
  readonly differences: readonly string[];
  /** Files of the live project's state that stay behind, relative to its log_dir. */
  readonly notImported: readonly string[];
  readonly warnings: readonly string[];
  /** Why the staged agents.toml cannot be used yet. */
  readonly fault: string | null;
}

/** Stages a copy of a live project in a new directory, with a state of its own. Reads the live one and writes nothing there. */
export async function importProject(
  liveDir: string,
  stagedDir: string,
  { engine, env }: { readonly engine: EngineSource | null; readonly env: NodeJS.ProcessEnv },
): Promise<ImportResult> {
  const live = readLiveProject(liveDir, env);
  const staged = resolve(stagedDir);
  if (existsSync(staged) && readdirSync(staged).length > 0)
    throw new SeatrialError('usage', `${staged} is not empty; choose another directory`);
  if ((realParent(staged) + sep).startsWith(live.dir + sep))
    throw new SeatrialError(
      'usage',
      `${staged} lies inside the live project, which must not be touched; choose a directory beside it`,
    );
  const { text, differences, copies } = translate(live);
  mkdirSync(staged, { recursive: true });
  for (const { from, to } of copies) {
    mkdirSync(dirname(join(staged, to)), { recursive: true });
    cpSync(from, join(staged, to), { recursive: true, dereference: true });
  }
  writeFileSync(join(staged, 'agents.toml'), text);
  writeFileSync(join(staged, '.gitignore'), '/.ao-state/\n');
  const notImported = importState(live.logDir, join(staged, '.ao-state'));
  await initRepository(staged);
  const warnings = engine === null ? [] : (await addEngine(staged, engine, env)).warnings;
  await commitAll(staged, `Staged copy of ${live.dir}`);
  return { staged, differences, notImported, warnings, fault: faultOf(staged) };
}

/** Where a directory that may not exist yet will really be. */
function realParent(path: string): string {
  let at = path;
  while (!existsSync(at)) at = dirname(at);
  return join(realpathSync(at), relative(at, path));
}

function faultOf(staged: string): string | null {
  try {
    loadProject(staged);
    return null;
  } catch (error) {
    if (!(error instanceof SeatrialError)) throw error;
    return messageOf(error);
  }
}

/** Of the live state only the phase index has a form that both systems know. */
function importState(from: string, to: string): readonly string[] {
  const index = join(from, 'state', 'phase-idx');
  mkdirSync(join(to, 'state'), { recursive: true });
  const text = existsSync(index) ? readFileSync(index, 'latin1') : null;
  const known = text !== null && /^(0|[1-9]\d{0,5})\s*$/.test(text);
  if (known) writeFileSync(join(to, 'state', 'phase-idx'), `${text.trim()}\n`);
  return filesBelow(from, from).filter((path) => !known || path !== join('state', 'phase-idx'));
}

const MAX_DEPTH = 2;

function filesBelow(root: string, dir: string, depth = 0): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .sort()
    .flatMap((name) => {
      const path = join(dir, name);
      const short = relative(root, path);
      if (!lstatSync(path).isDirectory()) return [short];
      return depth + 1 < MAX_DEPTH ? filesBelow(root, path, depth + 1) : [`${short}/`];
    });
}
