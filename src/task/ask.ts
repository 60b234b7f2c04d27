import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SeatrialError } from '../kernel/errors.ts';
import { findSetup } from './lockfiles.ts';
import { projectFiles } from './project-files.ts';
import { makeTerms, taskName } from './task-directory.ts';
import { type Repository, type TaskFile, taskFileSchema, type Terms } from './contract.ts';
import { readToml } from './toml/parse-toml.ts';
import { REPOSITORY_DEFAULTS, uncommittedDefaults } from './uncommitted.ts';

/** What the command line says; what it leaves out comes from the repository's own defaults. */
export interface Ask {
  readonly instruction: string;
  readonly test?: string | undefined;
  readonly setup?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly allowDeciding?: readonly string[] | undefined;
  readonly mustFix?: readonly string[] | undefined;
  readonly accept?: 'exit_code' | undefined;
}

/** Reads the repository's defaults from a copy of its tree; `repo` names it in an error. */
export function readRepositoryDefaults(filesDir: string, repo: string): TaskFile {
  const faults: string[] = [];
  const file = join(filesDir, REPOSITORY_DEFAULTS);
  const defaults = existsSync(file) ? (readToml(file, taskFileSchema, faults) ?? {}) : {};
  if (faults.length > 0) throw new SeatrialError('usage', `${REPOSITORY_DEFAULTS} of ${repo}: ${faults.join('; ')}`);
  return defaults;
}

/** `cause`: a sentence that says where a test command is, and why it has no effect. */
export function noTestCommand(repo: string, cause: string | null): SeatrialError {
  const next = cause ?? `give --test '<command>', or write ${REPOSITORY_DEFAULTS} with \`seatrial init\``;
  return new SeatrialError('usage', `no test command known for ${repo}: ${next}`);
}

/**
 * Builds a contract for a repository, without a task directory. `below`: the directory in it that was named. If it has defaults of its own,
 * they apply instead of those of the root, and commands run there.
 */
export function termsOfAsk(ask: Ask, repository: Repository, filesDir: string, below = ''): Terms {
  const dir = below !== '' && existsSync(join(filesDir, below, REPOSITORY_DEFAULTS)) ? below : '';
  const defaults = readRepositoryDefaults(join(filesDir, dir), join(repository.path, dir));
  const inDir = (command: string): string => (dir === '' ? command : `cd ${quoteWord(dir)} && ${command}`);
  const terms = makeTerms(taskName(repository.path), defaults, ask.instruction, false);
  const test_command = ask.test ?? terms.test_command;
  if (test_command === null) throw noTestCommand(repository.path, uncommittedDefaults(repository.path, filesDir));
  const own = defaults.seatrial ?? {};
  return {
    ...terms,
    test_command: inDir(test_command),
    setup_command: setupOf(ask.setup ?? own.setup_command, join(filesDir, dir), inDir),
    allowed_files: [...(ask.allow ?? terms.allowed_files)],
    protected_files: own.protected_files ?? [],
    judging: {
      allow_deciding: [...(ask.allowDeciding ?? [])],
      must_fix: [...(ask.mustFix ?? [])],
      known_failing: own.known_failing ?? [],
      accept: ask.accept ?? own.accept ?? 'tests',
    },
    mutation: 'copied repository only',
    repository,
  };
}

/** An explicit command wins, and "" disables setup. Default: detected from the lockfile. */
export function setupOf(
  said: string | undefined,
  dir: string,
  inDir: (command: string) => string = (command) => command,
): string | null {
  const command = said === undefined ? findSetup(projectFiles(dir)).setupCommand : said;
  return command === null || command.trim() === '' ? null : inDir(command);
}

const quoteWord = (text: string): string => (/^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
